/** Jobs of one owner that wait, the one that waits longest first. */
export interface WaitingLine<Job> {
  readonly owner: string
  readonly jobs: readonly Job[]
}

/** Places of owners, now and before. */
export interface Shares {
  /** The owners of the places that are taken, one for each. */
  readonly held: readonly string[]
  /** Owners in the order in which they were last given a place. */
  readonly served: readonly string[]
}

/** Returns the shares after an owner was given one more place. */
export const withPlace = ({ held, served }: Shares, owner: string): Shares => ({
  held: [...held, owner],
  served: [...served.filter(one => one !== owner), owner],
})

/**
 * Chooses jobs for free places: the next place goes to the owner who then holds the fewest, of several to the one who
 * was given none for longest, then to the one whose line stands first. So nobody who asks for much keeps others waiting
 * (TE21).
 */
export function shareOut<Job>(
  lines: readonly WaitingLine<Job>[],
  shares: Shares,
  places: number,
): readonly Job[] {
  const holds = ({ owner }: WaitingLine<Job>): number => shares.held.filter(one => one === owner).length
  const servedAt = ({ owner }: WaitingLine<Job>): number => shares.served.indexOf(owner)
  const [line] = lines
    .filter(({ jobs }) => jobs.length > 0)
    .toSorted((one, other) => holds(one) - holds(other) || servedAt(one) - servedAt(other))
  if (line === undefined || places <= 0) return []
  const rest = lines.map(one => (one === line ? { ...one, jobs: one.jobs.slice(1) } : one))
  return [...line.jobs.slice(0, 1), ...shareOut(rest, withPlace(shares, line.owner), places - 1)]
}
