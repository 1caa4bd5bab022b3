/** Length of a concurrency window, milliseconds (platform-api.md, Limits). */
export const WINDOW = 300_000

/** A span `[from, to)` of whole windows; both are 5-minute marks in milliseconds since the epoch. */
export interface WindowRange {
  readonly from: number
  readonly to: number
}

/** Rounds a span outward to 5-minute marks: its start down, its end up (platform-api.md, Concurrent calls). */
export const roundOutward = (startTime: number, endTime: number): WindowRange => ({
  from: Math.floor(startTime / WINDOW) * WINDOW,
  to: Math.ceil(endTime / WINDOW) * WINDOW,
})
