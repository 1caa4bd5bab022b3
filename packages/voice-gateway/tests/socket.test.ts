import { createServer } from 'node:http'
import { createPlatform, systemClock } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createHesitant, listenOn } from '@colloquy/test-support/messaging-host'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import type { AgentRuntime } from '../../core/src/runtime.ts'
import { UP_RATE } from '../src/audio/pcm.ts'
import { attachVoice } from '../src/index.ts'
import { silenceOf, tonesOf } from '../src/testing/index.ts'
import { startVoiceHost } from './support/voice-host.ts'

/** An agent that answers at once, in pieces. */
const parrot: AgentRuntime = {
  async *respond({ input }) {
    if (input.type === 'greeting') yield { type: 'text', text: 'Welcome.' }
    if (input.type !== 'message') return
    if (input.text === 'person please') yield { type: 'handoff', destination: 'reception', reason: 'asked' }
    yield { type: 'text', text: `You said ${input.text}. ` }
    yield { type: 'text', text: 'Dogs are ' }
    yield { type: 'text', text: 'welcome too.' }
  },
}

/** The events of a session that are kept, as a text client sees them. */
async function textLog(url: string) {
  const socket = new WebSocket(url)
  const first = await new Promise<string>((resolve, reject) => {
    socket.once('message', data => resolve(String(data)))
    socket.once('error', reject)
  })
  socket.close()
  const { payload } = JSON.parse(first)
  return payload.events as readonly {
    readonly type: string
    readonly payload: { readonly text?: string; readonly is_complete?: boolean }
    readonly metadata?: { readonly custom?: Readonly<Record<string, string>> }
  }[]
}

const messagesOf = async (url: string) =>
  (await textLog(url)).filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE')

test('VG1 and VG4 a spoken conversation is one of the messaging session, and its replies are spoken', async () => {
  const host = await startVoiceHost({ runtime: parrot })
  const { client: open, textUrl } = await host.visitor()
  const client = open()
  expect(await client.connect()).toBeNull()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  client.say('May I bring my dog')
  await client.until(() => client.heardText().endsWith('welcome too.'))
  expect(client.heardText()).toBe('Welcome.You said May I bring my dog.Dogs are welcome too.')
  const [message] = await messagesOf(textUrl)
  expect(message?.payload.text).toBe('May I bring my dog')
  expect(message?.metadata?.custom).toMatchObject({ voice: client.call })
  // A sentence is spoken as soon as it is certain.
  expect(host.speaker.spoken.map(({ text }) => text)).toEqual([
    'Welcome.',
    'You said May I bring my dog.',
    'Dogs are welcome too.',
  ])
  client.send({ type: 'voice.stop' })
  await client.until(() => client.closed !== null)
  expect(client.closed).toEqual({ code: 1000, reason: 'call over' })
  expect(host.errors).toEqual([])
})

test('VG4 what was complete before a call is not read out, and a text client of the session goes on', async () => {
  const host = await startVoiceHost({ runtime: parrot })
  const { client: open, textUrl } = await host.visitor()
  const text = new WebSocket(textUrl)
  const texts: string[] = []
  const greeted = new Promise<void>(resolve =>
    text.on('message', data => {
      texts.push(String(data))
      if (String(data).includes('Welcome.')) resolve()
    }),
  )
  await new Promise(resolve => text.once('open', resolve))
  text.send('{"type":"EVENT_TYPE_REQUEST_AI_AGENT_JOIN","payload":{}}')
  await greeted
  const client = open()
  await client.connect()
  await client.start()
  client.say('Hello there')
  await client.until(() => client.heardText().endsWith('welcome too.'))
  expect(client.heardText()).not.toContain('Welcome.')
  expect(texts.some(frame => frame.includes('Hello there'))).toBe(true)
  text.close()
})

test('VG13 a call that was lost goes on: nothing is lost, and nothing is said or heard twice', async () => {
  const hesitant = createHesitant()
  const host = await startVoiceHost({ runtime: hesitant.runtime })
  const { client: open, textUrl } = await host.visitor()
  const client = open()
  hesitant.allow(4)
  await client.connect()
  await client.start()
  await client.until(() => client.heardText().endsWith('welcome.'))
  const greeting = client.heardText()
  client.holdPlayer()
  hesitant.allow(2)
  // The socket is lost in the middle of a sentence of the visitor.
  client.sound(tonesOf('May I bring', UP_RATE))
  await client.until(() => client.frames.some(({ type }) => type === 'speech.started'))
  client.kill()
  client.sound(tonesOf(' my dog', UP_RATE))
  client.sound(silenceOf(600, UP_RATE))
  await client.connect()
  await client.start()
  await hesitant.isAsked('May I bring my dog')
  // And in the middle of the reply.
  hesitant.allow(4)
  await client.until(() => client.pieces.some(({ text, ended }) => ended && text.startsWith('You said')))
  client.play(500)
  client.kill()
  await client.connect()
  await client.start()
  await client.until(() => client.pieces.at(-1)?.ended === true)
  client.play(Number.POSITIVE_INFINITY)
  const reply = 'You said May I bring my dog, and dogs are welcome.'
  expect(client.heardText()).toBe(`${greeting}${reply}`)
  expect((await messagesOf(textUrl)).map(({ payload }) => payload.text)).toEqual(['May I bring my dog'])
  expect(client.frames.filter(({ type }) => type === 'voice.started')).toMatchObject([
    { from_ms: 0 },
    { from_ms: 0 },
    { call: client.call },
  ])
})

test('VG6 a visitor who interrupts is understood, and the message says what was heard', async () => {
  const host = await startVoiceHost({ runtime: parrot })
  const { client: open, textUrl } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  client.holdPlayer()
  client.say('May I bring my dog')
  await client.until(() => client.pieces.some(({ text, ended }) => ended && text.startsWith('Dogs')))
  client.play(400)
  client.say('no wait it is only a small cat')
  await client.until(() => client.transcripts().length === 2)
  await client.until(() => client.pieces.at(-1)?.ended === true)
  const [, message] = await messagesOf(textUrl)
  expect(message?.metadata?.custom?.voice_heard).toMatch(/^[0-9a-f-]{36}:20$/)
  expect('You said May I bring my dog.'.slice(0, 20)).toBe('You said May I bring')
})

test.each(['fails', 'fails at once', 'answers nonsense'] as const)(
  'VG20 a transcriber that %s costs one utterance, not the call',
  async fault => {
    // It is known at once, and nobody waits for the deadline.
    const host = await startVoiceHost({ runtime: parrot, voice: { transcriptionDeadline: 600_000 } })
    const { client: open, textUrl } = await host.visitor()
    const client = open()
    await client.connect()
    await client.start()
    await client.until(() => client.heardText() === 'Welcome.')
    host.transcriber.script(fault)
    client.say('May I bring my dog')
    await client.until(() => client.frames.some(frame => frame.type === 'speech.ended'))
    client.say('Hello there again')
    await client.until(() => client.transcripts().length === 1)
    expect((await messagesOf(textUrl)).map(({ payload }) => payload.text)).toEqual(['Hello there again'])
    // Its words stay in the host's log.
    expect(JSON.stringify(client.frames)).not.toContain('sk-secret')
  },
)

test.each(['hangs', 'does not take audio'] as const)(
  'VG20 a transcriber that %s is called off at its deadline',
  async fault => {
    const host = await startVoiceHost({ runtime: parrot, voice: { transcriptionDeadline: 300 } })
    const { client: open } = await host.visitor()
    const client = open()
    await client.connect()
    await client.start()
    host.transcriber.script(fault)
    await client.until(() => client.heardText() === 'Welcome.')
    client.say('May I bring my dog')
    await client.until(() => client.errors().includes('TRANSCRIPTION_FAILED'))
    client.say('Hello there again')
    await client.until(() => client.transcripts().length === 1)
    expect(host.transcriber.unfinished).toBe(0)
  },
)

test.each([
  ['answers twice', 'May I bring my dog'],
  ['answers out of order', 'May I bring my dog'],
  ['answers after the end', 'May I bring my dog late words'],
] as const)('VG20 a transcriber that %s says each part once, in order', async (fault, words) => {
  const host = await startVoiceHost({ runtime: parrot })
  const { client: open, textUrl } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  host.transcriber.script(fault)
  client.say('May I bring my dog')
  await client.until(() => client.transcripts().length === 1)
  client.say('Hello there again')
  await client.until(() => client.transcripts().length === 2)
  expect((await messagesOf(textUrl)).map(({ payload }) => payload.text)).toEqual([words, 'Hello there again'])
})

test('VG20 a transcriber may end the turn before the silence does', async () => {
  const host = await startVoiceHost({ runtime: parrot })
  const { client: open } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  host.transcriber.script('ends the turn')
  client.sound(tonesOf('That is all.', UP_RATE))
  await client.until(() => client.transcripts().length === 1)
  expect(client.transcripts()).toEqual(['That is all.'])
})

test.each(['fails', 'fails in the middle', 'speaks nonsense'] as const)(
  'VG21 a speaker that %s leaves the reply as text, and the next one is spoken',
  async fault => {
    const host = await startVoiceHost({ runtime: parrot })
    const { client: open } = await host.visitor()
    const client = open()
    await client.connect()
    await client.start()
    await client.until(() => client.heardText() === 'Welcome.')
    host.speaker.script(fault)
    client.say('May I bring my dog')
    await client.until(() => client.heardText().endsWith('Dogs are welcome too.'))
    expect(client.errors()).toEqual(['SPEECH_FAILED'])
    const failed = client.frames.find(frame => frame.type === 'audio.end' && frame.failed === true)
    expect(failed).toBeDefined()
    expect(client.frames).toContainEqual(
      expect.objectContaining({ type: 'audio.begin', text: 'You said May I bring my dog. ' }),
    )
  },
)

test('VG21 a speaker that hangs is called off at its deadline, and one that never ends at the longest sentence', async () => {
  const host = await startVoiceHost({
    runtime: parrot,
    voice: { speechDeadline: 300, longestSentence: 2_000 },
  })
  const { client: open } = await host.visitor()
  const client = open()
  await client.connect()
  host.speaker.script('hangs', 'never ends')
  await client.start()
  await client.until(() => client.errors().includes('SPEECH_FAILED'))
  client.say('May I bring my dog')
  await client.until(() => client.heardText().endsWith('Dogs are welcome too.'))
  const ends = client.frames.flatMap(frame => (frame.type === 'audio.end' ? [frame.duration_ms] : []))
  expect(ends[1]).toBe(2_000)
  expect(host.speaker.unfinished).toBe(0)
})

test('VG21 audio is sent no further ahead than may be, until it was played', async () => {
  const host = await startVoiceHost({ runtime: parrot, voice: { ahead: 500 } })
  const { client: open } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  client.holdPlayer()
  client.say('May I bring my dog')
  await client.until(() => client.pieces.some(({ text }) => text.startsWith('You said')))
  const waiting = () => client.pieces.reduce((sum, { sound }) => sum + sound.length / 48, 0)
  await client.until(() => waiting() >= 500)
  // One chunk of the speaker, 100 ms, may be on its way.
  expect(waiting()).toBeLessThanOrEqual(700)
  while (!client.heardText().endsWith('too.')) {
    client.play(200)
    await new Promise(resolve => setImmediate(resolve))
  }
})

test('VG14 a frame that does not fit is refused with what is allowed, and the call goes on', async () => {
  const host = await startVoiceHost({ runtime: parrot })
  const { client: open } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  const bad: readonly (string | Uint8Array)[] = [
    'not json',
    '{"type":"unknown"}',
    '{"type":"mark","id":7}',
    '{"type":"dtmf","digits":"abc","id":"x"}',
    '{"type":"audio.from","at_ms":-1}',
    '{"type":"voice.start","rate":16000}',
    new Uint8Array(33),
    new Uint8Array(32_032),
  ]
  for (const frame of bad) client.raw(frame)
  await client.until(() => client.errors().length === bad.length)
  expect(new Set(client.errors())).toEqual(new Set(['INVALID_MESSAGE']))
  await client.until(() => client.heardText() === 'Welcome.')
  client.say('Hello there')
  await client.until(() => client.transcripts().length === 1)
})

test('VG14 a client that does not begin with voice.start is closed', async () => {
  const host = await startVoiceHost({ runtime: parrot })
  const { client: open } = await host.visitor()
  for (const first of ['{"type":"interrupt"}', '{"type":"voice.start","rate":44100}', '{}']) {
    const client = open()
    await client.connect()
    client.raw(first)
    await client.until(() => client.closed !== null)
    expect(client.closed?.code).toBe(1008)
    expect(client.errors()).toEqual(['INVALID_MESSAGE'])
  }
})

test('VG14 a frame that is too large closes the socket', async () => {
  const host = await startVoiceHost({ runtime: parrot })
  const { client: open } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  client.raw(new Uint8Array(32_800))
  await client.until(() => client.closed !== null)
  expect(client.closed?.code).toBe(1009)
})

test('VG14 a flood of frames closes the socket', async () => {
  const host = await startVoiceHost({ runtime: parrot })
  const { client: open } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  for (let count = 0; count < 500; count++) client.send({ type: 'mark', id: 'x', played_ms: 1 })
  await client.until(() => client.closed !== null)
  expect(client.closed?.code).toBe(1008)
})

test('VG9 what comes after the end of a call changes nothing', async () => {
  const host = await startVoiceHost({ runtime: parrot })
  const { client: open, textUrl } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  client.say('Hello there')
  await client.until(() => client.heardText().endsWith('welcome too.'))
  client.send({ type: 'voice.stop' })
  client.say('May I bring my dog')
  for (const frame of [
    { type: 'dtmf', digits: '1', id: 'late' },
    { type: 'voice.stop' },
    { type: 'mark', id: 'x', played_ms: 1 },
    { type: 'voice.start', rate: UP_RATE },
    { type: 'nothing that is known' },
  ])
    client.send(frame)
  await client.until(() => client.closed !== null)
  expect([client.closed?.code, client.errors()]).toEqual([1000, []])
  expect((await messagesOf(textUrl)).map(({ payload }) => payload.text)).toEqual(['Hello there'])
  expect([host.transcriber.opened.length, host.transcriber.unfinished, host.errors]).toEqual([1, 0, []])
})

test('VG10 a flood of audio ends the call, and what was understood before it stays', async () => {
  // No time goes by, however slow the machine is.
  const clock = { ...systemClock, monotonic: () => 0 }
  const host = await startVoiceHost({ runtime: parrot, voice: { clock } })
  const { client: open, textUrl } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  client.say('Hello there')
  await client.until(() => client.heardText().endsWith('welcome too.'))
  client.sound(silenceOf(70_000, UP_RATE))
  await client.until(() => client.closed !== null)
  expect([client.closed?.code, client.errors()]).toEqual([1008, ['TOO_FAST']])
  expect((await messagesOf(textUrl)).map(({ payload }) => payload.text)).toEqual(['Hello there'])
})

test('VG20 a transcriber that takes nothing of a flood costs that utterance, and what comes after it is understood', async () => {
  const host = await startVoiceHost({ runtime: parrot, voice: { transcriptionDeadline: 300 } })
  const { client: open, textUrl } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  host.transcriber.script('does not take audio')
  // More than may wait for a transcriber.
  client.say('May I bring my dog '.repeat(60))
  client.say('Hello there again')
  await client.until(() => client.transcripts().length === 1)
  expect(client.errors()).toEqual(['TRANSCRIPTION_FAILED'])
  expect((await messagesOf(textUrl)).map(({ payload }) => payload.text)).toEqual(['Hello there again'])
  expect(host.transcriber.unfinished).toBe(0)
})

test('VG22 the language of a call is that of its start, and then of each turn of the session', async () => {
  const host = await startVoiceHost({
    runtime: {
      async *respond({ input }) {
        if (input.type === 'message') yield { type: 'language', languageCode: 'de-DE' }
        yield { type: 'text', text: input.type === 'message' ? 'Hunde sind willkommen.' : 'Welcome.' }
      },
    },
  })
  const { client: open } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start({ language: 'en-GB' })
  await client.until(() => client.heardText() === 'Welcome.')
  client.say('May I bring my dog')
  await client.until(() => client.heardText().endsWith('willkommen.'))
  client.say('Darf er in den Garten')
  await client.until(() => client.transcripts().length === 2)
  expect(host.transcriber.opened.map(({ language }) => language)).toEqual(['en-GB', 'de-DE'])
  expect(host.speaker.spoken.slice(0, 2).map(({ language }) => language)).toEqual(['en-GB', 'de-DE'])
})

test('VG15 the newest call of a session wins', async () => {
  const host = await startVoiceHost({ runtime: parrot })
  const { client: open } = await host.visitor()
  const [one, other] = [open(), open()]
  await one.connect()
  await one.start()
  await other.connect()
  await other.start()
  await one.until(() => one.closed !== null)
  expect(one.errors()).toEqual(['REPLACED'])
  expect(one.closed?.code).toBe(1000)
  other.say('Hello there')
  await other.until(() => other.transcripts().length === 1)
})

test('VG15 a call needs the token of its session, and there are no more than may be', async () => {
  const host = await startVoiceHost({ runtime: parrot, voice: { maxCalls: 1 } })
  const [visitor, stranger] = [await host.visitor(), await host.visitor()]
  const client = visitor.client()
  expect(await client.connect()).toBeNull()
  expect(await stranger.client().connect()).toBe(429)
  client.kill()
  const next = stranger.client()
  await expect.poll(() => next.connect()).toBeNull()
  next.kill()
  const mixed = await host.visitor()
  const url = new URL(mixed.textUrl)
  url.pathname = '/voice'
  url.searchParams.set('session_id', visitor.sessionId)
  const { createVoiceClient } = await import('./support/voice-client.ts')
  await expect.poll(() => createVoiceClient(url.href).connect()).toBe(401)
})

test('VG15 the visitors of one account leave a call for those of another', async () => {
  const host = await startVoiceHost({ runtime: parrot, voice: { maxCalls: 2 } })
  const [one, other, stranger] = [await host.visitor(), await host.visitor(), await host.neighbour()]
  expect(await one.client().connect()).toBeNull()
  expect(await other.client().connect()).toBe(429)
  expect(await stranger.client().connect()).toBeNull()
  expect(await (await host.neighbour('third')).client().connect()).toBe(429)
})

test('VG17 a live agent reads what was said, and their words are spoken', async () => {
  const host = await startVoiceHost({ runtime: parrot })
  const { client: open, sessionId } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  client.say('person please')
  const { desk } = host.platform
  const waiting = () => desk.handoffs(host.accountId, 'waiting')
  await expect.poll(async () => (await waiting()).length).toBe(1)
  const [handoff] = await waiting()
  if (handoff === undefined) throw new Error('Nobody waits.')
  expect(handoff.sessionId).toBe(sessionId)
  await desk.accept(host.accountId, handoff.handoffId, { id: 'ada', name: 'Ada', avatarUrl: '' })
  await desk.send(host.accountId, handoff.handoffId, { text: 'Good day. This is Ada.', messageId: 'ada:1' })
  await client.until(() => client.heardText().endsWith('This is Ada.'))
  expect(client.frames).toContainEqual(expect.objectContaining({ type: 'audio.begin', by: 'live_agent' }))
  client.say('Thank you Ada')
  await client.until(() => client.transcripts().length === 2)
})

test('VG9 the call ends with its session, once its last words were heard', async () => {
  const runtime: AgentRuntime = {
    async *respond({ input }) {
      yield { type: 'text', text: input.type === 'message' ? 'Good bye.' : 'Welcome.' }
      if (input.type === 'message') yield { type: 'end' }
    },
  }
  const host = await startVoiceHost({ runtime })
  const { client: open } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  client.say('That is all')
  await client.until(() => client.closed !== null)
  expect(client.heardText()).toBe('Welcome.Good bye.')
  expect(client.frames.at(-1)).toEqual({ type: 'voice.stopped', reason: 'SESSION_ENDED' })
})

test('VG12 the host is told the latencies of each spoken turn', async () => {
  const turns: object[] = []
  const host = await startVoiceHost({
    runtime: parrot,
    voice: { onTurn: (turn, of) => turns.push({ ...turn, ...of }) },
  })
  const { client: open, sessionId } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  client.say('May I bring my dog')
  await client.until(() => client.heardText().endsWith('welcome too.'))
  expect(turns).toEqual([
    {
      ...{ sessionId, call: client.call, endpoint_ms: 500 },
      ...{
        stt_ms: expect.any(Number),
        first_text_ms: expect.any(Number),
        first_audio_ms: expect.any(Number),
      },
    },
  ])
})

test('VG13 a call goes on at another server of the same store', async () => {
  const store = createMemoryStore()
  const host = await startVoiceHost({ runtime: parrot, platform: { store } })
  const { client: open, textUrl } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  client.say('Hello there')
  await client.until(() => client.heardText().endsWith('welcome too.'))
  client.sound(tonesOf('May I bring', UP_RATE))
  await client.until(() => client.frames.filter(({ type }) => type === 'speech.started').length === 2)
  const platform = createPlatform({ store, runtime: parrot, chunkFlush: 0 })
  const server = createServer()
  const { speaker, transcriber } = host
  const calls = attachVoice(server, platform, { speaker, transcriber })
  const port = await listenOn(server)
  onTestFinished(async () => {
    await calls.close()
    server.close()
    await platform.close()
  })
  client.kill()
  await host.calls.close()
  client.sound(tonesOf(' my dog', UP_RATE))
  client.sound(silenceOf(600, UP_RATE))
  client.moveTo(port)
  await client.connect()
  await client.start()
  await client.until(() => client.heardText().endsWith('You said May I bring my dog.Dogs are welcome too.'))
  expect(client.heardText().match(/Hello there/g)).toHaveLength(1)
  expect((await messagesOf(textUrl)).map(({ payload }) => payload.text)).toEqual([
    'Hello there',
    'May I bring my dog',
  ])
})
