import { utf8Bytes } from '../../domain/utf8-bytes.ts'
import type { TextResult } from '../route.ts'

/** Returns the JSON of an array, an element at a time. */
function* arrayTexts(elements: readonly unknown[]): Generator<string> {
  yield '['
  for (const [index, element] of elements.entries())
    yield `${index === 0 ? '' : ','}${JSON.stringify(element)}`
  yield ']'
}

const textsOf = (value: unknown): Iterable<string> =>
  Array.isArray(value) ? arrayTexts(value) : [JSON.stringify(value)]

/** Returns the JSON of an object, its arrays an element at a time. */
function* objectTexts(object: object): Generator<string> {
  yield '{'
  for (const [index, [name, value]] of Object.entries(object).entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(name)}:`
    yield* textsOf(value)
  }
  yield '}'
}

/** Joins texts, as long as they have no more bytes together. */
function* joined(texts: Iterable<string>, bytes: number): Generator<string, undefined> {
  let chunk = ''
  let length = 0
  for (const text of texts) {
    const added = utf8Bytes(text)
    if (chunk !== '' && length + added > bytes) {
      yield chunk
      chunk = ''
      length = 0
    }
    chunk += text
    length += added
  }
  yield chunk
}

/**
 * Returns an array, or an object with arrays in its fields, as JSON. It is one text of at most `bytes` bytes, or else
 * chunks of at most `bytes` each, made when the one before has left. A longer element is a chunk of its own (RC44). Its
 * fields and elements are JSON values.
 */
export function listAnswer(list: object, bytes: number): TextResult {
  const chunks = joined(Array.isArray(list) ? arrayTexts(list) : objectTexts(list), bytes)
  const first = chunks.next().value ?? ''
  const second = chunks.next().value
  if (second === undefined) return { status: 200, text: first }
  async function* all(begun: readonly string[]): AsyncGenerator<string> {
    yield* begun
    yield* chunks
  }
  return { status: 200, chunks: all([first, second]) }
}
