import { type Instant, type Lapse, lapseBetween } from '../domain/lapse.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * Each call returns the lapse since the call before, the first one since now. `due` is when the call was expected;
 * without it a call is never late.
 */
export function watchLapses(clock: Pick<Clock, 'now' | 'monotonic'>): (due?: number) => Lapse {
  const read = (): Instant => ({ now: clock.now(), monotonic: clock.monotonic() })
  let last = read()
  return (due = Number.POSITIVE_INFINITY) => {
    const before = last
    last = read()
    return lapseBetween(before, last, due)
  }
}
