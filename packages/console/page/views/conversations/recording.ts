/** Sound that was kept of a call over one line. */
export interface Recording {
  readonly id: string
  readonly started_at: string
  readonly milliseconds: number
  readonly bytes: number
  /** Null while it goes on, or if its process died. */
  readonly end: 'complete' | 'withdrawn' | 'full' | 'failed' | null
  readonly consent: {
    readonly by: 'visitor' | 'host'
    readonly at: string
  }
}

/** Time by which a moment of the log is later than what is to be heard, milliseconds: words come after their sound. */
const LATER = 3_000

/**
 * Returns the place of what was said at a moment, in seconds of the sound: that has the recordings one after the other.
 * Null for what is in none.
 */
export function placeOf(recordings: readonly Recording[], at: string): number | null {
  let before = 0
  for (const { milliseconds, started_at } of recordings) {
    const since = Date.parse(at) - Date.parse(started_at)
    if (since >= 0 && since < milliseconds) return Math.floor((before + Math.max(0, since - LATER)) / 1_000)
    before += milliseconds
  }
  return null
}
