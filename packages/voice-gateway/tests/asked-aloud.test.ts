import { expect, test } from 'vitest'
import { consentRules } from '../src/domain/consent.ts'
import { createCallBench, rulesOf } from './support/call-bench.ts'

const QUESTION = 'May we record this call? Say yes or press one.'

/** A call over a telephone that is asked, with the agent's greeting behind the question. */
function asked() {
  const options = { mode: 'ask', question: QUESTION, words: ['yes'], withdrawKeys: '*9' } as const
  const bench = createCallBench({ ...rulesOf(), consent: consentRules(options, false) })
  bench.tell({ type: 'begin' })
  bench.reply('m1', 'Welcome to the hotel.', true)
  const acts = () => bench.actions.flatMap(action => (action.type === 'record' ? [action.act] : []))
  const spoken = () => bench.actions.flatMap(action => (action.type === 'speak' ? [action.piece.text] : []))
  const states = () => bench.frames().flatMap(frame => (frame.type === 'recording' ? [frame.state] : []))
  /** All that waits is spoken and heard. */
  const finish = (): void => {
    for (let round = 0; round < 8; round++) {
      bench.speak(2_000)
      bench.play(2_000)
    }
  }
  return { ...bench, bench, acts, finish, spoken, states }
}

test('VG122 the question is spoken first, and "yes" is the consent and no message', () => {
  const { acts, bench, finish, spoken, states } = asked()
  finish()
  expect(spoken()).toEqual([QUESTION, 'Welcome to the hotel.'])
  expect([states(), acts()]).toEqual([['asked'], []])
  bench.voice(400)
  bench.quiet(500)
  bench.words(1, 'Yes!')
  expect([states(), acts(), bench.said()]).toEqual([['asked', 'on'], ['words'], []])
})

test('VG122 a caller who says yes into the greeting hears the rest of it', () => {
  const { acts, bench, finish, spoken } = asked()
  bench.speak(2_000)
  bench.play(940)
  bench.speak(500)
  bench.play(100)
  bench.voice(400)
  bench.quiet(500)
  bench.words(1, 'yes')
  finish()
  expect(acts()).toEqual(['words'])
  expect(spoken().at(-1)).toBe('Welcome to the hotel.')
  expect(bench.said()).toEqual([])
})

test('VG122 anything else is no consent: it goes to the agent, the question is over and heard of no message', () => {
  const { acts, bench, states } = asked()
  bench.speak(400)
  bench.play(200)
  bench.voice(400)
  bench.quiet(500)
  bench.words(1, 'A room for two')
  expect([states(), acts()]).toEqual([['asked', 'off'], []])
  expect(bench.said().map(({ custom, text }) => [text, custom.voice_heard])).toEqual([
    ['A room for two', 'm1:0'],
  ])
  bench.voice(400)
  bench.quiet(500)
  bench.words(2, 'yes')
  expect([acts(), bench.said().length]).toEqual([[], 2])
})

test('VG122 the key consents, and the keys to withdraw end it at any time; the agent gets neither', () => {
  const { acts, bench, states } = asked()
  bench.tell({ type: 'dtmf', digits: '1', id: 'k1' })
  expect([states(), acts(), bench.said()]).toEqual([['asked', 'on'], ['key'], []])
  bench.tell({ type: 'dtmf', digits: '42', id: 'k2' })
  bench.tell({ type: 'dtmf', digits: '*9#', id: 'k3' })
  expect([states(), acts()]).toEqual([
    ['asked', 'on', 'off'],
    ['key', 'withdraw'],
  ])
  expect(bench.said().map(({ text }) => text)).toEqual(['42'])
})
