import type { Clock } from '../../ports/clock.ts'

/**
 * Removes what is old, a batch at a time: with the next call while there is more, and else with the first one that
 * comes `interval` milliseconds later. A call before that does nothing.
 */
export function createSweep(
  clock: Pick<Clock, 'monotonic'>,
  interval: number,
  removeBatch: () => Promise<{ readonly more: boolean }>,
): () => Promise<void> {
  let dueAt = clock.monotonic()
  return async () => {
    const now = clock.monotonic()
    if (now < dueAt) return
    const { more } = await removeBatch()
    dueAt = more ? now : now + interval
  }
}
