import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { type Clock, createPlatform, type Files, type PlatformOptions, systemClock } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { listenOn } from '@colloquy/test-support/messaging-host'
import { createSignal } from '@colloquy/test-support/signal'
import { expect, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { levelOf } from '../../src/audio/pcm.ts'
import type { Transcriber, Voice } from '../../src/index.ts'
import { createScriptedSpeaker } from '../../src/testing/index.ts'
import type { TwilioVoiceOptions } from '../../src/twilio/index.ts'
import { toMuLaw } from '../../src/twilio/mu-law.ts'
import { answerPhone } from '../guide-phone.ts'
import { answerTwilio } from '../guide-twilio.ts'
import { answerWith, TOKEN, URL_OF_STREAM } from './phone-calls.ts'

/** A transcriber that understands one thing, and knows how loud it was. */
function createDictation(words: string) {
  let loudest = 0
  const transcriber: Transcriber = {
    open() {
      let end = (): void => {}
      const ended = new Promise<void>(resolve => {
        end = resolve
      })
      return {
        write(frame) {
          const samples = new Int16Array(frame.slice().buffer)
          loudest = Math.max(loudest, levelOf(samples))
        },
        events: (async function* () {
          await ended
          yield { type: 'final' as const, text: words, segment: 0 }
        })(),
        end,
      }
    },
  }
  return { transcriber, loudest: () => loudest }
}

/** An agent that greets, and repeats what it was told. */
export const parrot: AgentRuntime = {
  async *respond({ input }) {
    yield {
      type: 'text',
      text: input.type === 'message' ? `You said ${input.text}. And that was all of it.` : 'Welcome.',
    }
  },
}

/** Callers who want a person wait for one. */
export const TO_THE_DESK = { mode: 'server', queueName: 'reception', timeoutSeconds: 300 } as const

/** A platform on a real server that Twilio connects calls to, and an agent that is live. */
export async function startPhoneHost(
  words: string,
  {
    runtime = parrot,
    keep,
    recording,
    platform: platformOptions = {},
    handoff = { mode: 'client' },
    voice: given = {},
    ...more
  }: {
    readonly runtime?: AgentRuntime
    readonly keep?: Files
    readonly platform?: Partial<PlatformOptions>
    /** @default to the caller's side */
    readonly handoff?: { readonly mode: 'client' } | typeof TO_THE_DESK
    /** Parts in place of the dictation and the scripted speaker. */
    readonly voice?: Partial<Voice> & Pick<TwilioVoiceOptions, 'clock'>
  } & Pick<
    TwilioVoiceOptions,
    'transfer' | 'recording' | 'maxReturns' | 'longestCall' | 'maxCalls' | 'pingInterval'
  > = {},
) {
  const dictation = createDictation(words)
  const errors: unknown[] = []
  let ahead = 0
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + ahead,
    monotonic: () => systemClock.monotonic() + ahead,
  }
  const store = createMemoryStore()
  const platform = createPlatform({
    ...{
      store,
      runtime,
      clock,
      chunkFlush: 0,
      // Pauses of TwiML take no time here: calls come back faster than any real one.
      rateLimits: { accessToken: null },
      onError: (error: unknown) => errors.push(error),
    },
    ...(keep === undefined ? {} : { recordings: { keep } }),
    ...platformOptions,
  })
  const { access, agents } = platform
  const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const { id: agentId } = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
  await agents.publish(agentId, { environment: 'live' })
  const { connector, token } = await access.createConnector({
    ...{ accountId, agentId, environment: 'live', hosts: ['phone.example'] },
    handoff,
  })
  let handle: (request: Request) => Promise<Response> = async () => new Response(null, { status: 503 })
  const server = createServer(
    (incoming, outgoing) => void answerWith(request => handle(request), incoming, outgoing),
  )
  const voice = {
    ...{ transcriber: dictation.transcriber, speaker: createScriptedSpeaker(), clock },
    ...(recording === undefined ? {} : { recording }),
    ...given,
  }
  const account = { connectorToken: token, authToken: ['old-token', TOKEN], ...more }
  const calls = answerPhone(server, platform, voice, account)
  handle = answerTwilio(platform, calls, ['old-token', TOKEN])
  const port = await listenOn(server)
  onTestFinished(async () => {
    await calls.close()
    server.close()
    await platform.close()
  })
  /** The one conversation, as its record shows it. */
  async function recorded() {
    const { records } = await platform.reading.records(
      { accountId, agentId, environment: 'live' },
      { offset: 0 },
      9,
    )
    const [record] = records
    if (record === undefined) return null
    return platform.reading.transcript(accountId, agentId, record.id, { turns: 0, sequence: 0 })
  }
  /** The recordings of the one conversation. */
  async function recordings() {
    const id = JSON.parse((await recorded())?.record.summary.text ?? '{}').id ?? ''
    return platform.reading.recordings(accountId, agentId, id)
  }
  /** The newest mark that the one conversation keeps. */
  async function kept() {
    const id = JSON.parse((await recorded())?.record.summary.text ?? '{}').id ?? ''
    return (await store.conversations.load(id))?.state.heard ?? null
  }
  /** Lets time go by. */
  const pass = (ms: number): void => {
    ahead += ms
  }
  return {
    ...{
      recorded,
      recordings,
      kept,
      pass,
      dictation,
      errors,
      port,
      platform,
      accountId,
      agentId,
      connector,
      token,
    },
  }
}

/** Twilio's side of a call. Its player plays when it is told to, and returns marks as Twilio does. */
export async function dial(
  port: number,
  signature = createHmac('sha1', TOKEN).update(URL_OF_STREAM).digest('base64'),
  signal = createSignal(),
) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/twilio/voice`, {
    headers: { 'x-twilio-signature': signature },
  })
  let closed: number | null = null
  const queue: ({ readonly sound: Uint8Array } | { readonly mark: string })[] = []
  let clears = 0
  let played = 0
  let isAtMark = false
  const heard: Uint8Array[] = []
  const status = await new Promise<number | null>((resolve, reject) => {
    socket.on('open', () => resolve(null))
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    socket.on('error', reject)
  })
  const send = (message: object): void => socket.send(JSON.stringify(message))
  const returnMark = (name: string): void => {
    isAtMark = true
    send({ event: 'mark', streamSid: 'MZ1', mark: { name } })
  }
  socket.on('message', data => {
    const message = JSON.parse(String(data))
    expect(message.streamSid).toBe('MZ1')
    if (message.event === 'media') queue.push({ sound: Buffer.from(message.media.payload, 'base64') })
    if (message.event === 'mark') queue.push({ mark: message.mark.name })
    if (message.event === 'clear') {
      clears++
      // Twilio returns what waits, as if it had been played.
      for (const one of queue.splice(0)) if ('mark' in one) returnMark(one.mark)
    }
    signal.changed()
  })
  socket.on('close', code => {
    closed = code
    signal.changed()
  })
  function play(ms: number, mostMarks = Number.MAX_SAFE_INTEGER): void {
    let [left, marks] = [ms * 8, mostMarks]
    while (left > 0 && marks > 0 && queue.length > 0) {
      const [next] = queue
      if (next === undefined) break
      if ('mark' in next) {
        returnMark(next.mark)
        marks--
      } else {
        const part = next.sound.subarray(0, left)
        played += part.length / 8
        isAtMark = false
        heard.push(part)
        left -= part.length
        if (part.length < next.sound.length) {
          queue[0] = { sound: next.sound.subarray(part.length) }
          break
        }
      }
      queue.shift()
    }
  }
  return {
    status,
    send,
    queue,
    clears: () => clears,
    closed: () => closed,
    played: () => played,
    /** The newest thing that was played is a mark. */
    isAtMark: () => isAtMark,
    /** What the caller has heard. */
    heard: (): Uint8Array => Buffer.concat(heard),
    /** Loses the stream without a word. */
    lose: () => socket.terminate(),
    until: (holds: () => boolean) => signal.until(holds),
    begin(started: object = {}) {
      send({ event: 'connected', protocol: 'Call', version: '1.0.0' })
      const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 }
      send({
        event: 'start',
        sequenceNumber: '1',
        streamSid: 'MZ1',
        start: { streamSid: 'MZ1', callSid: 'CA1', mediaFormat, ...started },
      })
    },
    /** Sound at 8,000 Hz, in messages of 20 milliseconds. */
    samples(all: Int16Array) {
      for (let at = 0; at < all.length; at += 160)
        send({
          event: 'media',
          streamSid: 'MZ1',
          media: {
            track: 'inbound',
            payload: Buffer.from(toMuLaw(all.subarray(at, at + 160))).toString('base64'),
          },
        })
    },
    /** A voice, or silence at level 0. */
    sound(ms: number, level: number) {
      for (let at = 0; at < ms; at += 20) {
        const samples = Int16Array.from({ length: 160 }, (_, index) =>
          Math.max(-32_768, Math.min(32_767, level * Math.sin((index * 2 * Math.PI * 400) / 8_000))),
        )
        send({
          event: 'media',
          streamSid: 'MZ1',
          media: { track: 'inbound', payload: Buffer.from(toMuLaw(samples)).toString('base64') },
        })
      }
    },
    /** Plays some milliseconds, and returns the marks on the way. */
    play,
    /** Plays up to the next mark, and returns it. */
    playToMark: () => play(Number.MAX_SAFE_INTEGER, 1),
    /** Returns the marks in front of the sound that waits. */
    playMarks() {
      for (let [next] = queue; next !== undefined && 'mark' in next; [next] = queue) {
        returnMark(next.mark)
        queue.shift()
      }
    },
    hangUp: () => send({ event: 'stop', streamSid: 'MZ1' }),
  }
}

/** The sound that waits in Twilio's player. */
export const soundOf = (queue: Awaited<ReturnType<typeof dial>>['queue']): Uint8Array =>
  Buffer.concat(queue.flatMap(one => ('sound' in one ? [one.sound] : [])))
