import type { Clock } from '../../ports/clock.ts'

/** The store for signs of life. */
export interface PresenceKeeper {
  keepSeen(seenAt: number): void
}

/**
 * Keeps a visitor's last sign of life. It is stored at once when the last stored one is at least `interval` old,
 * otherwise as soon as it is. So the conversation's `seenAt` lags by at most `interval`, at the cost of at most one
 * write per interval. Silence is measured on the monotonic clock. The stored value is the moment at which it began, by
 * the wall clock at the time of the write (MS11).
 */
export class Presence {
  readonly #clock: Clock
  readonly #interval: number
  readonly #keeper: PresenceKeeper
  #stored: number
  #last: number
  #callOff: (() => void) | null = null

  /**
   * @param interval milliseconds
   * @param storedAt the sign of life that the conversation holds
   */
  constructor(clock: Clock, interval: number, storedAt: number, keeper: PresenceKeeper) {
    this.#clock = clock
    this.#interval = interval
    this.#keeper = keeper
    this.#stored = this.#counted(storedAt)
    this.#last = this.#stored
  }

  /** Notes a sign of life of the visitor, now. */
  seen(): void {
    this.#last = this.#clock.monotonic()
    if (this.#callOff !== null || this.#last <= this.#stored) return
    const wait = this.#stored + this.#interval - this.#last
    if (wait <= 0) this.flush()
    else this.#callOff = this.#clock.schedule(wait, () => this.flush())
  }

  /** Notes that the conversation has stored this sign of life (wall clock). Older ones need not be stored. */
  stored(at: number): void {
    this.#stored = Math.max(this.#stored, this.#counted(at))
  }

  /** Stores a sign of life that is not stored yet, at once. */
  flush(): void {
    this.#forget()
    if (this.#last > this.#stored) this.#put()
  }

  /** Stores the last sign of life again, because the wall clock has stepped since (TM3). */
  renew(): void {
    if (this.#stored === Number.POSITIVE_INFINITY) return
    this.#last = Math.max(this.#last, this.#stored)
    this.#put()
  }

  /** Stops storing. */
  stop(): void {
    this.#forget()
    this.#stored = Number.POSITIVE_INFINITY
  }

  #put(): void {
    this.#stored = this.#last
    this.#keeper.keepSeen(Math.floor(this.#clock.now() - (this.#clock.monotonic() - this.#last)))
  }

  #forget(): void {
    this.#callOff?.()
    this.#callOff = null
  }

  /** Converts a moment of the wall clock to the monotonic one. */
  #counted(wall: number): number {
    return this.#clock.monotonic() - Math.max(this.#clock.now() - wall, 0)
  }
}
