/** State of a process that a test file could change and leave behind for the next one. */
export type Surroundings = ReadonlyMap<string, unknown>

/** Objects whose members tests replace. */
const REPLACEABLE = { console, JSON, Math, Date, Reflect, performance } as const

/** The members of an object as they are. Those that Node makes when they are first read are not among them. */
const members = (name: string, target: object): readonly (readonly [string, unknown])[] =>
  Object.entries(Object.getOwnPropertyDescriptors(target)).flatMap(([key, { get, value }]) =>
    get === undefined ? [[`${name}.${key}`, value] as const] : [],
  )

/** The environment, the working directory, and every global with the members that tests replace. */
export function surroundings(): Surroundings {
  return new Map<string, unknown>([
    ...members('globalThis', globalThis),
    ...Object.entries(REPLACEABLE).flatMap(([name, target]) =>
      members(name, target).filter(([, value]) => typeof value === 'function'),
    ),
    ...Object.entries(process.env).map(([name, value]) => [`environment ${name}`, value] as const),
    ['working directory', process.cwd()],
  ])
}

/** Returns the listeners of the process. Modules may add some when they load, so call it after that. */
export const listeners = (): Surroundings =>
  new Map(process.eventNames().map(name => [`listeners of ${String(name)}`, process.listenerCount(name)]))

/** Globals that modules add when they load, also functions for decorators, may stay. */
const ADDED_BY_MODULES = /^(?:globalThis|Reflect)\./

/** The functions of compiled TypeScript, as `__extends`: each copy of them that is loaded replaces the last one. */
const HELPER = /^globalThis\.__[a-z][A-Za-z]*$/

/** Returns the names of everything that changed. */
export function traces(before: Surroundings, after: Surroundings): readonly string[] {
  const changed = [...before].flatMap(([name, value]) =>
    Object.is(value, after.get(name)) || HELPER.test(name) ? [] : [name],
  )
  const added = [...after.keys()].filter(name => !before.has(name) && !ADDED_BY_MODULES.test(name))
  return [...changed, ...added]
}
