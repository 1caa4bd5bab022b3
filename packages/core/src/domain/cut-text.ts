/** Returns the index itself, or the one before it where a cut there would split a surrogate pair. */
export const cutPlace = (text: string, at: number): number => {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
  const splits = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
  return splits ? at - 1 : at
}

/** At most `length` UTF-16 units of a text, from its start. No character is cut in half. */
export const startOf = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, cutPlace(text, Math.max(length, 0)))

/** As {@link startOf}, but a text that was cut ends with an ellipsis, which is within `length`. */
export const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${startOf(text, length - 1)}…`

/** Returns the text without halves of surrogate pairs: no encoding can carry one, and providers refuse the request. */
export const wellFormedText = (text: string): string => (text.isWellFormed() ? text : text.toWellFormed())

/**
 * Returns a value of plain data whose texts are well-formed, keys too. What is well-formed already is the same object.
 */
export function wellFormed<Value>(value: Value): Value
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return wellFormedText(value)
  if (Array.isArray(value))
    return value.every(isWellFormed) ? value : value.map(one => wellFormed<unknown>(one))
  if (!isPlain(value) || isWellFormed(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [wellFormedText(key), wellFormed<unknown>(one)]),
  )
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (Array.isArray(value)) return value.every(isWellFormed)
  return (
    !isPlain(value) || Object.entries(value).every(([key, one]) => key.isWellFormed() && isWellFormed(one))
  )
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
