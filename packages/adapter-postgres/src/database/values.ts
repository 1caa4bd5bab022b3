import { givenText, keptText } from './texts.ts'

/** What one parameter of a statement may be. */
type Scalar = string | number | boolean | Uint8Array | null

/** What a statement may be given: lists become arrays of PostgreSQL. */
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

const bytesText = (bytes: Uint8Array): string =>
  `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`

function scalarText(value: Exclude<Scalar, null>): string {
  if (typeof value === 'string') return keptText(value)
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'boolean') return value ? 't' : 'f'
  return bytesText(value)
}

const quoted = (text: string): string => {
  const escaped = text.includes('\\') ? text.replaceAll('\\', '\\\\') : text
  return `"${escaped.replaceAll('"', '\\"')}"`
}

function elementText(value: Scalar): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string' || value instanceof Uint8Array) return quoted(scalarText(value))
  return scalarText(value)
}

/** A list as PostgreSQL writes arrays. */
const arrayText = (values: readonly Scalar[]): string => `{${values.map(elementText).join(',')}}`

const isList = (value: SqlValue): value is readonly Scalar[] => Array.isArray(value)

/** A parameter as it is sent: a text, or null. To be made while the caller's argument is still what it was. */
export function boundText(value: SqlValue): string | null {
  if (value === null) return null
  return isList(value) ? arrayText(value) : scalarText(value)
}

/** Elements of an array of texts as PostgreSQL writes it. */
function arrayOfTexts(text: string): readonly (string | null)[] {
  const values: (string | null)[] = []
  for (const [, inQuotes, plain = ''] of text.matchAll(/"((?:[^"\\]|\\.)*)"|([^,{}"]+)/gs)) {
    if (inQuotes !== undefined) values.push(givenText(inQuotes.replace(/\\(.)/gs, '$1')))
    else values.push(plain === 'NULL' ? null : givenText(plain))
  }
  return values
}

const arrayOfNumbers = (text: string): readonly number[] =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)

/** How columns are read, by the number of their type; others come as texts. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, text => text === 't'],
  [17, text => Buffer.from(text.slice(2), 'hex')],
  [20, Number],
  [21, Number],
  [23, Number],
  [25, givenText],
  [1007, arrayOfNumbers],
  [1009, arrayOfTexts],
  [1016, arrayOfNumbers],
])

const asText = (text: string): unknown => text

/** The columns' types for the driver: this store's alone, whatever the host has set for its own queries. */
export const TYPES = {
  getTypeParser: (type: number): ((text: string) => unknown) => PARSERS.get(type) ?? asText,
}
