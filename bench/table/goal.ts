import { type Result, resultOf } from './result.ts'

/** Names a result. */
export type Key = Pick<Result, 'row' | 'variant' | 'unit'>

/** A row of the table of goals. */
export interface Goal {
  readonly title: string
  /** The bench that measures it. */
  readonly bench: string
  readonly project: Key
  readonly peer?: Key
  readonly limit?: Key
  /** The judged figure: a result measured as a ratio, the project's own over another's, or the figure itself. */
  readonly judged: Key | 'over peer' | 'over limit' | 'itself'
  /** Whether more is better. */
  readonly more: boolean
  readonly must: number
  readonly aim?: number
}

/** Whether a goal is met, by the medians. */
export type Verdict = 'aim' | 'must' | 'missed' | 'not measured'

/** A goal with what was measured; null where something was not. */
export interface Judged {
  readonly goal: Goal
  readonly project: Result | null
  readonly peer: Result | null
  readonly limit: Result | null
  readonly judged: Result | null
  readonly verdict: Verdict
}

const over = (own: Result | null, other: Result | null): Result | null =>
  own === null || other === null
    ? null
    : {
        ...resultOf(
          { row: own.row, variant: `${own.variant} over ${other.variant}`, unit: `× ${own.unit}` },
          [own.median / other.median],
        ),
        min: own.min / other.max,
        max: own.max / other.min,
      }

function verdictOf({ more, must, aim }: Goal, judged: Result | null): Verdict {
  if (judged === null) return 'not measured'
  // As it is shown: what reads 1.50 meets 1.5.
  const value = Number(judged.median.toPrecision(3))
  const reaches = (bound: number): boolean => (more ? value >= bound : value <= bound)
  if (aim !== undefined && reaches(aim)) return 'aim'
  return reaches(must) ? 'must' : 'missed'
}

/** Finds what a goal speaks of among results, and judges it. */
export function judge(goal: Goal, results: readonly Result[]): Judged {
  const find = (key: Key | undefined): Result | null =>
    results.find(one => one.row === key?.row && one.variant === key.variant && one.unit === key.unit) ?? null
  const [project, peer, limit] = [find(goal.project), find(goal.peer), find(goal.limit)]
  const judged =
    goal.judged === 'itself'
      ? project
      : goal.judged === 'over peer'
        ? over(project, peer)
        : goal.judged === 'over limit'
          ? over(project, limit)
          : find(goal.judged)
  return { goal, project, peer, limit, judged, verdict: verdictOf(goal, judged) }
}
