/** One reading of the wall clock and the monotonic clock, milliseconds. */
export interface Instant {
  readonly now: number
  readonly monotonic: number
}

/** The difference between a reading of the clock and the one before. */
export interface Lapse {
  /**
   * Milliseconds that the wall clock was set forward, or back when they are negative; 0 when it went on as it should.
   */
  readonly stepped: number
  /** Milliseconds by which the reading is late; 0 when it is in time. */
  readonly late: number
}

/** Smaller steps and delays mean nothing: clocks are corrected a little at a time, and event loops are busy. */
const TOLERANCE = 1_000

const ifLarge = (milliseconds: number): number => (Math.abs(milliseconds) < TOLERANCE ? 0 : milliseconds)

/**
 * Compares two readings of the clock (TM3 to TM6). A machine whose monotonic clock stands still while it sleeps shows a
 * step; a process that was stopped while the clock went on is late.
 *
 * @param due when the later reading was due, on the monotonic clock
 */
export function lapseBetween(before: Instant, after: Instant, due: number): Lapse {
  const passed = after.monotonic - before.monotonic
  return {
    stepped: ifLarge(after.now - before.now - passed),
    late: Math.max(ifLarge(after.monotonic - due), 0),
  }
}
