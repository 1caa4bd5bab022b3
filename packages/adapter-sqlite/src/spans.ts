const MINUTE = 60_000
const LARGEST = 40

/** The class of conversations in progress. */
export const OPEN_SPAN = -1

/** Every class with its longest duration in milliseconds. */
export const SPANS: readonly { readonly span: number; readonly longest: number }[] = [
  { span: OPEN_SPAN, longest: Number.MAX_SAFE_INTEGER },
  ...Array.from({ length: LARGEST + 1 }, (_, span) => ({
    span,
    longest: span === LARGEST ? Number.MAX_SAFE_INTEGER : MINUTE * 2 ** span,
  })),
]

/**
 * Durations in classes: class `n` holds those of at most 2ⁿ minutes that no smaller class holds. Of a class, only
 * conversations that began less than its longest duration ago can still be active, so those that began long ago are found
 * without a look at all the others.
 */
export function spanOf(startedAt: number, finishedAt: number | null): number {
  if (finishedAt === null) return OPEN_SPAN
  const duration = finishedAt - startedAt
  return SPANS.find(({ span, longest }) => span !== OPEN_SPAN && duration <= longest)?.span ?? LARGEST
}
