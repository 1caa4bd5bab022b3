import type { Context } from '../usecases/context.ts'

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

/** The headers that tell a client the correlation id of an answer: the one it gave, or a new one. */
export function answerCorrelation(
  { ids, settings }: Pick<Context, 'ids' | 'settings'>,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  const names = correlationHeaders(settings.brand)
  const single = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]),
  )
  const id = givenCorrelationId(names, single) ?? ids.uuid()
  return Object.fromEntries(names.map(name => [name, id]))
}
