import type { Replay, ReplayGroup, ReplayReport, ReplayVerdict } from './replay.ts'
import { replayCounts, replayOf } from './replay-report.ts'
import type { TestRun } from './test-run.ts'

/** The largest shares of a replay's turns, from 0 to 1, with which it passes. */
export interface ReplayBounds {
  readonly maxWorse: number
  readonly maxChanged: number
  readonly maxNotReplayable: number
}

/** The verdicts that each bound counts. */
const COUNTED = {
  maxWorse: ['worse', 'errored'],
  maxChanged: ['changed', 'off_script'],
  maxNotReplayable: ['not_replayable'],
} as const satisfies Readonly<Record<keyof ReplayBounds, readonly ReplayVerdict[]>>

/** A bound that a replay does not keep. */
export interface Excess {
  readonly bound: keyof ReplayBounds
  readonly verdicts: readonly ReplayVerdict[]
  /** The turns that count, without accepted ones. */
  readonly turns: number
  /** The turns of the replay. */
  readonly of: number
}

const openTurns = (groups: readonly ReplayGroup[], verdicts: readonly ReplayVerdict[]): number =>
  groups
    .filter(({ verdict, accepted }) => accepted === null && verdicts.includes(verdict))
    .reduce((sum, { turns }) => sum + turns, 0)

/**
 * Returns the bounds that a replay does not keep, the gravest first. Accepted groups do not count, and every turn is in
 * the denominator (TE63).
 */
export function excessesOf(
  { groups, verdicts }: Pick<ReplayReport, 'groups' | 'verdicts'>,
  bounds: ReplayBounds,
): readonly Excess[] {
  const of = Object.values(verdicts).reduce((sum, turns) => sum + turns, 0)
  const all = (['maxWorse', 'maxChanged', 'maxNotReplayable'] as const).map(bound => {
    const counted = COUNTED[bound]
    return { bound, verdicts: counted, turns: openTurns(groups, counted), of }
  })
  return all.filter(({ bound, turns }) => turns > bounds[bound] * of)
}

const DAY = 86_400_000

/** The conversations that a required replay has, the days for which it counts, and its bounds. */
interface ReplayTerms extends ReplayBounds {
  readonly sample: number
  readonly days: number
}

const inWords = ({ turns, of, verdicts, bound }: Excess): string =>
  `${turns} of ${of} turns are ${verdicts.join(' or ')}, more than ${bound}`

/** Reports whether a replay has the required conversations of live, or all that there were. */
function isLargeEnough({ selection, conversations }: Replay, { sample, days }: ReplayTerms): boolean {
  const isWhole = conversations < selection.last && (selection.days === null || selection.days >= days)
  return selection.environment === 'live' && (conversations >= sample || isWhole)
}

/** The weight of a replay for its version: it passes, stands in the way, has to end first, or says nothing. */
interface Standing {
  readonly counts: 'passes' | 'refuses' | 'waits' | 'nothing'
  readonly reason: string
}

const nothing = (reason: string): Standing => ({ counts: 'nothing', reason })

/** Reports whether a run began too long ago to count. */
export const isTooOld = ({ startedAt }: TestRun, { days }: ReplayTerms, now: number): boolean =>
  startedAt < now - days * DAY

/** Returns how a run counts: by what is kept on it, which no erasure changes (TE90, TE98). */
export function standingOf(run: TestRun, terms: ReplayTerms, now: number): Standing {
  const replay = replayOf(run)
  if (replay === null || run.replay === undefined) return nothing('is none')
  if (isTooOld(run, terms, now))
    return nothing(`is older than ${terms.days} ${terms.days === 1 ? 'day' : 'days'}`)
  if (!isLargeEnough(replay, terms))
    return nothing(`has fewer than ${terms.sample} conversations of live, and there were more`)
  if (replay.status === 'running')
    return { counts: 'waits', reason: 'is still running. Try again when it is over' }
  const excesses = excessesOf(replayCounts(run.replay), terms)
  if (excesses.length > 0)
    return { counts: 'refuses', reason: `has too many differences: ${excesses.map(inWords).join('; ')}` }
  if (replay.status === 'errored') return nothing('could not be brought to an end')
  return { counts: 'passes', reason: '' }
}
