const HOUR = 3_600_000
const DAY = 24 * HOUR

/**
 * Durations in classes, each with its longest duration in milliseconds; null for any. Of a class, only conversations
 * that began less than that ago can still be active, so those that began long ago are found without a look at all the
 * others.
 */
export const SPANS: readonly { readonly span: number; readonly longest: number | null }[] = [
  { span: 0, longest: 4 * HOUR },
  { span: 1, longest: 2 * DAY },
  { span: 2, longest: 45 * DAY },
  { span: 3, longest: null },
]

/** How long the stretches of time are by whose start conversations are packed together, milliseconds. */
export const STRETCH = 4 * HOUR

/** The class of what lasts longer, is in progress, or ended before it began. */
const ANY_SPAN = 3

/** The smallest class that holds the duration. */
export function spanOf(startedAt: number, finishedAt: number | null): number {
  const duration = finishedAt === null ? Number.POSITIVE_INFINITY : finishedAt - startedAt
  if (duration < 0) return ANY_SPAN
  return SPANS.find(({ longest }) => duration <= (longest ?? Number.POSITIVE_INFINITY))?.span ?? ANY_SPAN
}
