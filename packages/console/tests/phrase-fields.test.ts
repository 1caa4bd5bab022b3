import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  incompleteLines,
  isPhrases,
  PHRASE_NAMES,
  phraseFieldsOf,
  phrasesText,
  withPhraseFields,
} from '../page/views/agents/phrase-fields.ts'

const word = fc.stringMatching(/^[a-zäöü你好]{1,8}( [a-z]{1,5})?$/u)
const phrases = fc
  .record(
    {
      unknown: word,
      clarify: word,
      smallTalk: fc.array(fc.record({ to: fc.array(word, { minLength: 1, maxLength: 3 }), says: word }), {
        minLength: 1,
        maxLength: 3,
      }),
    },
    { requiredKeys: [] },
  )
  .filter(one => Object.keys(one).length > 0)
const all = fc.dictionary(fc.constantFrom('de', 'en', 'de-AT'), phrases)

test('what the form shows is what is saved, and other languages stay as they are', () => {
  fc.assert(
    fc.property(all, all, (before, after) => {
      const now = withPhraseFields(before, 'de', phraseFieldsOf(after, 'de'))
      expect(now.de).toEqual(after.de)
      expect({ ...now, de: null }).toEqual({ ...before, de: null })
      expect(withPhraseFields(before, 'de', {})).toEqual(before)
    }),
  )
})

test('lines of small talk take signs of any script; incomplete ones are named and left out', () => {
  const smallTalk =
    '你好，您好：您好！\nhi, good day: Hello: you!\nهلا، مرحبا: أهلا\nhello\n: nothing\nbye:\n\n'
  expect(incompleteLines(smallTalk)).toEqual(['hello', ': nothing', 'bye:'])
  expect(withPhraseFields({}, 'zh', { smallTalk, unknown: '  ' })).toEqual({
    zh: {
      smallTalk: [
        { to: ['你好', '您好'], says: '您好！' },
        { to: ['hi', 'good day'], says: 'Hello: you!' },
        { to: ['هلا', 'مرحبا'], says: 'أهلا' },
      ],
    },
  })
  // Signs within a message stay as long as nobody edits it.
  const odd = { de: { smallTalk: [{ to: ['na: du, da'], says: 'Ja?' }] } }
  expect(withPhraseFields(odd, 'de', { unknown: 'Wie?' }).de).toEqual({ ...odd.de, unknown: 'Wie?' })
})

test('phrases are told from other values, and shown in words', () => {
  expect([
    isPhrases({ de: { unknown: 'Wie?' } }),
    isPhrases({ a: 'b' }),
    isPhrases([]),
    isPhrases({}),
  ]).toEqual([true, false, false, false])
  expect(PHRASE_NAMES).toHaveLength(15)
  expect(phrasesText({ de: { unknown: 'Wie?', smallTalk: [{ to: ['hi'], says: 'Moin' }] } })).toBe(
    'German\nNo topic fits: Wie?\nSmall talk: hi: Moin',
  )
})
