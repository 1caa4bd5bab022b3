import { type Brand, brandedHeader } from '../domain/brand.ts'
import type { Platform } from '../platform.ts'
import { contextOf } from '../platform-context.ts'

/** What a correlation id may look like; anything else is replaced. */
const WELL_FORMED = /^[A-Za-z0-9._:-]{1,128}$/

/**
 * The names of the correlation header: the brand's, and the plain one (contract/accounts-and-keys.md, Correlation id).
 */
const correlationHeaders = (brand: Brand): readonly [string, string] => [
  brandedHeader(brand, 'Correlation-Id'),
  'X-Correlation-Id',
]

/** The id that the request brought in one of the headers, the brand's first; null when none is well formed. */
function givenCorrelationId(
  names: readonly string[],
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | null {
  const given = names.map(name => String(headers[name.toLowerCase()] ?? ''))
  return given.find(id => WELL_FORMED.test(id)) ?? null
}

/** The correlation id of an answer, the one that the request gave or a new one, and the headers that tell it. */
export function correlationOf(
  platform: Pick<Platform, 'closing'>,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): { readonly id: string; readonly headers: Readonly<Record<string, string>> } {
  const { ids, settings } = contextOf(platform)
  const names = correlationHeaders(settings.brand)
  const id = givenCorrelationId(names, headers) ?? ids.uuid()
  return { id, headers: Object.fromEntries(names.map(name => [name, id])) }
}
