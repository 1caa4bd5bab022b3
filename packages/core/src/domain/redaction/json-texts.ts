import { isJsonArray, isJsonObject, type Json } from '../json.ts'

/** Numbers with fewer digits are no card and no number of an account. */
const LEAST_DIGITS = 6

/**
 * Returns JSON with other texts in it. Names of fields stay. A number of six digits or more is read as its text, and
 * becomes a text if that changes.
 */
export function withTexts(value: Json, textOf: (text: string) => string): Json {
  if (typeof value === 'string') return value === '' ? value : textOf(value)
  if (typeof value === 'number') {
    const written = String(value)
    if (written.replace(/\D/g, '').length < LEAST_DIGITS) return value
    const text = textOf(written)
    return text === written ? value : text
  }
  if (isJsonArray(value)) return value.map(item => withTexts(item, textOf))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withTexts(item, textOf)]))
}

/** Returns the texts that {@link withTexts} replaces, each once. */
export function textsIn(value: Json): readonly string[] {
  const texts = new Set<string>()
  withTexts(value, text => {
    texts.add(text)
    return text
  })
  return [...texts]
}
