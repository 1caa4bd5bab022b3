import type { ReplayGroup, ReplayReport, ReplayVerdict } from './replay.ts'

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
