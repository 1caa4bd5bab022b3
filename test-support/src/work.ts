import { expect } from 'vitest'

/** Tries of each input, and the most of them. The quickest counts, because nothing else has held it up. */
const TRIES = 5
const MOST_TRIES = 30

/** Largest allowed ratio for twice the input. A ratio of two is linear, four is quadratic. */
const MOST = 3

/** Processor time that this process spends on a call, microseconds. */
async function spent(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/**
 * Doubles an input four times, and fails where the work grows faster than the input. Processor time is measured, of
 * this process and as the least of several tries. So that no chance decides, nothing that is done within `enough`
 * microseconds counts, because what is quadratic takes seconds at the sizes that the tests begin with; and an input and
 * half of it are tried in turn, for as long as a busy machine makes one look slower.
 *
 * @param size of the smallest input
 */
export async function expectLinear(
  size: number,
  work: (size: number) => unknown,
  enough = 100_000,
): Promise<void> {
  // The first call compiles.
  await work(size)
  for (const given of [2, 4, 8, 16].map(factor => factor * size)) {
    let [half, whole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    const isLinear = () => whole < Math.max(half * MOST, enough)
    for (let tries = 0; tries < TRIES || (tries < MOST_TRIES && !isLinear()); tries++) {
      whole = Math.min(whole, await spent(() => work(given)))
      if (whole < enough) break
      half = Math.min(half, await spent(() => work(given / 2)))
    }
    expect(isLinear(), `${given} took ${whole} µs of the processor, and half of it ${half} µs`).toBe(true)
  }
}
