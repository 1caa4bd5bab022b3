import type { Telemetry } from '@colloquy/core'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { AgentRuntime } from '../../core/src/runtime.ts'
import type { SpokenTurn } from '../src/index.ts'
import { startVoiceHost } from './support/voice-host.ts'

const runtime: AgentRuntime = {
  async *respond({ input }) {
    yield {
      type: 'text',
      text: input.type === 'message' ? 'Dogs are very welcome here. They cost ten.' : 'Welcome.',
    }
  },
}

const MEASURED = { endpoint_ms: expect.any(Number), stt_ms: expect.any(Number) }
const REPLIED = {
  to: expect.stringMatching(/^voice\./),
  first_text_ms: expect.any(Number),
  first_audio_ms: expect.any(Number),
}

test('VG17 the record shows which messages were spoken, and what was heard of a reply that was cut', async () => {
  const host = await startVoiceHost({ runtime })
  const { client: open, sessionId } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  client.holdPlayer()
  client.say('May I bring my dog')
  await client.until(() => client.pieces.some(({ ended, text }) => ended && text.startsWith('Dogs')))
  client.play(300)
  client.say('and how much is it for a cat')
  await client.until(() => client.transcripts().length === 2)
  await client.until(() => client.pieces.at(-1)?.ended === true)
  await host.platform.idle()
  const { accountId, agentId } = host
  const { lines, turns } = await host.platform.reading.transcript(accountId, agentId, sessionId, {
    turns: 0,
    sequence: 0,
  })
  expect(lines.map(({ from, heard, spoken, text }) => ({ from, text, heard, spoken }))).toEqual([
    { from: 'ai_agent', text: 'Welcome.', heard: undefined, spoken: undefined },
    { from: 'visitor', text: 'May I bring my dog', heard: undefined, spoken: true },
    {
      from: 'ai_agent',
      text: 'Dogs are very welcome here. They cost ten.',
      heard: 'Dogs are very ',
      spoken: undefined,
    },
    { from: 'visitor', text: 'and how much is it for a cat', heard: undefined, spoken: true },
    {
      from: 'ai_agent',
      text: 'Dogs are very welcome here. They cost ten.',
      heard: undefined,
      spoken: undefined,
    },
  ])
  const details = turns.map(turn => JSON.parse(turn.details.text))
  expect(details.map(({ voice }) => voice)).toEqual([
    undefined,
    { call: client.call, heard: {}, latency: MEASURED },
    {
      call: client.call,
      heard: { [Object.keys(details[2].voice.heard)[0] ?? '']: 14 },
      latency: MEASURED,
      reply: REPLIED,
    },
  ])
})

test('VG100 and VG12 a turn has the latencies of its utterance, the next message those of its reply, and figures have both', async () => {
  const turns: SpokenTurn[] = []
  const figures: (readonly [unknown, number])[] = []
  const telemetry: Telemetry = {
    measure(metric, value, { part }) {
      if (metric === 'colloquy.voice.latency') figures.push([part, value])
    },
  }
  const voice = { onTurn: (turn: SpokenTurn) => turns.push(turn) }
  const host = await startVoiceHost({ runtime, voice, platform: { telemetry } })
  const events: SpokenTurn[] = []
  host.platform.on('turn.spoken', event => events.push(event))
  const { client: open, sessionId } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  client.say('May I bring my dog')
  await client.until(() => client.heardText().endsWith('They cost ten.'))
  client.say('thank you')
  await client.until(() => client.transcripts().length === 2)
  await host.platform.idle()
  const { accountId, agentId } = host
  const { lines } = await host.platform.reading.transcript(accountId, agentId, sessionId, {
    turns: 0,
    sequence: 0,
  })
  const [first, second] = lines.flatMap(({ voice }) => (voice === undefined ? [] : [voice]))
  const [turn] = turns
  expect(first).toEqual({
    id: expect.any(String),
    call: client.call,
    heard: {},
    latency: { endpoint_ms: turn?.endpoint_ms, stt_ms: turn?.stt_ms },
  })
  expect(second?.reply).toEqual({
    ...{ to: first?.id, first_text_ms: turn?.first_text_ms, first_audio_ms: turn?.first_audio_ms },
  })
  expect(events[0]).toMatchObject({ ...turns[0], agentId, environment: 'live' })
  expect(figures.slice(0, 4)).toEqual([
    ['endpoint', turn?.endpoint_ms],
    ['stt', turn?.stt_ms],
    ['first_text', turn?.first_text_ms],
    ['first_audio', turn?.first_audio_ms],
  ])
})

test('VG103 silence is a turn that the agent answers, and the record says so', async () => {
  const spoken: string[] = []
  const listens: AgentRuntime = {
    async *respond({ input }) {
      spoken.push(input.type === 'message' ? `[${input.text.trim()}]` : input.type)
      yield { type: 'text', text: input.type === 'message' ? 'Are you there?' : 'Welcome.' }
    },
  }
  const host = await startVoiceHost({ runtime: listens, voice: { silentTurn: 300, silentTurns: 2 } })
  const { client: open, sessionId } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.closed !== null)
  expect(client.frames.at(-1)).toEqual({ type: 'voice.stopped', reason: 'SILENCE' })
  await host.platform.idle()
  expect(spoken).toEqual(['greeting', '[]', '[]'])
  const { accountId, agentId } = host
  const { record, turns } = await host.platform.reading.transcript(accountId, agentId, sessionId, {
    turns: 0,
    sequence: 0,
  })
  expect(JSON.parse(record.summary.text).num_silences).toBe(2)
  expect(turns.map(turn => JSON.parse(turn.record.text).is_silence)).toEqual([false, true, true])
})

test('VG8 keys are in the record as such', async () => {
  const host = await startVoiceHost({ runtime })
  const { client: open, sessionId } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  client.send({ type: 'dtmf', digits: '42#', id: 'k1' })
  await client.until(() => client.heardText().endsWith('They cost ten.'))
  await host.platform.idle()
  const { accountId, agentId } = host
  const { turns } = await host.platform.reading.transcript(accountId, agentId, sessionId, {
    turns: 0,
    sequence: 0,
  })
  expect(JSON.parse(turns[1]?.record.text ?? '')).toMatchObject({ user_input: '42#', user_input_dtmf: '42#' })
})

test('VG1 a client of the text cannot say that its messages were spoken', async () => {
  const host = await startVoiceHost({ runtime })
  const { sessionId, textUrl } = await host.visitor()
  const socket = new WebSocket(textUrl)
  await new Promise(resolve => socket.on('open', resolve))
  const said = new Promise<Record<string, string>>(resolve =>
    socket.on('message', data => {
      const { metadata, type } = JSON.parse(String(data))
      if (type.endsWith('USER_MESSAGE')) resolve(metadata.custom)
    }),
  )
  socket.send(JSON.stringify({ type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} }))
  const custom = {
    client_event_id: 'mine',
    tone: 'kind',
    voice: 'call',
    voice_kind: 'silence',
    voice_heard: 'm:1',
  }
  socket.send(
    JSON.stringify({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'hello' }, metadata: { custom } }),
  )
  expect(await said).toEqual({ client_event_id: 'mine', tone: 'kind' })
  socket.close()
  await host.platform.idle()
  const { accountId, agentId } = host
  const { lines } = await host.platform.reading.transcript(accountId, agentId, sessionId, {
    turns: 0,
    sequence: 0,
  })
  expect(lines.find(({ from }) => from === 'visitor')).not.toHaveProperty('voice')
})

test('VG105 a call that the agent hands over to a number ends once its last words were heard, and names it', async () => {
  const leaves: AgentRuntime = {
    async *respond({ input }) {
      yield { type: 'text', text: input.type === 'message' ? 'I put you through.' : 'Welcome.' }
      if (input.type === 'message')
        yield { type: 'handoff', destination: '+493012345678', reason: 'wants a person' }
    },
  }
  const host = await startVoiceHost({ runtime: leaves, handoff: { mode: 'client' } })
  const { client: open, sessionId } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  client.say('the reception please')
  await client.until(() => client.closed !== null)
  expect(client.heardText()).toMatch(/I put you through\.$/)
  expect(client.frames.at(-1)).toEqual({
    ...{ type: 'voice.stopped', reason: 'TRANSFERRED', destination: '+493012345678' },
  })
  await host.platform.idle()
  const { accountId, agentId } = host
  const { record } = await host.platform.reading.transcript(accountId, agentId, sessionId, {
    turns: 0,
    sequence: 0,
  })
  expect(JSON.parse(record.summary.text)).toMatchObject({
    ...{ handoff: true, handoff_destination: '+493012345678', handoff_reason: 'wants a person' },
  })
})

test('VG103 silence after the agent has handed over is not told to a live agent', async () => {
  const hands: AgentRuntime = {
    async *respond({ input }) {
      yield { type: 'text', text: 'One moment.' }
      if (input.type === 'message') yield { type: 'handoff', destination: '', reason: 'wants a person' }
    },
  }
  const host = await startVoiceHost({ runtime: hands })
  const { platform } = host
  const { accessToken, sessionId } = await host.visitor()
  const handshake = await platform.messaging.handshake({ sessionId, accessToken, cursor: null })
  if ('status' in handshake) throw new Error(handshake.message)
  const frames: string[] = []
  const call = handshake.openCall({
    send: frame => frames.push(frame),
    close: () => {},
    drained: async () => {},
  })
  const say = async (text: string, custom: object): Promise<void> => {
    const metadata = { custom: { voice: 'call', ...custom } }
    call.receive(JSON.stringify({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text }, metadata }))
    await call.settled()
    await platform.idle()
  }
  call.receive(JSON.stringify({ type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} }))
  await say('a person please', {})
  await say('…', { voice_kind: 'silence' })
  call.closed()
  const { accountId, agentId } = host
  const { lines } = await platform.reading.transcript(accountId, agentId, sessionId, {
    turns: 0,
    sequence: 0,
  })
  expect(lines.filter(({ from }) => from === 'visitor').map(({ text }) => text)).toEqual(['a person please'])
  expect(frames.at(-1)).toContain('SYSTEM_MESSAGE')
})
