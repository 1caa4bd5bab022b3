import { expect } from 'vitest'

/** Tries of each input. The quickest counts, because nothing else has held it up. */
const TRIES = 5

/** Largest allowed ratio for twice the input. A ratio of two is linear, four is quadratic. */
const MOST = 3

/** Processor time that this process spends on a call, microseconds. */
function spent(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

const quickest = (work: () => unknown): number =>
  Math.min(...Array.from({ length: TRIES }, () => spent(work)))

/** The sizes that are tried, each twice the one before. */
const sizesFrom = (size: number): readonly number[] => [1, 2, 4, 8, 16].map(factor => factor * size)

/** @returns what the next size is compared with */
function compare(size: number, took: number, before: number, enough: number): number {
  const most = Math.max(before * MOST, enough)
  expect(took, `${size} took ${took} µs of the processor, after ${before} µs for half of it`).toBeLessThan(
    most,
  )
  return took
}

/**
 * Doubles an input four times, and fails where the work grows faster than the input. Processor time is measured, of
 * this process and as the least of several tries. So that no chance decides, nothing that is done within `enough`
 * microseconds counts: what is quadratic takes seconds at the sizes that the tests begin with.
 *
 * @param size of the smallest input
 */
export function expectLinear(size: number, work: (size: number) => unknown, enough = 100_000): void {
  // The first call compiles.
  work(size)
  let before = Number.POSITIVE_INFINITY
  for (const given of sizesFrom(size))
    before = compare(
      given,
      quickest(() => work(given)),
      before,
      enough,
    )
}

/** The same of work that ends later. */
export async function expectLinearLater(
  size: number,
  work: (size: number) => Promise<unknown>,
  enough = 100_000,
): Promise<void> {
  await work(size)
  let before = Number.POSITIVE_INFINITY
  for (const given of sizesFrom(size)) {
    let least = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const begun = process.cpuUsage()
      await work(given)
      const { user, system } = process.cpuUsage(begun)
      least = Math.min(least, user + system)
    }
    before = compare(given, least, before, enough)
  }
}
