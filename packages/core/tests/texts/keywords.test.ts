import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keywordOf } from '../../src/domain/text/text-pair.ts'

const WORDS = {
  STOP: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  START: ['START', 'UNSTOP', 'YES'],
  HELP: ['HELP', 'INFO'],
} as const

const word = fc.constantFrom(
  ...Object.entries(WORDS).flatMap(([keyword, words]) => words.map(said => ({ keyword, said }))),
)
/** What is neither a letter nor a digit. */
const beside = fc.string({
  unit: fc.constantFrom(' ', '\n', '\t', '\u00a0', '\u200b', '.', '!', '-', '"', '’', '¿', '🛑'),
  maxLength: 5,
})

/** The word in any case, with blanks and marks before, behind and within it. */
const spelled = word.chain(({ keyword, said }) =>
  fc
    .tuple(
      ...[...said].map(letter =>
        fc.tuple(beside, fc.constantFrom(letter, letter.toLowerCase(), letter.normalize('NFKC'))),
      ),
      beside.map(end => [end, ''] as const),
    )
    .map(parts => ({ keyword, text: parts.flat().join('') })),
)

test('TX31 property: a word of the list is its keyword in any spelling', () => {
  fc.assert(
    fc.property(spelled, ({ keyword, text }) => {
      expect(keywordOf(text, { optedOut: true })).toBe(keyword)
    }),
    { numRuns: runs(200, 2_000) },
  )
})

test('TX31 property: a letter or a digit more makes it another text, of whatever script', () => {
  const known: ReadonlySet<string> = new Set(Object.values(WORDS).flat())
  const more = fc.constantFrom('x', 'Ж', '語', '7', 'ß')
  fc.assert(
    fc.property(word, more, beside, ({ said }, letter, between) => {
      fc.pre(!known.has(said + letter.toUpperCase()))
      for (const text of [`${said}${between}${letter}`, `${letter}${between}${said}`])
        expect(keywordOf(text, { optedOut: true })).toBeNull()
    }),
    { numRuns: runs(100, 1_000) },
  )
})

test('TX31 10,000 characters are looked at in one go', () => {
  expect(keywordOf(`stop${' '.repeat(9_996)}`)).toBe('STOP')
  expect(keywordOf('\u{fdfa}'.repeat(10_000))).toBeNull()
})
