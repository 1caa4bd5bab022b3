import type { ReplayedTurn, ReplayGroupKey, ReplayTally } from './replay.ts'

/** The most groups that a tally tells apart. */
const MOST_GROUPS = 1_000

/** The topics of a group that holds the turns of all further ones of its verdict and reason. */
export const FURTHER_TOPICS = '…'

/** The tally of a replay that begins. */
export const NO_TALLY: ReplayTally = {
  replayed: 0,
  noise: { turns: 0, different: 0 },
  judge: { judged: 0, failed: 0 },
  groups: [],
}

/** The group of turns that stand for conversations that were erased before they were replayed. */
const ERASED = { verdict: 'not_replayable', reason: 'erased', from: '', to: '' } as const

const SAME = { verdict: 'same', reason: 'same', from: '', to: '' } as const

/** Returns the name of a group, which no other one has: most turns of a replay are in few groups. */
export const nameOf = ({ from, reason, to, verdict }: ReplayGroupKey): string =>
  `${verdict} ${reason} ${from.length} ${from} ${to}`

type Counted = ReplayTally['groups'][number]

/** Returns groups with these turns among them. */
function withTurns(known: readonly Counted[], turns: readonly ReplayGroupKey[]): readonly Counted[] {
  const groups = new Map(known.map(group => [nameOf(group), group]))
  for (const { verdict, reason, from, to } of turns) {
    const own: ReplayGroupKey = verdict === 'same' ? SAME : { verdict, reason, from, to }
    const isOneTooMany = groups.size >= MOST_GROUPS && !groups.has(nameOf(own))
    const key = isOneTooMany ? { ...own, from: FURTHER_TOPICS, to: FURTHER_TOPICS } : own
    const name = nameOf(key)
    groups.set(name, { ...key, turns: (groups.get(name)?.turns ?? 0) + 1 })
  }
  return [...groups.values()]
}

/** The turns of one conversation of a replay. */
interface Outcome {
  readonly replayed: readonly ReplayedTurn[]
  readonly noise?: ReplayTally['noise']
}

/** Returns a tally with one more conversation. */
export function tallied(tally: ReplayTally, { replayed, noise }: Outcome): ReplayTally {
  const failed = replayed.filter(({ judged }) => judged === null).length
  const judged = replayed.filter(turn => turn.judged).length
  return {
    replayed: tally.replayed + 1,
    noise: {
      turns: tally.noise.turns + (noise?.turns ?? 0),
      different: tally.noise.different + (noise?.different ?? 0),
    },
    judge: { judged: tally.judge.judged + judged, failed: tally.judge.failed + failed },
    groups: withTurns(tally.groups, replayed),
  }
}

/**
 * Returns the tally at the end of so many conversations. Each that could not be replayed any more has a turn (TE45).
 */
export function endedTally(tally: ReplayTally, conversations: number): ReplayTally {
  const gone = Array.from({ length: conversations - tally.replayed }, () => ERASED)
  return { ...tally, groups: withTurns(tally.groups, gone) }
}
