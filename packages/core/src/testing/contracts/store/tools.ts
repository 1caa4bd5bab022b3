import { onTestFinished } from 'vitest'
import type { Store } from '../../../ports/store/store.ts'

/** How a contract gets at the adapter under test. */
export interface StoreFactory {
  /** A new store that holds nothing and shares nothing with the others. */
  open(): Promise<Store>
  /**
   * For adapters that outlive a process: opens once more what `store` has written. `store` came from this factory and
   * is closed. Left out, the adapter promises nothing beyond `close`, and the rules about reopening do not apply to it.
   */
  reopen?(store: Store): Promise<Store>
}

/** Opens a store for one test and closes it when the test is over. */
export async function openForTest(factory: StoreFactory): Promise<Store> {
  const store = await factory.open()
  onTestFinished(() => store.close())
  return store
}

/** Closes a store, opens it again for the rest of the test, and closes it when the test is over. */
export async function reopenForTest(reopen: (store: Store) => Promise<Store>, store: Store): Promise<Store> {
  await store.close()
  const again = await reopen(store)
  onTestFinished(() => again.close())
  return again
}

/** How many callers race in the tests of races. */
export const RACERS = 8

/** Microtasks after which each racer starts: at distances that differ, so that some read while others write. */
const HEAD_STARTS = [0, 1, 3, 7, 12, 20, 30, 44]

/**
 * Lets `RACERS` callers start at once, each some microtasks after the one before, so that they are not in lock-step,
 * and waits for all of them.
 */
export const race = <T>(run: (racer: number) => Promise<T>): Promise<T[]> =>
  Promise.all(
    Array.from({ length: RACERS }, async (_, racer) => {
      for (let step = 0; step < (HEAD_STARTS[racer] ?? 0); step++) await null
      return run(racer)
    }),
  )

/**
 * Tries until `attempt` wins. An attempt that loses has lost to one of the other racers, each of which wins once: when
 * one loses more often, the adapter lets no racer win.
 */
export async function untilWon(attempt: () => Promise<boolean>): Promise<void> {
  for (let lost = 0; lost < RACERS; lost++) if (await attempt()) return
  throw new Error(`A racer lost ${RACERS} times against ${RACERS - 1} others.`)
}

/** The number of results that equal `wanted`. */
export const count = <T>(results: readonly T[], wanted: T): number =>
  results.filter(result => result === wanted).length

/** Freezes a value with everything in it: an adapter that writes into its arguments then throws. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    for (const inner of Object.values(value)) frozen(inner)
    Object.freeze(value)
  }
  return value
}

/** Overwrites everything in a value: all who still hold it see the change. */
export function scribble(value: unknown): void {
  if (value instanceof Uint8Array) {
    value.fill(0xee)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    scribble(Reflect.get(value, key))
    Reflect.set(value, key, 'scribbled')
  }
  if (Array.isArray(value)) Reflect.set(value, value.length, 'scribbled')
  else Reflect.set(value, 'scribbled', true)
}

/** Makes a call with a copy of `value`, and scribbles on the copy while the call is still under way. */
export async function scribbling<T, Result>(value: T, call: (value: T) => Promise<Result>): Promise<Result> {
  const copy = structuredClone(value)
  const result = call(copy)
  scribble(copy)
  return result
}

/**
 * Strings that adapters get wrong: quotes, patterns, look-alikes, several planes of Unicode, words of query languages.
 */
export const HARD_STRINGS = [
  `it's "quoted" \`so\``,
  '100%',
  '100_',
  '1000',
  '\\back\\slash\n\ttab',
  '\u00e9 composed or not',
  'e\u0301 composed or not',
  'Case',
  'case',
  '👩‍👩‍👧‍👦 family',
  '日本語のトピック',
  'עברית ‏',
  '\u{10FFFD} last plane',
  ' padded ',
  'null',
  '0',
  '[]',
  '$1 ? :name @name',
  "'; DROP TABLE agents; --",
  '__proto__',
  'constructor',
] as const

/** The earliest and the latest moment that stores must keep, in milliseconds since the epoch. */
export const EXTREME_TIMES = [0, 1, 2 ** 31, 2 ** 32 + 1, 8_640_000_000_000_000] as const

/** A copy in the order of a key, for results that come in no particular order. */
export const sortedBy = <T>(values: readonly T[], key: (value: T) => string): T[] =>
  [...values].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
