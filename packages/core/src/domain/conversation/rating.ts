import type { ConversationState } from './state.ts'

/** A visitor's rating of a conversation. */
export interface Rating {
  /** 1, the worst, to 5. */
  readonly score: number
  /** In the visitor's own words; empty for none. */
  readonly comment: string
}

/** The worst and the best score. */
export const SCORES = { min: 1, max: 5 } as const

/** The longest comment, characters. */
export const MAX_COMMENT = 2_000

/** The metrics that a rating is kept as (VC25). */
const RATING_METRICS = { score: 'visitor_rating', comment: 'visitor_comment' } as const

type Metrics = ConversationState['metrics']

/** Returns the metrics with a rating in place of the one before. */
export function withRating(metrics: Metrics, { comment, score }: Rating): Metrics {
  const { [RATING_METRICS.comment]: _, ...others } = metrics
  return {
    ...others,
    [RATING_METRICS.score]: String(score),
    ...(comment !== '' && { [RATING_METRICS.comment]: comment }),
  }
}

/** Returns the rating that metrics hold; null without one. */
export function ratingIn(metrics: Readonly<Record<string, unknown>>): Rating | null {
  const { [RATING_METRICS.comment]: comment, [RATING_METRICS.score]: score } = metrics
  if (typeof score !== 'string') return null
  return { score: Number(score), comment: typeof comment === 'string' ? comment : '' }
}

/**
 * Returns the metrics that a turn has written, with the rating that came while it ran. The turn does not know of it.
 */
export function keepingRating(written: Metrics, now: Metrics): Metrics {
  const rating = ratingIn(now)
  return rating === null ? written : withRating(written, rating)
}
