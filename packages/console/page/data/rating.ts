/** The metrics of a record: names to a text, or to several. */
export type Metrics = Readonly<Record<string, string | readonly string[]>>

/** Metrics as they are shown: what the visitor thought of the conversation, and all others. */
export interface Shown {
  /** From 1, the worst, to 5; null if the visitor gave none. */
  readonly score: string | null
  readonly comment: string | null
  readonly others: readonly (readonly [name: string, values: readonly string[]])[]
}

/** Splits the visitor's rating from the metrics. A metric of that name that is no rating stays with the others. */
export function shownOf(metrics: Metrics): Shown {
  const { visitor_rating: score, visitor_comment: comment } = metrics
  const isRated = typeof score === 'string' && /^[1-5]$/.test(score)
  const isSaid = isRated && typeof comment === 'string' && comment !== ''
  const taken = [...(isRated ? ['visitor_rating'] : []), ...(isSaid ? ['visitor_comment'] : [])]
  return {
    score: isRated ? score : null,
    comment: isSaid ? comment : null,
    others: Object.entries(metrics).flatMap(([name, value]) =>
      taken.includes(name) ? [] : [[name, typeof value === 'string' ? [value] : value] as const],
    ),
  }
}
