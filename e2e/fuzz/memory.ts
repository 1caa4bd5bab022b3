/** How far from where it was with warm caches the memory may lie once everything is ended, bytes (FZ5). */
export const MARGIN = 3 * 1_048_576

/** Data that a server under attack held in memory, garbage aside, in bytes. */
export interface MemoryFigures {
  /** When it had been started. */
  readonly before: number
  /** When caches were full and code had run. */
  readonly warm: number
  /** When nothing more was sent. */
  readonly after: number
}

/** What lies over the warm baseline and its margin; 0 when nothing does. */
export const excess = ({ warm }: Pick<MemoryFigures, 'warm'>, ended: number): number =>
  Math.max(0, ended - warm - MARGIN)
