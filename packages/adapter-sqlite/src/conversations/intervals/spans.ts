const HOUR = 3_600_000
const DAY = 24 * HOUR

/** How long the stretches of time are by whose start intervals are kept together. */
export const STRETCH = 4 * HOUR

/**
 * Durations in classes, each with its longest duration in milliseconds. Of a class, only conversations that began less
 * than that ago can still be active, so those that began long ago are found without a look at all the others.
 */
export const SPANS: readonly { readonly span: number; readonly longest: number }[] = [
  { span: 0, longest: STRETCH },
  { span: 1, longest: 2 * DAY },
  // Shorter than 2³² milliseconds, so that a duration fits into 32 bits.
  { span: 2, longest: 45 * DAY },
  { span: 3, longest: Number.MAX_SAFE_INTEGER },
]

/** The class that is never packed: of durations that do not fit, and of ends before their start. */
export const UNPACKED_SPAN = 3

/** The smallest class that holds the duration. */
export function spanOf(startedAt: number, finishedAt: number): number {
  const duration = finishedAt - startedAt
  if (duration < 0) return UNPACKED_SPAN
  return SPANS.find(({ longest }) => duration <= longest)?.span ?? UNPACKED_SPAN
}

/** Which stretch of time since the epoch a moment lies in. */
export const stretchOf = (time: number): number => Math.floor(time / STRETCH)
