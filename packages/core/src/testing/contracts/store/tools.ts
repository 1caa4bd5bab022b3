import fc from 'fast-check'
import { onTestFinished } from 'vitest'
import type { Store } from '../../../ports/store/store.ts'
import type { Documents } from '../../../store/documents.ts'

/** The contract's access to the store under test. */
export interface StoreFactory {
  /** A new store that holds nothing and shares nothing with the others. */
  open(): Promise<Store>
  /**
   * For stores that outlive a process: opens once more what `store` has written. `store` came from this factory and
   * is closed. Left out, the store promises nothing beyond `close`, and the rules about reopening do not apply to it.
   */
  reopen?(store: Store): Promise<Store>
}

/** The contract's access to the documents under test. */
export interface DocumentsFactory {
  /** Documents that hold nothing, and share nothing with others. Called once for each test. */
  open(): Promise<Documents>
  /**
   * For documents that outlive a process: opens once more what `documents`, which came from this factory, have
   * written. They are closed first, and not used any more.
   */
  reopen?(documents: Documents): Promise<Documents>
  /**
   * For documents that several processes share: opens once more what `documents` have written, and both are used from
   * now on, as two processes do.
   */
  beside?(documents: Documents): Promise<Documents>
  /** Closes what `open`, `reopen` or `beside` gave, when its test is over. @default nothing is to be closed */
  close?(documents: Documents): Promise<void>
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

/** The number of callers that race in the tests of races. */
export const RACERS = 8

let races = 0

/** After how many microtasks each racer of the next race starts: at random, by the seed of the property tests. */
function headStarts(): readonly number[] {
  const { seed = Date.now() } = fc.readConfigureGlobal()
  return fc.sample(fc.nat(60), { numRuns: RACERS, seed: seed + races++ })
}

/**
 * Starts `RACERS` callers at once, each after random microtasks, so that each race interleaves differently. Waits for
 * all of them.
 */
export const race = <T>(run: (racer: number) => Promise<T>): Promise<T[]> =>
  Promise.all(
    headStarts().map(async (steps, racer) => {
      for (let step = 0; step < steps; step++) await null
      return run(racer)
    }),
  )

/**
 * Tries until `attempt` wins. An attempt that loses has lost to one of the other racers, each of which wins once: when
 * one loses more often, the store lets no racer win.
 */
export async function untilWon(attempt: () => Promise<boolean>): Promise<void> {
  for (let lost = 0; lost < RACERS; lost++) if (await attempt()) return
  throw new Error(`A racer lost ${RACERS} times against ${RACERS - 1} others.`)
}

/** Returns the number of results that equal `wanted`. */
export const count = <T>(results: readonly T[], wanted: T): number =>
  results.filter(result => result === wanted).length

/** Freezes a value with everything in it: a store that writes into its arguments then throws. */
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

/** Makes a call with a copy of `value`, and scribbles on the copy while the call is still in progress. */
export async function scribbling<T, Result>(value: T, call: (value: T) => Promise<Result>): Promise<Result> {
  const copy = structuredClone(value)
  const result = call(copy)
  scribble(copy)
  return result
}

/**
 * Strings that databases get wrong: quotes, patterns, look-alikes, several planes of Unicode, words of query languages.
 */
export const HARD_STRINGS = [
  ...[`it's "quoted" \`so\``, '100%', '100_', '1000', '\\back\\slash\n\ttab', ' padded ', 'null', '0', '[]'],
  ...[
    '\u00e9 composed or not',
    'e\u0301 composed or not',
    'Case',
    'case',
    '👩‍👩‍👧‍👦 family',
    '日本語のトピック',
  ],
  ...['עברית ‏', '\u{10FFFD} last plane', '$1 ? :name @name', "'; DROP TABLE agents; --"],
  ...['__proto__', 'constructor'],
] as const

/** Ids of one moment, in the order of their code points, which is neither that of UTF-16 nor that of any language. */
export const ORDERED_IDS = ['K-10', 'K-9', 'K-B', 'K-a', 'K-\uFF5E', 'K-\u{1F600}'] as const

/** The earliest and the latest moment that stores must keep, in milliseconds since the epoch. */
export const EXTREME_TIMES = [0, 1, 2 ** 31, 2 ** 32 + 1, 8_640_000_000_000_000] as const

/** Compares texts by their code points. */
export function compareTexts(one: string, other: string): number {
  const points = (text: string) =>
    [...text].map(char => (char.codePointAt(0) ?? 0).toString(16).padStart(6, '0')).join('')
  return points(one) < points(other) ? -1 : Number(one !== other)
}

/** Returns a copy in the order of a key, for results that come in no particular order. */
export const sortedBy = <T>(values: readonly T[], key: (value: T) => string): T[] =>
  values.toSorted((one, other) => compareTexts(key(one), key(other)))
