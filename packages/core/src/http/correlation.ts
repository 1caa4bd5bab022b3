import { type Brand, brandedHeader } from '../domain/brand.ts'
import type { Platform } from '../platform.ts'
import { edgeOf } from '../platform-context.ts'

/** The form of a valid correlation id. Anything else is replaced. */
const WELL_FORMED = /^[A-Za-z0-9._:-]{1,128}$/

/**
 * Returns the names of the correlation header: the brand's, and the plain one (contract/accounts-and-keys.md,
 * Correlation id).
 */
const correlationHeaders = (brand: Brand): readonly [string, string] => [
  brandedHeader(brand, 'Correlation-Id'),
  'X-Correlation-Id',
]

/** The names as answers write them, and as requests have them. */
interface Names {
  readonly told: readonly [string, string]
  readonly asked: readonly [string, string]
}

const known = new WeakMap<Brand, Names>()

function namesOf(brand: Brand): Names {
  const earlier = known.get(brand)
  if (earlier !== undefined) return earlier
  const told = correlationHeaders(brand)
  const names: Names = { told, asked: [told[0].toLowerCase(), told[1].toLowerCase()] }
  known.set(brand, names)
  return names
}

const wellFormed = (given: string | string[] | undefined): string | null =>
  given !== undefined && WELL_FORMED.test(String(given)) ? String(given) : null

/**
 * Returns the correlation id of a response, and the headers that carry it. The id is the request's or a new one. If the
 * request has both headers, the brand's takes precedence, unless it is not well formed.
 */
export function correlationOf(
  platform: Pick<Platform, 'closing'>,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): { readonly id: string; readonly headers: Readonly<Record<string, string>> } {
  const { ids, settings } = edgeOf(platform)
  const { asked, told } = namesOf(settings.brand)
  const id = wellFormed(headers[asked[0]]) ?? wellFormed(headers[asked[1]]) ?? ids.uuid()
  return { id, headers: { [told[0]]: id, [told[1]]: id } }
}
