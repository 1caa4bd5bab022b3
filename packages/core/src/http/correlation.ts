/** What a correlation id may look like; anything else is replaced. */
const WELL_FORMED = /^[A-Za-z0-9._:-]{1,128}$/

/** The names of the correlation header: the brand's, and the plain one (decisions.md section 1). */
export const correlationHeaders = (brand: string): readonly [string, string] => [
  `X-${brand}-Correlation-Id`,
  'X-Correlation-Id',
]

/** The id that the request brought in one of the headers, the brand's first; null when none is well formed. */
export function givenCorrelationId(
  names: readonly string[],
  headers: Readonly<Record<string, string | undefined>>,
): string | null {
  const given = names.map(name => headers[name.toLowerCase()] ?? '')
  return given.find(id => WELL_FORMED.test(id)) ?? null
}
