const encoder = new TextEncoder()

/** Most texts are ASCII, and need no copy to be measured. */
const NOT_ASCII = /[^\0-\x7f]/

/** Returns the number of bytes that a text has as UTF-8. */
export const utf8Bytes = (text: string): number =>
  NOT_ASCII.test(text) ? encoder.encode(text).length : text.length

/**
 * Returns the number of UTF-8 bytes of a value's JSON. It counts without making that text, which is made for the log
 * anyway.
 */
export function jsonBytes(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return textBytes(value)
    case 'number':
      return Number.isFinite(value) ? String(value).length : 4
    case 'boolean':
      return value ? 4 : 5
    case 'object':
      if (value === null) return 4
      return Array.isArray(value) ? arrayBytes(value) : objectBytes(value)
    default:
      // JSON writes null for values that it cannot leave out.
      return 4
  }
}

/** Brackets, and a comma between two values. */
function arrayBytes(values: readonly unknown[]): number {
  let bytes = values.length === 0 ? 2 : values.length + 1
  for (const value of values) bytes += jsonBytes(value)
  return bytes
}

/** Braces, and for each field its name, a colon, and a comma between two of them. */
function objectBytes(fields: object): number {
  let bytes = 1
  let count = 0
  for (const name of Object.keys(fields)) {
    const value: unknown = Reflect.get(fields, name)
    if (value === undefined) continue
    count++
    bytes += textBytes(name) + jsonBytes(value) + 2
  }
  return count === 0 ? 2 : bytes
}

/** JSON has a short escape for these, below the space; others there are six bytes long. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d])

/** Returns a string of JSON with its quotes. */
function textBytes(text: string): number {
  let bytes = text.length + 2
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) {
      if (unit === 0x22 || unit === 0x5c) bytes++
      else if (unit < 0x20) bytes += SHORT_ESCAPES.has(unit) ? 1 : 5
    } else if (unit < 0x800) bytes++
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 2
    else if (unit < 0xdc00 && isLowSurrogate(text.charCodeAt(index + 1))) {
      bytes += 2
      index++
    } else bytes += 5
  }
  return bytes
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
