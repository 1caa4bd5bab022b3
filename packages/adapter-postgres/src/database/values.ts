import { keptText } from './texts.ts'

/** Type of a single value of a parameter. */
type Scalar = string | number | null

/** Type of a statement's parameter. Lists become arrays of PostgreSQL. */
export type SqlValue = Scalar | readonly Scalar[]

/** The parameters of a statement, by name. */
export type Parameters = Readonly<Record<string, SqlValue>>

const LAST = '9223372036854775807'
const FIRST = '-9223372036854775808'

/**
 * Numbers are times, counts and bounds, which PostgreSQL keeps in 64 bits; what is beyond them is the last or the
 * first.
 */
function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  if (value > Number.MAX_SAFE_INTEGER) return LAST
  return value < Number.MIN_SAFE_INTEGER ? FIRST : String(Math.floor(value))
}

const quoted = (text: string): string => {
  const escaped = text.includes('\\') ? text.replaceAll('\\', '\\\\') : text
  return `"${escaped.includes('"') ? escaped.replaceAll('"', '\\"') : escaped}"`
}

/** Returns a value as an element of a list. */
export function elementText(value: SqlValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return numberText(value)
  return quoted(typeof value === 'string' ? keptText(value) : arrayText(value.map(elementText)))
}

/** Returns a list of elements as PostgreSQL writes arrays. */
export const arrayText = (elements: readonly string[]): string => `{${elements.join(',')}}`

/** Returns a parameter as it is sent: a text, or null. To be made while the caller's argument is still what it was. */
export function boundText(value: SqlValue): string | null {
  if (value === null || typeof value === 'number') return value === null ? null : numberText(value)
  return typeof value === 'string' ? keptText(value) : arrayText(value.map(elementText))
}

/** Parsers of columns, by the number of their type. Columns of other types are returned as texts. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [20, Number],
  [23, Number],
  [1007, text => JSON.parse(`[${text.slice(1, -1)}]`)],
])

const asText = (text: string): unknown => text

/** The columns' types for the driver: this store's alone, whatever the host has set for its own queries. */
export const TYPES = {
  getTypeParser: (type: number): ((text: string) => unknown) => PARSERS.get(type) ?? asText,
}
