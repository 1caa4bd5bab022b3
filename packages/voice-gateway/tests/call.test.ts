import { expect, test } from 'vitest'
import { phaseOf } from '../src/domain/call-state.ts'
import { createCallBench, rulesOf } from './support/call-bench.ts'

const LONG = 'We have rooms from Monday on. Breakfast is from seven to ten. Dogs are welcome too.'

/** A call in which the agent speaks, and has been heard for a time. */
function speaking(heardMs: number) {
  const bench = createCallBench()
  bench.reply('m1', LONG, true)
  for (let at = 0; at < 2_000; at += 100) bench.speak(100)
  bench.play(heardMs)
  return bench
}

test('VG1 the end of an utterance becomes a message of the session, with the position of its audio', () => {
  const bench = createCallBench()
  bench.voice(800)
  expect(phaseOf(bench.state)).toBe('hearing')
  bench.quiet(500)
  expect(phaseOf(bench.state)).toBe('thinking')
  bench.words(1, 'May I bring my dog?')
  expect(bench.said()).toEqual([
    {
      type: 'say',
      text: 'May I bring my dog?',
      custom: { client_event_id: 'voice.0-call.1300', voice: '0-call', voice_latency: '500 0' },
    },
  ])
  expect(bench.frames().map(({ type }) => type)).toEqual(['speech.started', 'speech.ended', 'transcript'])
})

test('VG1 words that come twice are said once', () => {
  const bench = createCallBench()
  bench.voice(800)
  bench.quiet(500)
  bench.words(1, 'Hello')
  bench.words(1, 'Hello')
  bench.words(1, 'Hello again')
  expect(bench.said()).toHaveLength(1)
})

test('VG1 utterances are said in the order in which they were spoken, in whatever order they are understood', () => {
  const bench = createCallBench()
  for (let round = 0; round < 2; round++) {
    bench.voice(400)
    bench.quiet(500)
  }
  bench.words(2, 'second')
  expect(bench.said()).toEqual([])
  bench.words(1, 'first')
  expect(bench.said().map(({ text }) => text)).toEqual(['first', 'second'])
})

test('VG1 a client is told of its words once the session has them or has refused them, and before the call ends', () => {
  const bench = createCallBench()
  bench.holdWords()
  for (let id = 1; id <= 3; id++) {
    bench.voice(400)
    bench.quiet(500)
    bench.words(id, `words ${id}`)
  }
  const told = () =>
    bench.frames().flatMap(one => ('text' in one && one.type === 'transcript' ? [one.text] : []))
  expect([bench.said().length, told()]).toEqual([3, []])
  bench.tell({ type: 'taken', untilMs: 900 })
  expect([told(), bench.state.takenMs]).toEqual([['words 1'], 900])
  bench.tell({ type: 'refused', clientId: 'voice.0-call.1800', message: 'No.' })
  expect(bench.frames().slice(-2)).toMatchObject([
    { type: 'transcript', text: 'words 2', until_ms: 1_800 },
    { type: 'error', code: 'NOT_TAKEN' },
  ])
  // The answer to something else.
  bench.tell({ type: 'refused', clientId: 'voice.0-call.7', message: 'No.' })
  expect(told()).toEqual(['words 1', 'words 2'])
  bench.tell({ type: 'stop' })
  expect(bench.frames().slice(-2)).toMatchObject([
    { type: 'transcript', text: 'words 3' },
    { type: 'voice.stopped', reason: 'CLIENT' },
  ])
})

test('VG2 clicks are not heard', () => {
  const bench = createCallBench()
  bench.voice(80)
  bench.quiet(1_000)
  expect(bench.actions).toEqual([])
})

test('VG2 an utterance ends at its longest, and the voice goes on as the next one', () => {
  const bench = createCallBench()
  for (let at = 0; at < 60_500; at += 500) {
    bench.voice(480)
    bench.quiet(20)
  }
  bench.quiet(480)
  bench.words(1, 'one')
  bench.words(2, 'two')
  expect(bench.said().map(({ custom }) => custom.client_event_id)).toEqual([
    'voice.0-call.60000',
    'voice.0-call.60980',
  ])
})

test('VG3 an utterance without words is said to be over, and nothing is said', () => {
  const bench = createCallBench()
  bench.voice(400)
  bench.quiet(500)
  bench.words(1, ' ')
  expect(bench.frames().at(-1)).toEqual({ type: 'speech.ended', at_ms: 900, taken: false })
  expect(bench.said()).toEqual([])
})

test('VG3 words that do not come in time are an error, and the call goes on', () => {
  const bench = createCallBench()
  bench.voice(400)
  bench.quiet(500)
  bench.wait(10_000)
  expect(bench.frames().at(-1)).toMatchObject({ type: 'error', code: 'TRANSCRIPTION_FAILED' })
  expect(bench.actions).toContainEqual({ type: 'drop', id: 1 })
  bench.voice(400)
  bench.quiet(500)
  bench.words(2, 'Hello')
  bench.words(1, 'late')
  expect(bench.said().map(({ text }) => text)).toEqual(['Hello'])
})

test('VG5 a voice of 300 milliseconds stops the agent, a shorter one does not', () => {
  const short = speaking(500)
  short.voice(280)
  short.quiet(500)
  expect(short.frames().map(({ type }) => type)).not.toContain('clear')
  expect(short.frames().at(-1)).toMatchObject({ type: 'speech.ended', taken: false })
  const long = speaking(500)
  long.voice(300)
  expect(long.frames().at(-1)).toEqual({ type: 'clear' })
})

test('VG5 fillers do not stop the agent', () => {
  const bench = speaking(500)
  bench.voice(200)
  bench.tell({ type: 'partial', id: 1, text: 'Uh-huh' })
  bench.voice(400)
  expect(bench.frames().map(({ type }) => type)).not.toContain('clear')
  bench.tell({ type: 'partial', id: 1, text: 'Uh-huh, but' })
  expect(bench.frames().at(-1)).toEqual({ type: 'clear' })
})

test('VG6 the message says what was heard of the reply that it cut, in whole words', () => {
  const bench = speaking(500)
  bench.voice(400)
  bench.quiet(500)
  bench.words(1, 'Only for Tuesday.')
  expect(LONG.slice(0, 25)).toBe('We have rooms from Monday')
  expect(bench.said()[0]?.custom.voice_heard).toBe('m1:25')
})

test('VG6 a client that does not answer is asked no longer than a second, and its newest mark counts', () => {
  const bench = speaking(500)
  bench.isDeafToClear()
  bench.play(300, false)
  bench.voice(400)
  bench.quiet(500)
  bench.words(1, 'Only for Tuesday.')
  bench.wait(250)
  expect(bench.said()).toEqual([])
  bench.wait(250)
  expect(bench.said()[0]?.custom.voice_heard).toBe('m1:25')
})

test('VG5 after noise the agent speaks on from where it was cut', () => {
  const bench = speaking(500)
  bench.voice(400)
  bench.quiet(500)
  bench.words(1, null)
  const speaks = bench.actions.filter(({ type }) => type === 'speak')
  expect(speaks.map(action => 'piece' in action && action.piece.fromMs)).toEqual([0, 0, 0, 500])
  expect(speaks.at(-1)).toMatchObject({ piece: { text: 'We have rooms from Monday on. ' } })
})

test('VG5 what was stopped with a button is not spoken again', () => {
  const bench = speaking(500)
  bench.tell({ type: 'interrupt' })
  expect(bench.frames().at(-1)).toEqual({ type: 'clear' })
  bench.voice(400)
  bench.quiet(500)
  bench.words(1, null)
  bench.wait(2_000)
  expect(bench.actions.filter(({ type }) => type === 'speak')).toHaveLength(3)
  bench.voice(400)
  bench.quiet(500)
  bench.words(2, 'Thank you.')
  expect(bench.said()[0]?.custom.voice_heard).toBe('m1:25')
})

test('VG8 keys are a message, and stop the agent', () => {
  const bench = speaking(500)
  bench.tell({ type: 'dtmf', digits: '42#', id: 'k1' })
  expect(bench.said()).toMatchObject([
    {
      text: '42#',
      custom: { client_event_id: 'voice.0-call.dtmf.k1', voice_kind: 'keys', voice_heard: 'm1:25' },
    },
  ])
})

test('VG9 a call ends once, and does nothing afterwards', () => {
  const bench = speaking(500)
  bench.tell({ type: 'stop' })
  expect(bench.frames().at(-1)).toEqual({ type: 'voice.stopped', reason: 'CLIENT' })
  const count = bench.actions.length
  bench.voice(1_000)
  bench.quiet(1_000)
  bench.reply('m2', 'More.', true)
  bench.tell({ type: 'mark', mark: { id: '', played_ms: 0 } })
  bench.wait(5_000)
  expect(bench.actions).toHaveLength(count)
})

test('VG9 what was being said when the visitor stopped the call still counts', () => {
  const bench = createCallBench()
  bench.voice(800)
  bench.tell({ type: 'stop' })
  bench.words(1, 'Good night.')
  expect(bench.said().map(({ text }) => text)).toEqual(['Good night.'])
  expect(bench.actions.at(-1)).toEqual({ type: 'close', reason: 'ended' })
})

test('VG9 a session that is over ends the call once its last words were heard', () => {
  const bench = createCallBench()
  bench.reply('m1', 'Good bye.', true)
  bench.tell({ type: 'session ended' })
  expect(phaseOf(bench.state)).toBe('speaking')
  bench.speak(1_000)
  bench.play(1_000)
  expect(bench.frames().at(-1)).toEqual({ type: 'voice.stopped', reason: 'SESSION_ENDED' })
})

test('VG10 a call ends when it is too long, and when nobody speaks', () => {
  const quiet = createCallBench()
  quiet.wait(120_000)
  expect(quiet.frames()).toEqual([{ type: 'voice.stopped', reason: 'SILENCE' }])
  const long = createCallBench()
  for (let minute = 0; minute < 60; minute++) {
    long.voice(400)
    long.quiet(59_600)
    long.words(minute + 1, 'Hello')
    long.wait(250)
  }
  expect(long.frames().at(-1)).toEqual({ type: 'voice.stopped', reason: 'TOO_LONG' })
})

test('VG10 audio that comes faster than it is spoken ends the call beyond a minute of it', () => {
  const bench = createCallBench()
  const samples = new Int16Array(320)
  for (let toMs = 20; toMs <= 60_020; toMs += 20) bench.tell({ type: 'window', samples, toMs })
  expect(bench.frames()).toEqual([])
  bench.tell({ type: 'window', samples, toMs: 60_040 })
  expect(bench.frames()).toMatchObject([{ type: 'error', code: 'TOO_FAST' }])
  expect(bench.actions.at(-1)).toEqual({ type: 'close', reason: 'flooding' })
})

test('VG10 a client that plays nothing while audio waits ends its call', () => {
  const bench = speaking(500)
  bench.wait(29_500)
  expect(phaseOf(bench.state)).toBe('speaking')
  bench.wait(500)
  expect(bench.frames().at(-1)).toMatchObject({ type: 'error', code: 'STALLED' })
  expect(bench.actions.at(-1)).toEqual({ type: 'close', reason: 'too_slow' })
})

test('VG9 what another socket of the call has said is dropped', () => {
  const bench = createCallBench()
  bench.voice(400)
  bench.quiet(500)
  bench.voice(400)
  bench.tell({ type: 'taken', untilMs: 900 })
  bench.quiet(500)
  bench.words(1, 'first')
  bench.words(2, 'second')
  expect(bench.said().map(({ text }) => text)).toEqual(['second'])
})

test('VG12 the latencies of a spoken turn are told with its first audio', () => {
  const bench = createCallBench()
  bench.voice(400)
  bench.quiet(500)
  bench.wait(200)
  bench.words(1, 'Hello')
  bench.wait(300)
  bench.reply('m1', 'Good day.', true)
  bench.wait(100)
  bench.speak(100)
  bench.speak(80)
  expect(bench.actions.filter(({ type }) => type === 'report')).toEqual([
    { type: 'report', turn: { endpoint_ms: 500, stt_ms: 200, first_text_ms: 300, first_audio_ms: 100 } },
  ])
})

/** A call whose agent asks after 8 seconds of silence, twice. */
const asking = () => createCallBench(rulesOf({ silentTurn: 8_000, silentTurns: 2 }))

const kinds = (bench: ReturnType<typeof createCallBench>) =>
  bench.said().map(({ custom }) => custom.voice_kind)

/** The agent says something, and is heard. */
function answers(bench: ReturnType<typeof createCallBench>, messageId: string) {
  bench.reply(messageId, 'Hello?', true)
  bench.speak(1_000)
  bench.play(1_000)
}

test('VG103 the visitor who says nothing makes silent turns, and after some in a row the call ends', () => {
  const bench = asking()
  answers(bench, 'm1')
  bench.wait(7_750)
  expect(kinds(bench)).toEqual([])
  bench.wait(250)
  expect(kinds(bench)).toEqual(['silence'])
  // The agent thinks.
  bench.wait(20_000)
  expect(kinds(bench)).toEqual(['silence'])
  answers(bench, 'm2')
  bench.wait(8_000)
  expect(kinds(bench)).toEqual(['silence', 'silence'])
  expect(new Set(bench.said().map(({ custom }) => custom.client_event_id)).size).toBe(2)
  answers(bench, 'm3')
  bench.wait(7_750)
  expect(bench.state.isOver).toBe(false)
  bench.wait(250)
  expect(bench.frames().at(-1)).toEqual({ type: 'voice.stopped', reason: 'SILENCE' })
})

test('VG103 a visitor who speaks begins anew', () => {
  const bench = asking()
  for (let round = 1; round <= 4; round++) {
    answers(bench, `a${round}`)
    bench.wait(8_000)
    answers(bench, `b${round}`)
    bench.voice(400)
    bench.quiet(500)
    bench.words(round, 'I am here')
  }
  expect(kinds(bench).filter(kind => kind === 'silence')).toHaveLength(4)
  expect(bench.state.isOver).toBe(false)
})

test.each([
  ['without the option', createCallBench, true, false],
  ['while a live agent is there', asking, false, false],
  ['while the microphone is off', asking, true, true],
])('VG103 silence is no turn %s', (_, open, isAttended, isMuted) => {
  const bench = open()
  answers(bench, 'm1')
  if (isMuted) bench.tell({ type: 'mute', muted: true })
  bench.wait(60_000, isAttended)
  expect(bench.said()).toEqual([])
  expect(bench.state.isOver).toBe(false)
})

test('VG103 silence before the agent has been heard to its end is no turn', () => {
  const bench = asking()
  bench.reply('m1', 'We have rooms. ', false)
  bench.speak(1_000)
  bench.play(1_000)
  bench.wait(20_000)
  expect(bench.said()).toEqual([])
})

test('VG105 a call that leaves for a number says nothing more for the visitor, and ends once the words were heard', () => {
  const bench = speaking(500)
  bench.tell({ type: 'leaves', destination: '+493012345678' })
  bench.voice(800)
  bench.quiet(600)
  expect(bench.state.isOver).toBe(false)
  for (let at = 0; at < 5_000; at += 100) {
    bench.speak(100)
    bench.play(100)
  }
  expect(bench.said()).toEqual([])
  expect(bench.frames().at(-1)).toEqual({
    ...{ type: 'voice.stopped', reason: 'TRANSFERRED', destination: '+493012345678' },
  })
})
