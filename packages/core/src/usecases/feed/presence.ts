import type { Clock } from '../../ports/clock.ts'

/** Keeps a visitor's last sign of life, and stores it with few writes but in time (MS11). */
export interface Presence {
  /** The visitor gave a sign of life now. */
  seen(): void
  /** The conversation has stored this sign of life (wall clock); older ones need not be stored. */
  stored(at: number): void
  /** Stores a sign of life that is not stored yet, at once. */
  flush(): void
  /** Stores the last sign of life again, because the wall clock has stepped since (TM3). */
  renew(): void
  /** Stops storing. */
  stop(): void
}

/**
 * A sign of life is stored at once when the last stored one is at least `interval` old, otherwise as soon as it is. So
 * the conversation's `seenAt` lags by at most `interval`, at the cost of at most one write per interval. Silence is
 * measured on the monotonic clock; the stored value is the moment at which it began, by the wall clock at the time of
 * the write.
 *
 * @param interval milliseconds
 * @param storedAt the sign of life that the conversation holds
 */
export function createPresence(
  clock: Clock,
  interval: number,
  storedAt: number,
  write: (seenAt: number) => void,
): Presence {
  const counted = (wall: number): number => clock.monotonic() - Math.max(clock.now() - wall, 0)
  let stored = counted(storedAt)
  let last = stored
  let callOff: (() => void) | null = null

  const put = (): void => {
    stored = last
    write(Math.floor(clock.now() - (clock.monotonic() - last)))
  }
  const flush = (): void => {
    callOff?.()
    callOff = null
    if (last > stored) put()
  }

  return {
    seen() {
      last = clock.monotonic()
      if (callOff !== null || last <= stored) return
      const wait = stored + interval - last
      if (wait <= 0) flush()
      else callOff = clock.schedule(wait, flush)
    },
    stored(at) {
      stored = Math.max(stored, counted(at))
    },
    flush,
    renew() {
      if (stored === Number.POSITIVE_INFINITY) return
      last = Math.max(last, stored)
      put()
    },
    stop() {
      callOff?.()
      callOff = null
      stored = Number.POSITIVE_INFINITY
    },
  }
}
