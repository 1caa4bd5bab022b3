import { PlatformError, refuseUnknown } from '@colloquy/core'
import { ENGLISH_PHRASES } from './english.ts'

/** The allowed shape of a phrase, in words, and its test. */
type Shape = readonly [allowed: string, fits: (value: unknown) => boolean]

const isText = (value: unknown): value is string => typeof value === 'string'
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const fieldOf = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)

const TEXT: Shape = ['a text', isText]
const TEXTS: Shape = ['a list of texts', areTexts]
const SHAPES: Readonly<Record<string, Shape>> = {
  smallTalk: [
    'a list of objects with says and to, such as { says: "Hello!", to: ["hi"] }',
    value =>
      Array.isArray(value) &&
      value.every(one => isText(fieldOf(one, 'says')) && areTexts(fieldOf(one, 'to'))),
  ],
  aspects: [
    'a list of objects with lists of texts, asked and told',
    value =>
      Array.isArray(value) &&
      value.every(one => areTexts(fieldOf(one, 'asked')) && areTexts(fieldOf(one, 'told'))),
  ],
  choices: ['a list of lists of texts', value => Array.isArray(value) && value.every(areTexts)],
}

/**
 * Refuses phrases by language code that are none: a misspelt one would be ignored silently.
 *
 * @throws SCHEMA_VALIDATION_FAILED naming the phrase, and what is allowed (EM4)
 */
export function checkPhrases(book: unknown): void {
  const isBook = typeof book === 'object' && book !== null && !Array.isArray(book)
  if (!isBook)
    throw refusal('phrases must be an object of phrases by language code, such as { de: { yes: ["ja"] } }.')
  for (const [code, phrases] of Object.entries<unknown>(Object(book))) {
    refuseUnknown(`phrases.${code}`, phrases, Object.keys(ENGLISH_PHRASES), 'field')
    for (const [name, value] of Object.entries<unknown>(Object(phrases))) {
      const usual = isText(fieldOf(ENGLISH_PHRASES, name)) ? TEXT : TEXTS
      const [allowed, fits] = SHAPES[name] ?? usual
      if (!fits(value)) throw refusal(`phrases.${code}.${name} must be ${allowed}.`)
    }
  }
}

const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)
