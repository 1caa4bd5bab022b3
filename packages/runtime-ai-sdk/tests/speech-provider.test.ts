import { readFileSync } from 'node:fs'
import { type createPlatform, silentLog, wavOf, wavSeconds } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { testSpeechProvider } from '@colloquy/core/testing/contracts'
import { createFetchHandler } from '@colloquy/core/transport'
import { commandsOf, requestOf } from '@colloquy/test-support/guide-commands'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createAiSdkSpeech } from '../src/speech-provider/create-ai-sdk-speech.ts'
import { sayAs } from './guide-say.ts'
import { withVoices } from './guide-voices.ts'
import { startSpeech } from './support/local-speech.ts'

const VOICES = [
  { id: 'alloy', language: 'en-GB', gender: 'neutral' },
  { id: 'ash', name: 'Ash' },
] as const

/** Another recording of what an agent says. */
const ANOTHER = new Uint8Array(wavOf(new Int16Array(800), 8_000))

async function start() {
  const local = await startSpeech()
  const provider = createAiSdkSpeech({ model: local.model, provider: 'LOCAL', voices: VOICES })
  const signal = new AbortController().signal
  return { ...local, provider, signal }
}

testSpeechProvider('AI SDK', {
  async open() {
    const { fault, provider } = await start()
    return { provider, config: { voice: 'alloy' }, fault }
  },
})

describe('speech models', () => {
  test('LM52 the voices that the host names are offered, with what is known of them', async () => {
    const { provider, signal } = await start()
    expect(await provider.voices({ signal })).toEqual([
      {
        ...{ provider: 'LOCAL', providerVoiceId: 'alloy', name: 'alloy', config: { voice: 'alloy' } },
        metadata: { language: 'en-GB', gender: 'neutral' },
      },
      { provider: 'LOCAL', providerVoiceId: 'ash', name: 'Ash', config: { voice: 'ash' }, metadata: {} },
    ])
  })

  test('LM52 a sample says a sentence with the voice, and is in its address', async () => {
    const { provider, requests, signal } = await start()
    const voice = { provider: 'LOCAL', providerVoiceId: 'ash', config: { speed: 0.9 }, signal }
    const { expiresInSeconds, text, url } = await provider.sample(voice)
    expect([expiresInSeconds, text]).toEqual([86_400, 'Good day. This is how I sound.'])
    expect(requests).toEqual([{ input: text, voice: 'ash', response_format: 'wav', speed: 0.9 }])
    const bytes = Buffer.from(url.replace('data:audio/wav;base64,', ''), 'base64')
    expect(wavSeconds(bytes)).toBeGreaterThan(0)
  })

  test('LM52 voice, speed and instructions are those of the config, the language without its country', async () => {
    const { provider, requests, signal } = await start()
    const config = { voice: 'alloy', speed: 1.2, instructions: 'Softly.', note: 'mine', pitch: 3 }
    await provider.synthesize({ text: 'Guten Tag.', config, language: 'de-DE', signal })
    await provider.synthesize({ text: 'Hm.', config: { voice: 7, speed: 'fast' }, language: null, signal })
    expect(requests).toEqual([
      {
        ...{ input: 'Guten Tag.', voice: 'alloy', response_format: 'wav', speed: 1.2 },
        ...{ instructions: 'Softly.', language: 'de' },
      },
      { input: 'Hm.', response_format: 'wav' },
    ])
  })

  test('sound that is no WAV is a failure, and a request that takes too long is given up', async () => {
    const { broken, fault, provider, requests } = await start()
    const controller = new AbortController()
    const speech = { text: 'Hello.', config: {}, language: null, signal: controller.signal }
    fault('speaks MP3')
    await expect(provider.synthesize(speech)).rejects.toThrow('and not with a WAV')
    fault('hangs')
    const saying = provider.synthesize(speech)
    await vi.waitFor(() => expect(requests).toHaveLength(2))
    controller.abort(new Error('Too late.'))
    await expect(saying).rejects.toThrow(/./)
    await vi.waitFor(() => expect(broken()).toBe(1))
  })

  test.each([
    [{ provider: 'A:B' }, /provider: expected 1 to 100 characters without a colon/],
    [{ voices: [] }, /voices/],
    [{ voices: [{ id: 'a' }, { id: 'a' }] }, /voices: expected each id once/],
    [{ voices: [{ id: 'a', sex: 'f' }] }, /voices\.0/],
    [{ sampleText: '' }, /sampleText/],
    [{ voice: 'a' }, /voice/],
    [{ model: undefined }, /model/],
  ])('LM52 options that are not what they must be are refused: %j', async (values, message) => {
    const { model } = await startSpeech()
    const options = { model, provider: 'LOCAL', voices: VOICES, ...values }
    const create = () => Reflect.apply(createAiSdkSpeech, undefined, [options])
    expect(create).toThrow(expect.objectContaining({ code: 'SCHEMA_VALIDATION_FAILED' }))
    expect(create).toThrow(message)
  })

  test('the page about voices runs: a library with the voices of a model, a sample of an added one, and what an agent says, which is kept', async () => {
    const page = readFileSync(new URL('../../../docs/guides/voices.md', import.meta.url), 'utf8')
    for (const name of ['guide-voices.ts', 'guide-say.ts']) {
      const code = readFileSync(new URL(name, import.meta.url), 'utf8')
      expect(page).toContain(`\`\`\`ts\n${code}\`\`\`\n`)
    }
    const { fault, model, requests } = await startSpeech()
    const errors: unknown[] = []
    const runtime = createScriptedRuntime({ greeting: 'Hello.', otherwise: 'Yes.' }, createFakeClock())
    const options = { store: createMemoryStore(), runtime, log: silentLog, workers: false }
    const platform = withVoices({ ...options, onError: error => errors.push(error) }, model)
    onTestFinished(() => platform.close())
    const { id } = await createAccount(platform)
    const added = await platform.voices.create(id, {
      ...{ name: 'Night desk', provider: 'OPENAI', providerVoiceId: 'ash', config: { speed: 0.9 } },
    })
    const names = (await platform.voices.list(id)).map(({ name, offered }) => [name, offered])
    expect(names).toEqual([
      ['Night desk', false],
      ['Alloy', true],
      ['Ash', true],
    ])
    const sample = await platform.voices.sample(id, added.id)
    expect(sample.url).toMatch(/^data:audio\/wav;base64,/)
    expect(requests).toMatchObject([{ voice: 'ash', speed: 0.9 }])
    const agent = await platform.agents.create({ accountId: id, name: 'Desk', greeting: 'Hello.' })
    const greeting = await sayAs(platform, agent.id, added, 'Good evening.')
    expect(await sayAs(platform, agent.id, added, 'Good evening.')).toEqual(greeting)
    expect(requests.slice(1)).toMatchObject([{ voice: 'ash', speed: 0.9, input: 'Good evening.' }])
    const { secret } = await platform.access.createApiKey({ kind: 'workspace', accountId: id })
    const [entry] = (await platform.voices.cachedAudio(agent.id)).entries
    const variables = { WORKSPACE_KEY: secret, AGENT: agent.id, ENTRY: entry?.id ?? '' }
    const fetch = createFetchHandler(platform, { trustProxy: 1 })
    const statuses: unknown[] = []
    for (const command of commandsOf(page.replaceAll('ws-harbour', id))) {
      const asked = requestOf(command, { variables, files: { 'welcome.wav': ANOTHER } })
      statuses.push((await fetch(asked))?.status)
    }
    expect(statuses).toEqual([200, 200, 200, 204])
    expect(await sayAs(platform, agent.id, added, 'Good evening.')).toEqual(ANOTHER)
    fault('refuses')
    await expect(platform.voices.sample(id, 'OPENAI:alloy')).rejects.toMatchObject({
      ...{ code: 'SPEECH_PROVIDER_FAILED', message: expect.not.stringContaining('sk-secret') },
    })
    expect(errors).toHaveLength(1)
  })
})

const createAccount = ({ access }: ReturnType<typeof createPlatform>) =>
  access.createAccount({ accountId: 'ws-one', slug: 'one', name: 'One' })
