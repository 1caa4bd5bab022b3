import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createPlatform, silentLog, wavOf } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { listenOn } from '@colloquy/test-support/messaging-host'
import type { TranscriptionModel } from 'ai'
import { MockSpeechModelV4 } from 'ai/test'
import { expect, onTestFinished, test } from 'vitest'
import type { AgentRuntime } from '../../core/src/runtime.ts'
import { createAiSdkSpeaker, createAiSdkTranscriber } from '../src/ai-sdk/index.ts'
import { DOWN_RATE, samplesOf, UP_RATE } from '../src/audio/pcm.ts'
import type { SpokenTurn } from '../src/index.ts'
import { testSpeaker, testTranscriber } from '../src/testing/contracts.ts'
import { textOfTones, tonesOf } from '../src/testing/index.ts'
import { speakWithModels } from './guide-models.ts'
import { speakOffline } from './guide-offline.ts'
import { createVoiceClient } from './support/voice-client.ts'

const response = { timestamp: new Date(0), modelId: 'mock' }

/** Speaks in tones, as a WAV of 24,000 Hz. */
const speaks = () =>
  new MockSpeechModelV4({
    doGenerate: async ({ abortSignal, text }) => {
      abortSignal?.throwIfAborted()
      return { audio: wavOf(samplesOf(tonesOf(text, DOWN_RATE)), DOWN_RATE), warnings: [], response }
    },
  })

type Hearing = Extract<TranscriptionModel, { readonly specificationVersion: 'v4' }>

/** Understands tones in a WAV. */
const hears = (): Hearing => ({
  ...{ specificationVersion: 'v4', provider: 'mock', modelId: 'mock' },
  async doGenerate({ abortSignal, audio }) {
    abortSignal?.throwIfAborted()
    const wav = typeof audio === 'string' ? Buffer.from(audio, 'base64') : audio
    const text = textOfTones(wav.subarray(44), UP_RATE)
    return { text, segments: [], language: 'en', durationInSeconds: 1, warnings: [], response }
  },
})

testSpeaker('AI SDK', { open: async () => createAiSdkSpeaker({ model: speaks(), voice: 'alloy' }) })
testTranscriber('AI SDK', {
  open: async () => createAiSdkTranscriber({ model: hears() }),
  speech: async () => ({ sound: tonesOf('May I bring my dog', UP_RATE), word: 'dog' }),
})

test('VG42 models are asked for a WAV, the voice and the language', async () => {
  const model = speaks()
  const asked: object[] = []
  const { doGenerate } = model
  model.doGenerate = async options => {
    asked.push(options)
    return doGenerate(options)
  }
  const { signal } = new AbortController()
  for await (const _ of createAiSdkSpeaker({ model, voice: 'alloy', speed: 0.9 }).speak('Yes.', {
    ...{ rate: DOWN_RATE, language: 'en-GB', signal },
  }));
  expect(asked).toMatchObject([
    { text: 'Yes.', voice: 'alloy', speed: 0.9, outputFormat: 'wav', language: 'en' },
  ])
})

const runtime: AgentRuntime = {
  async *respond({ input }) {
    yield { type: 'text', text: input.type === 'message' ? `You said ${input.text}.` : 'Welcome.' }
  },
}

test('VG42 a visitor speaks with the code of the guide', async () => {
  const platform = createPlatform({ store: createMemoryStore(), runtime, log: silentLog })
  const { access, agents, messaging } = platform
  const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const { id: agentId } = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
  await agents.publish(agentId, { environment: 'live' })
  const connector = { accountId, agentId, environment: 'live' as const, hosts: ['localhost'] }
  const { token } = await access.createConnector(connector)
  const server = createServer()
  const turns: SpokenTurn[] = []
  const calls = speakWithModels(server, platform, { hears: hears(), speaks: speaks() }, turn =>
    turns.push(turn),
  )
  const port = await listenOn(server)
  onTestFinished(async () => {
    await calls.close()
    server.close()
    await platform.close()
  })
  const { accessToken } = await messaging.issueAccessToken({
    ...{ connectorToken: token, host: 'http://localhost', remoteAddress: '127.0.0.1' },
  })
  const { sessionId } = await messaging.createSession({
    authorization: `Bearer ${accessToken}`,
    streaming: true,
  })
  const client = createVoiceClient(
    `ws://127.0.0.1:${port}/voice?session_id=${sessionId}&access_token=${accessToken}`,
  )
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  client.say('May I bring my dog')
  await client.until(() => client.heardText().endsWith('You said May I bring my dog.'))
  expect(turns).toHaveLength(1)
})

test('VG42 the guide shows the code that is tested', async () => {
  const page = readFileSync(new URL('../../../docs/guides/voice.md', import.meta.url), 'utf8')
  for (const name of ['guide-offline.ts', 'guide-models.ts', 'guide-recording.ts'])
    expect(page).toContain(readFileSync(new URL(name, import.meta.url), 'utf8'))
  const server = createServer()
  const platform = createPlatform({ store: createMemoryStore(), runtime, log: silentLog })
  await speakOffline(server, platform).close()
  await platform.close()
})
