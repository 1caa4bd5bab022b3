import fc from 'fast-check'
import { expect, it } from 'vitest'
import { holdWords, turnWords, wordsOf } from '../../src/domain/conversation/turn-words.ts'

it.each([
  ['Ein Zimmer für ZWEI, bitte!', ['ein', 'zimmer', 'fur', 'zwei', 'bitte']],
  ['naïve Café e\u0301te Ñandú', ['naive', 'cafe', 'ete', 'nandu']],
  ["it's room-service", ['it', 's', 'room', 'service']],
  ['ﬁne Ⅷ １２', ['fine', 'viii', '12']],
  ['e-mail, X‑ray room-service', ['email', 'xray', 'room', 'service']],
  ['東京のx', ['東', '京', 'の', 'x']],
  ['हिन्दी', ['हिन्दी']],
  ['ขอทราบที่จอดรถ', ['ขอ', 'ทราบ', 'ที่', 'จอด', 'รถ']],
  ['สระว่ายน้ำ', ['สระ', 'ว่าย', 'น้ำ']],
  ['ຊື່ນ້ຳ', ['ຊື່', 'ນ້ຳ']],
  ['مَرْحَبًا مرحبا', ['مرحبا']],
  ['Früh\u00adstück Straße ΟΔΟΣ', ['fruhstuck', 'strasse', 'οδοσ']],
  ['a A á', ['a']],
  ['x'.repeat(70), ['x'.repeat(64), 'x'.repeat(6)]],
  [' \u0000!?… ', []],
  ['', []],
])('RC40 words are runs of letters and digits, without case and accents, each once: %s', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

it('RC40 words hold letters, marks and digits alone, and are the words of themselves', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200, size: 'max' }), text => {
      for (const word of wordsOf(text)) {
        expect(word).toMatch(/^[\p{L}\p{M}\p{N}]{1,64}$/u)
        expect(wordsOf(word)).toEqual([word])
      }
    }),
  )
})

it('RC40 the words of each character are the words of themselves', () => {
  const unstable: string[] = []
  for (let code = 0; code < 0x11_00_00; code++)
    for (const word of wordsOf(String.fromCodePoint(code)))
      if (wordsOf(word).join() !== word) unstable.push(word)
  expect(unstable).toEqual([])
  expect(wordsOf('GROẞ Groß')).toEqual(['gross'])
})

it('RC40 a turn’s words are those of its input and of its response', () => {
  const turn = { record: { user_input: 'Two beds', agent_response: 'Certainly two' }, details: {} }
  expect(turnWords(turn)).toEqual({
    user: ['two', 'beds', 'bed'],
    agent: ['certainly', 'two', 'cer', 'cert', 'certa', 'certai', 'certain', 'certainl'],
  })
  expect(turnWords({ record: {} })).toEqual({ user: [], agent: [] })
  const hold = (speaker: 'user' | 'agent' | 'either') =>
    holdWords([turn], { words: ['beds', 'certainly'], speaker })
  expect([hold('user'), hold('agent'), hold('either')]).toEqual([false, false, true])
})

it('RC40 a turn is found by words with hyphens as one, and by parts of compounds in its language', () => {
  const wordsIn = (text: string, language: string) =>
    turnWords({ record: { user_input: text }, details: { language } }).user
  expect(wordsIn('room-service', 'en').slice(0, 3)).toEqual(['room', 'service', 'roomservice'])
  expect(wordsIn('Frühstücke', 'de-AT').slice(0, 7)).toEqual([
    ...['fruhstucke', 'fruh', 'stucke', 'fruhs', 'tucke', 'fruhst', 'ucke'],
  ])
  expect(wordsIn('Frühstücke', 'en')).not.toContain('stucke')
  expect(wordsIn('Zimmer 12345678', 'de')).not.toContain('5678')
  expect(wordsIn('a'.repeat(41), 'de')).not.toContain('a'.repeat(37))
  expect(turnWords({ record: { user_input: 'Haustiere' } }).user).not.toContain('tiere')
})

it('RC41 a turn is found by the beginnings of its words, from 3 characters on, and by no half of a character', () => {
  const found = (text: string, query: string) =>
    holdWords([{ record: { user_input: text, agent_response: '' }, details: {} }], {
      words: wordsOf(query),
      speaker: 'user',
    })
  for (const query of ['kündig', 'KUN', 'kündigun', 'Kündigung'])
    expect(found('Meine Kündigung', query)).toBe(true)
  for (const query of ['kü', 'digung', 'kündigungs']) expect(found('Meine Kündigung', query)).toBe(false)
  expect([found('заявление', 'заяв'), found('2026-1187', '118'), found('東京', '京')]).toEqual([
    true,
    true,
    true,
  ])
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), text => {
      for (const word of turnWords({ record: { user_input: text } }).user) {
        expect(word.isWellFormed()).toBe(true)
        expect(word.length).toBeLessThanOrEqual(64)
      }
    }),
  )
})

it('RC40 a text in ASCII has the words that it has among others', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 200, size: 'max' }), text => {
      expect([...wordsOf(text), '東']).toEqual(wordsOf(`${text} 東`))
    }),
  )
})

it('RC40 of a message whose letters fold to many no more is looked at than of a long one', () => {
  const longest = 131_072
  const wordsOfMessage = (text: string) => turnWords({ record: { user_input: text } }).user
  expect(wordsOfMessage(`${' '.repeat(longest - 5)}early late`)).toEqual(['early', 'ear', 'earl'])
  // One letter that folds to eighteen, in four words.
  const words = wordsOfMessage(`${'\ufdfa '.repeat(longest / 16)}late`)
  expect(words).toContain('صلي')
  expect(words).not.toContain('late')
})
