import { expect } from 'vitest'

/** How often each input is tried: the quickest try is the one that nothing else has held up. */
const TRIES = 5

/** What a step of twice the input may take, as a multiple. Twice is linear, four times is quadratic. */
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

/**
 * Doubles an input four times, and fails where the work grows faster than the input. Processor time is measured, of
 * this process and as the least of several tries. So that no chance decides, nothing that is done within `enough`
 * microseconds counts: what is quadratic takes seconds at the sizes that the tests begin with.
 *
 * @param size of the smallest input
 */
export function expectLinear(size: number, work: (size: number) => unknown, enough = 50_000): void {
  const sizes = [1, 2, 4, 8, 16].map(factor => factor * size)
  // The first call compiles.
  work(size)
  let before = Number.POSITIVE_INFINITY
  for (const given of sizes) {
    const took = quickest(() => work(given))
    const most = Math.max(before * MOST, enough)
    expect(took, `${given} took ${took} µs of the processor, after ${before} µs for half of it`).toBeLessThan(
      most,
    )
    before = took
  }
}
