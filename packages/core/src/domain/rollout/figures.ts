import { createHealth, type Health, type HealthTurn } from '../conversation/health.ts'
import { ratingIn } from '../conversation/rating.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import { type Difference, difference, type Estimate, estimate } from './interval.ts'
import { ROLLOUT_SIDES, type RolloutSide } from './rollout.ts'

/** The conversations of each side below which nothing is said about a difference. */
export const ENOUGH = 100

/** The score from which a visitor counts as satisfied. */
const SATISFIED = 4

/** Measures that compare the sides, each a share of conversations. Higher is better for all. */
export const ROLLOUT_MEASURES = ['contained', 'understood', 'satisfied', 'engaged'] as const
export type RolloutMeasure = (typeof ROLLOUT_MEASURES)[number]

/**
 * The verdict on the candidate. `not_enough`: one side has fewer than 100 conversations. `no_difference`: the interval
 * of the difference holds 0.
 */
export type RolloutVerdict = 'not_enough' | 'no_difference' | 'better' | 'worse'

/** The figures of one side. */
export interface SideFigures extends Omit<Health, 'functions' | 'redacted' | 'guarded'> {
  /** Without a handoff. */
  readonly contained: Estimate
  /** Without a turn that the agent had nothing for. */
  readonly understood: Estimate
  /** A rating of 4 or 5, of the conversations that were rated. */
  readonly satisfied: Estimate
  /** Those in which the visitor has said something. */
  readonly engaged: Estimate
}

/** The difference of the candidate from the base. */
export interface MeasureDifference extends Difference {
  readonly verdict: RolloutVerdict
}

/** A day of both sides, in UTC. */
export interface RolloutDay {
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly base: DayFigures
  readonly candidate: DayFigures
}

/** The conversations of a side that began on a day, and those of them without a handoff. */
export interface DayFigures {
  readonly conversations: number
  readonly contained: number
}

/** The figures of a rollout, over its finished conversations. */
export interface RolloutFigures {
  readonly base: SideFigures
  readonly candidate: SideFigures
  readonly differences: Readonly<Record<RolloutMeasure, MeasureDifference>>
  /** Oldest first; only days with a conversation. */
  readonly days: readonly RolloutDay[]
}

type Said = readonly Pick<HealthTurn, 'record'>[]

const isMet: Readonly<Record<RolloutMeasure, (summary: JsonObject, turns: Said) => boolean | null>> = {
  contained: ({ handoff }) => handoff !== true,
  understood: ({ num_ood: unknown }) => unknown === 0,
  satisfied({ metrics }) {
    const rating = isJsonObject(metrics) ? ratingIn(metrics) : null
    return rating && rating.score >= SATISFIED
  },
  // Turns that are too long to be read are more than a greeting.
  engaged: (_, turns) => turns.length === 0 || turns.some(({ record }) => record.user_input !== ''),
}

function judged(base: Estimate, candidate: Estimate): MeasureDifference {
  const found = difference(base, candidate)
  if (Math.min(base.of, candidate.of) < ENOUGH) return { ...found, verdict: 'not_enough' }
  if (found.low > 0) return { ...found, verdict: 'better' }
  return { ...found, verdict: found.high < 0 ? 'worse' : 'no_difference' }
}

/** Returns a value for each measure. */
const measured = <Value>(of: (measure: RolloutMeasure) => Value): Record<RolloutMeasure, Value> => ({
  contained: of('contained'),
  understood: of('understood'),
  satisfied: of('satisfied'),
  engaged: of('engaged'),
})

/** One side, to which conversations are added. */
function createSide() {
  const health = createHealth()
  const counts = measured(() => ({ count: 0, of: 0 }))
  const days = new Map<string, { conversations: number; contained: number }>()

  return {
    days,
    add(summary: JsonObject, turns: readonly HealthTurn[]): void {
      health.addConversation(summary)
      health.addTurns(turns)
      for (const measure of ROLLOUT_MEASURES) {
        const met = isMet[measure](summary, turns)
        if (met === null) continue
        counts[measure].of++
        if (met) counts[measure].count++
      }
      const day = String(summary.started_at).slice(0, 'YYYY-MM-DD'.length)
      const known = days.get(day) ?? { conversations: 0, contained: 0 }
      const contained = known.contained + (isMet.contained(summary, turns) === true ? 1 : 0)
      days.set(day, { conversations: known.conversations + 1, contained })
    },
    figures(): SideFigures {
      const { functions: _, guarded: __, redacted: ___, ...figures } = health.figures()
      return { ...figures, ...measured(measure => estimate(counts[measure].count, counts[measure].of)) }
    },
  }
}

/** A running sum for the figures of both sides. */
export interface RolloutSum {
  /** Adds the summary of a finished record, and its turns. */
  add(side: RolloutSide, summary: JsonObject, turns: readonly HealthTurn[]): void
  figures(): RolloutFigures
}

const NOTHING: DayFigures = { conversations: 0, contained: 0 }

/** Adds conversations up, one after the other (RO7). */
export function createRolloutSum(): RolloutSum {
  const sides = { base: createSide(), candidate: createSide() }
  return {
    add: (side, summary, turns) => sides[side].add(summary, turns),
    figures() {
      const [base, candidate] = [sides.base.figures(), sides.candidate.figures()]
      const days = new Set(ROLLOUT_SIDES.flatMap(side => [...sides[side].days.keys()]))
      return {
        base,
        candidate,
        differences: measured(measure => judged(base[measure], candidate[measure])),
        days: [...days].sort().map(day => ({
          day,
          base: sides.base.days.get(day) ?? NOTHING,
          candidate: sides.candidate.days.get(day) ?? NOTHING,
        })),
      }
    },
  }
}
