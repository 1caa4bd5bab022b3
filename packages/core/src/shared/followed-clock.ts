import { clockOffset } from '../domain/clock-offset.ts'
import type { Clock } from '../ports/clock.ts'
import type { StoreClock } from '../ports/store/store-clock.ts'

/** A clock elsewhere, and how it is followed. */
export interface FollowClockOptions {
  /** Reads the clock: milliseconds since the epoch. The caller reports a rejection. */
  read(): Promise<number>
  /** The time after an answer at which the clock is asked again, milliseconds. @default 20000 */
  readonly interval?: number
  /** The clock that runs between two answers, for example `systemClock`. */
  readonly clock: Pick<Clock, 'monotonic' | 'schedule'>
}

/** Follows a clock elsewhere. */
export interface FollowedClock extends StoreClock {
  /** Stops reading the clock. The time goes on by the monotonic clock. */
  stop(): void
}

const INTERVAL = 20_000

/**
 * Follows the clock of a server that several processes share, so that all of them have the same time, whatever their
 * own wall clocks say. Between two answers, and during an outage, it goes on by the monotonic clock (MA13).
 *
 * @throws the error of the first `read`
 */
export async function followClock({
  read,
  interval = INTERVAL,
  clock,
}: FollowClockOptions): Promise<FollowedClock> {
  const ask = async (known: number | null): Promise<number> => {
    const asked = clock.monotonic()
    const now = await read()
    return clockOffset(known, { now, asked, answered: clock.monotonic() })
  }
  let offset = await ask(null)
  let stopped = false
  let callOff = (): void => undefined
  const again = (): void => {
    if (!stopped) callOff = clock.schedule(interval, look)
  }
  const take = (now: number): void => {
    offset = now
  }
  const look = (): void =>
    void ask(offset)
      .then(take, () => undefined)
      .then(again)
  again()
  return {
    now: () => Math.floor(offset + clock.monotonic()),
    stop() {
      stopped = true
      callOff()
    },
  }
}
