import type { Clock } from '../../ports/clock.ts'

/** Keeps the last sign of life of a visitor, and stores it rarely but in time (MS11). */
export interface Presence {
  /** The visitor gave a sign of life now. */
  seen(): void
  /** The conversation holds this sign of life; nothing older has to be stored. */
  stored(at: number): void
  /** Stores what is not stored yet, at once. */
  flush(): void
  /** Stores nothing any more. */
  stop(): void
}

/**
 * A sign of life is stored at once when the last stored one is at least `interval` old, otherwise as soon as it is. So the
 * conversation's own `seenAt` never lags by more than `interval`, and costs one write an interval at most.
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
  let stored = storedAt
  let last = storedAt
  let callOff: (() => void) | null = null

  const flush = (): void => {
    callOff?.()
    callOff = null
    if (last <= stored) return
    stored = last
    write(last)
  }

  return {
    seen() {
      const now = clock.now()
      last = Math.max(last, now)
      if (callOff !== null || last <= stored) return
      const wait = stored + interval - now
      if (wait <= 0) flush()
      else callOff = clock.schedule(wait, flush)
    },
    stored(at) {
      stored = Math.max(stored, at)
    },
    flush,
    stop() {
      callOff?.()
      callOff = null
      stored = Number.POSITIVE_INFINITY
    },
  }
}
