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
  before: Shares,
  places: number,
): readonly Job[] {
  const chosen: Job[] = []
  const taken = new Map<string, number>()
  let shares = before
  const next = ({ jobs, owner }: WaitingLine<Job>): Job | undefined => jobs[taken.get(owner) ?? 0]
  while (chosen.length < places) {
    const { held, served } = shares
    const [line] = lines
      .filter(one => next(one) !== undefined)
      .map(one => ({ one, holds: held.filter(owner => owner === one.owner).length }))
      .toSorted((a, b) => a.holds - b.holds || served.indexOf(a.one.owner) - served.indexOf(b.one.owner))
      .map(({ one }) => one)
    const job = line && next(line)
    if (line === undefined || job === undefined) break
    taken.set(line.owner, (taken.get(line.owner) ?? 0) + 1)
    shares = withPlace(shares, line.owner)
    chosen.push(job)
  }
  return chosen
}
