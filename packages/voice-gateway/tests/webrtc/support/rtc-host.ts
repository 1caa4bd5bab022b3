import { createServer } from 'node:http'
import { type Clock, createPlatform, type Platform, type PlatformOptions, systemClock } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { listenOn } from '@colloquy/test-support/messaging-host'
import { attachMessaging } from '@colloquy/ws-transport'
import { onTestFinished } from 'vitest'
import { levelOf, samplesOf } from '../../../src/audio/pcm.ts'
import type { Speaker, Transcriber, VoicePlatform } from '../../../src/index.ts'
import { attachWebrtc, type WebrtcOptions } from '../../../src/webrtc/index.ts'
import { createRtcClient, type RtcClientOptions } from './rtc-client.ts'

/** A transcriber that understands the next of these texts, and knows what it was given. */
export function createDictation(texts: readonly string[]) {
  const heard: { ms: number; loudest: number }[] = []
  const transcriber: Transcriber = {
    open() {
      const one = { ms: 0, loudest: 0 }
      const text = texts[heard.push(one) - 1] ?? 'something'
      let end = (): void => {}
      const ended = new Promise<void>(resolve => {
        end = resolve
      })
      return {
        write(frame) {
          one.ms += frame.byteLength / 32
          one.loudest = Math.max(one.loudest, levelOf(samplesOf(frame)))
        },
        events: (async function* () {
          await ended
          yield { type: 'final' as const, text, segment: 0 }
        })(),
        end,
      }
    },
  }
  return { transcriber, heard }
}

/** A speaker that hums, 20 milliseconds for each character. */
export const humming: Speaker = {
  async *speak(text, { rate }) {
    const samples = Int16Array.from({ length: (text.length * rate) / 50 }, (_, at) =>
      Math.round(Math.sin((2 * Math.PI * 220 * at) / rate) * 8_000),
    )
    const bytes = new Uint8Array(samples.buffer)
    for (let at = 0; at < bytes.length; at += 9_600) yield bytes.subarray(at, at + 9_600)
  },
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

/** Options of a host whose visitors call over WebRTC. */
export interface RtcHostOptions {
  readonly texts?: readonly string[]
  readonly runtime?: PlatformOptions['runtime']
  readonly platform?: Partial<PlatformOptions>
  readonly voice?: Partial<WebrtcOptions>
  readonly topics?: Readonly<Record<string, string>>
  /** What the server shows at its root. */
  readonly page?: (token: string) => string
  /** No session can be opened. */
  readonly isBroken?: boolean
}

const PATIENT = 110_000

/** A platform whose store is busy once a call was admitted. */
const broken = (platform: Platform): VoicePlatform => ({
  ...{ closing: platform.closing, settings: platform.settings },
  messaging: {
    ...platform.messaging,
    async admitCall(input) {
      const admitted = await platform.messaging.admitCall(input)
      const busy = { status: 503 as const, message: 'busy' }
      return 'status' in admitted ? admitted : { ...admitted, open: () => Promise.resolve(busy) }
    },
  },
})

/** A platform on a real server, with calls over WebRTC on loopback alone, and an agent that is live. */
export async function startRtcHost(options: RtcHostOptions = {}) {
  const {
    isBroken = false,
    page,
    platform: given,
    runtime = parrot,
    texts = [],
    topics = {},
    voice,
  } = options
  const errors: unknown[] = []
  let ahead = 0
  const clock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() + ahead }
  const dictation = createDictation(texts)
  const platform = createPlatform({
    ...{ store: createMemoryStore(), runtime, chunkFlush: 0 },
    onError: error => errors.push(error),
    ...given,
  })
  const { access, agents } = platform
  const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const { id: agentId } = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
  const branch = await agents.createBranch(agentId, { branchName: 'topics' })
  for (const [name, content] of Object.entries(topics))
    await agents.createTopic(agentId, branch.id, { name, content })
  if (Object.keys(topics).length > 0) await agents.merge(agentId, branch.id)
  await agents.publish(agentId, { environment: 'live' })
  const { token } = await access.createConnector({
    ...{ accountId, agentId, environment: 'live', hosts: ['hotel.example', 'localhost'] },
  })
  const server = createServer((request, response) =>
    calls.routes(
      request,
      response,
      page && (() => void response.setHeader('content-type', 'text/html').end(page(token))),
    ),
  )
  const chat = attachMessaging(server, platform)
  const calls = attachWebrtc(server, isBroken ? broken(platform) : platform, {
    ...{ transcriber: dictation.transcriber, speaker: humming, media: { address: '127.0.0.1' } },
    // A busy machine may be slow: what is in time is decided by the tests that are about it.
    ...{ offerDeadline: PATIENT, connectionDeadline: PATIENT, mediaDeadline: PATIENT, clock },
    ...voice,
  })
  const port = await listenOn(server)
  const clients: ReturnType<typeof createRtcClient>[] = []
  onTestFinished(async () => {
    await Promise.all(clients.map(client => client.end()))
    await calls.close()
    await chat.close()
    server.close()
    server.closeAllConnections()
    await platform.close()
  })
  return {
    ...{ platform, accountId, agentId, token, dictation, errors, port, calls },
    client(more: Partial<RtcClientOptions> = {}) {
      const url = `ws://127.0.0.1:${port}/api/v1/webrtc/signal`
      const client = createRtcClient({ url, token, ...more })
      clients.push(client)
      return client
    },
    get: (path: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers }),
    async active(): Promise<number> {
      const response = await fetch(`http://127.0.0.1:${port}/health`)
      const { activeSessions } = (await response.json()) as { readonly activeSessions: number }
      return activeSessions
    },
    /** Lets time go by, for the calls alone. */
    pass(ms: number) {
      ahead += ms
    },
    /** The lines of each conversation, as their records show them. */
    async recorded() {
      const { records } = await platform.reading.records(
        { accountId, agentId, environment: 'live' },
        { offset: 0 },
        9,
      )
      const read = records.map(({ id }) =>
        platform.reading.transcript(accountId, agentId, id, { turns: 0, sequence: 0 }),
      )
      return (await Promise.all(read)).map(({ lines }) => lines)
    },
  }
}
