import { describe, expect, test } from 'vitest'
import { type ConsentEvent, type ConsentState, consentRules, stepConsent } from '../src/domain/consent.ts'

const ALOUD = { question: 'May we?', words: ['Yes, please'], withdrawKeys: '*9' } as const
const off = consentRules(undefined, true)
const ask = consentRules({ mode: 'ask' }, true)
const announced = consentRules({ mode: 'announced' }, true)
const phone = consentRules({ mode: 'ask', ...ALOUD }, false)
const mutePhone = consentRules({ mode: 'ask', words: ['yes'] }, false)
const announcedPhone = consentRules({ mode: 'announced', ...ALOUD }, false)

const BEGIN: ConsentEvent = { type: 'begin' }
const YES: ConsentEvent = { type: 'button', consent: true }
const NO: ConsentEvent = { type: 'button', consent: false }
const FAILED: ConsentEvent = { type: 'failed' }
const says = (text: string): ConsentEvent => ({ type: 'words', text })
const presses = (digits: string): ConsentEvent => ({ type: 'keys', digits })

type Row = readonly [
  rules: typeof off,
  before: ConsentState,
  event: ConsentEvent,
  after: ConsentState,
  act: string | null,
  isAnswer?: true,
]

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  'VG120 nothing is recorded where recording is off, whatever comes': [
    ...[BEGIN, YES, NO, FAILED, says('yes please'), presses('1')].map(
      (event): Row => [off, 'none', event, 'none', null],
    ),
  ],
  'VG120 an announced recording begins with the call, with the consent that the host states': [
    [announced, 'none', BEGIN, 'given', 'host'],
    [announcedPhone, 'none', BEGIN, 'given', 'host'],
    [announced, 'given', NO, 'none', 'withdraw'],
  ],
  'VG121 on a screen the button alone consents, and withdraws': [
    [ask, 'none', BEGIN, 'asked', null],
    [ask, 'asked', says('yes please'), 'asked', null],
    [ask, 'asked', presses('1'), 'asked', null],
    [ask, 'asked', YES, 'given', 'button'],
    [ask, 'given', YES, 'given', null],
    [ask, 'given', presses('*9'), 'given', null],
    [ask, 'given', NO, 'none', 'withdraw'],
    [ask, 'asked', NO, 'none', 'withdraw'],
    [ask, 'none', NO, 'none', null],
    [ask, 'none', YES, 'given', 'button'],
  ],
  'VG122 aloud a key or a word consents, and anything else does not': [
    [phone, 'none', BEGIN, 'asked', null],
    [phone, 'asked', says('YES – please!'), 'given', 'words', true],
    [phone, 'asked', says('yes please record me'), 'none', null],
    [phone, 'asked', says('…'), 'none', null],
    [phone, 'asked', presses('1'), 'given', 'key', true],
    [phone, 'asked', presses('1#'), 'given', 'key', true],
    [phone, 'asked', presses('11'), 'none', null],
    [phone, 'none', says('yes please'), 'none', null],
    [phone, 'none', presses('1'), 'none', null],
    [phone, 'given', says('no'), 'given', null],
    [phone, 'given', presses('1'), 'given', null],
    [phone, 'given', presses('*9'), 'none', 'withdraw', true],
    [phone, 'stopped', presses('*9#'), 'none', 'withdraw', true],
    [announcedPhone, 'given', presses('*9'), 'none', 'withdraw', true],
    [phone, 'asked', YES, 'asked', null],
    [mutePhone, 'none', BEGIN, 'none', null],
    [mutePhone, 'none', says('yes'), 'none', null],
  ],
  'VG125 what was kept of a recording that has failed can be withdrawn': [
    [ask, 'given', FAILED, 'stopped', null],
    [ask, 'asked', FAILED, 'asked', null],
    [ask, 'stopped', NO, 'none', 'withdraw'],
    [ask, 'stopped', YES, 'given', 'button'],
  ],
}

describe('consent', () => {
  for (const [title, rows] of Object.entries(TABLES))
    test(title, () => {
      for (const [rules, before, event, state, act, isAnswer = false] of rows)
        expect([before, event, stepConsent(rules, before, event)]).toEqual([
          before,
          event,
          { state, act, isAnswer },
        ])
    })

  test.each([
    ['हाँ', 'हाँ!', ['है', 'हो', 'ही']],
    ['ใช่', 'ใช่ค่ะ', ['ใช้']],
    ['sí', 'SI\u0301.', ['si']],
  ])('VG122 %s is met by itself, and by no other word', (word, said, others) => {
    const { aloud } = consentRules({ mode: 'ask', question: '?', words: [word, 'ใช่ค่ะ'] }, false)
    expect([said, ...others].map(text => aloud?.isYes(text))).toEqual([true, ...others.map(() => false)])
  })

  test('VG120 an option that does not fit is refused in words, before there is a call', () => {
    const refused: readonly (readonly [object, string])[] = [
      [{ mode: 'on' }, 'It must be ask or announced.'],
      [{ mode: 'ask', question: ' ' }, 'recording.question must be words'],
      [{ mode: 'ask', question: 'x'.repeat(1_001) }, 'at most 1000 characters'],
      [{ mode: 'ask', words: ['yes', '?!'] }, 'recording.words must be at most 100 texts with words.'],
      [{ mode: 'ask', keys: '1#' }, 'must be different, 1 to 16 of 0 to 9 and *.'],
      [{ mode: 'ask', withdrawKeys: '1' }, 'must be different'],
    ]
    for (const [options, words] of refused)
      expect(() => Reflect.apply(consentRules, null, [options, true])).toThrow(words)
  })
})
