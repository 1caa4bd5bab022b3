const PREFIX = '@colloquy/one-per-process/'

/**
 * Makes something once for each process, however often the module that asks is loaded (HF2): development servers load
 * modules again after each change, and Next.js loads one for each bundle that it is in. A platform, with its store and
 * its timers, must be there once.
 *
 * @param name under which it is kept, one for each thing that is made
 * @param make called where nothing is kept under that name. Where it throws nothing is kept
 */
export function onePerProcess<Made>(name: string, make: () => Made): Made {
  const key = Symbol.for(`${PREFIX}${name}`)
  const kept: { made: Made } | undefined = Reflect.get(globalThis, key)
  if (kept !== undefined) return kept.made
  const made = make()
  Reflect.set(globalThis, key, { made })
  return made
}
