import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../domain/json.ts'
import { wavSeconds } from '../../domain/voice/wav.ts'
import type { SpeechProvider } from '../../ports/speech-provider.ts'

/** A speech provider, and the other side of it. */
export interface SpeechUnderTest {
  readonly provider: SpeechProvider
  /** The `config` that a caller gives to get speech. */
  readonly config: JsonObject
  /** Makes the next call that reaches the other side fail, or never answer. */
  fault(fault: 'fails' | 'hangs'): void
}

/** The contract's access to providers. */
export interface SpeechFactory {
  /** One that works; it is closed when its test is over. */
  open(): Promise<SpeechUnderTest>
}

const signal = (): AbortSignal => new AbortController().signal

/**
 * Declares the tests of the `SpeechProvider` port (rules VL1, VP2 and VP4) for one adapter. To be called at the top
 * level of a vitest file.
 */
export function testSpeechProvider(name: string, { open }: SpeechFactory): void {
  describe(`${name}: speech provider`, () => {
    it('VL1 each voice has a name, and no two have the same provider and id', async () => {
      const { provider } = await open()
      const voices = await provider.voices({ signal: signal() })
      expect(voices.length).toBeGreaterThan(0)
      for (const voice of voices) {
        expect(voice.provider).toMatch(/^[^:]{1,100}$/)
        expect(voice.providerVoiceId).toMatch(/^.{1,200}$/)
        expect(voice.name).toMatch(/^.{1,200}$/)
      }
      const ids = voices.map(voice => `${voice.provider}:${voice.providerVoiceId}`)
      expect(new Set(ids).size).toBe(ids.length)
    })

    it('VP2 what is said is a WAV with sound in it, in any language', async () => {
      const { config, provider } = await open()
      for (const text of ['Hello.', 'äöü 漢字 😀', ' b & c\n<d> "e" ', 'x'.repeat(2_000)])
        for (const language of [null, 'en-GB']) {
          const bytes = await provider.synthesize({ text, config, language, signal: signal() })
          expect(wavSeconds(bytes)).toBeGreaterThan(0)
        }
    })

    it('VP2 a voice can be heard at an absolute address for some time', async () => {
      const { provider } = await open()
      const [voice] = await provider.voices({ signal: signal() })
      if (voice === undefined) throw new Error('There is no voice.')
      const { config = {}, providerVoiceId } = voice
      const sample = await provider.sample({
        ...{ config, provider: voice.provider, providerVoiceId, signal: signal() },
      })
      expect(new URL(sample.url).protocol).toMatch(/^(?:https|data):$/)
      expect(sample.expiresInSeconds).toBeGreaterThan(0)
      expect(Number.isInteger(sample.expiresInSeconds)).toBe(true)
      expect(sample.text).toMatch(/./)
    })

    it('VP4 a call that the other side fails rejects, and the next one is answered', async () => {
      const { config, fault, provider } = await open()
      const say = () => provider.synthesize({ text: 'Hello.', config, language: null, signal: signal() })
      fault('fails')
      await expect(say()).rejects.toThrow(/./)
      expect(wavSeconds(await say())).toBeGreaterThan(0)
    })

    it('VP4 a call whose signal aborts rejects, at once where it has aborted', async () => {
      const { config, fault, provider } = await open()
      const controller = new AbortController()
      fault('hangs')
      const speech = { text: 'Hello.', config, language: null, signal: controller.signal }
      const saying = provider.synthesize(speech)
      controller.abort(new Error('Too late.'))
      await expect(saying).rejects.toThrow(/./)
      fault('hangs')
      await expect(provider.synthesize(speech)).rejects.toThrow(/./)
    })

    it('VP4 calls that are made at once are each answered', async () => {
      const { config, provider } = await open()
      const texts = Array.from({ length: 8 }, (_, index) => 'word '.repeat(index + 1))
      const spoken = await Promise.all(
        texts.map(text => provider.synthesize({ text, config, language: null, signal: signal() })),
      )
      for (const bytes of spoken) expect(wavSeconds(bytes)).toBeGreaterThan(0)
    })
  })
}
