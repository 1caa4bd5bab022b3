import { type Instant, type Lapse, lapseBetween } from '../../domain/lapse.ts'
import type { Clock } from '../../ports/clock.ts'

/** What each look at the clock has found since the one before, beginning now. `due` is when it was to come, without which it is never late. */
export function watchLapses(clock: Pick<Clock, 'now' | 'monotonic'>): (due?: number) => Lapse {
  const look = (): Instant => ({ now: clock.now(), monotonic: clock.monotonic() })
  let looked = look()
  return (due = Number.POSITIVE_INFINITY) => {
    const before = looked
    looked = look()
    return lapseBetween(before, looked, due)
  }
}
