import { wavOf } from '@colloquy/core'
import { MockLanguageModelV4, MockSpeechModelV4 } from 'ai/test'
import { expect, inject, test } from 'vitest'
import { createAiSdkSpeech } from '../src/speech-provider/create-ai-sdk-speech.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The older version of the AI SDK that this project runs over. */
    readonly aiSdk?: number
  }
}

test('the tests of the runtime run over each supported version of the AI SDK', async () => {
  const agents: unknown[] = []
  const model = new MockSpeechModelV4({
    async doGenerate({ headers }) {
      // The AI SDK tells its version to models of speech.
      agents.push(headers?.['user-agent'])
      const audio = new Uint8Array(wavOf(new Int16Array(80), 8_000))
      return { audio, warnings: [], response: { timestamp: new Date(0), modelId: 'speech' } }
    },
  })
  const speech = createAiSdkSpeech({ model, provider: 'LOCAL', voices: [{ id: 'a' }] })
  const { signal } = new AbortController()
  await speech.synthesize({ text: 'Hello.', config: {}, language: null, signal })
  expect(agents).toEqual([expect.stringMatching(new RegExp(`^ai/${inject('aiSdk') ?? 7}\\.`))])
  expect(new MockLanguageModelV4().specificationVersion).toBe(inject('aiSdk') === 6 ? 'v3' : 'v4')
})
