import { describe, expect, it } from 'vitest'
import { UP_RATE, WINDOW_BYTES } from '../audio/pcm.ts'
import type { Speaker } from '../ports/speaker.ts'
import type { Transcriber, TranscriptEvent, Transcription } from '../ports/transcriber.ts'

/** A transcriber under test. */
export interface TranscriberFactory {
  open(): Promise<Transcriber>
  /** Speech at 16,000 Hz, and a word that must be among those that are understood. */
  speech(): Promise<{ readonly sound: Uint8Array; readonly word: string }>
}

/** A speaker under test. */
export interface SpeakerFactory {
  open(): Promise<Speaker>
}

async function allOf({ events }: Transcription): Promise<readonly TranscriptEvent[]> {
  const all: TranscriptEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

async function feed(transcription: Transcription, sound: Uint8Array): Promise<void> {
  for (let at = 0; at < sound.length; at += WINDOW_BYTES)
    await transcription.write(sound.subarray(at, at + WINDOW_BYTES))
  await transcription.end()
}

const finalsOf = (events: readonly TranscriptEvent[]) => events.filter(event => event.type === 'final')

/** Declares the tests of the `Transcriber` port for one adapter. To be called at the top level of a vitest file. */
export function testTranscriber(name: string, { open, speech }: TranscriberFactory): void {
  const options = (signal: AbortSignal) => ({ rate: UP_RATE, language: 'en-US', signal })

  describe(`${name}: transcriber`, () => {
    it('VG40 what is spoken is understood, and the events end behind the end of the audio', async () => {
      const transcriber = await open()
      const { sound, word } = await speech()
      const transcription = await transcriber.open(options(new AbortController().signal))
      const [events] = await Promise.all([allOf(transcription), feed(transcription, sound)])
      const finals = finalsOf(events)
      expect(finals.map(({ text }) => text).join(' ')).toContain(word)
      const segments = finals.map(({ segment }) => segment)
      expect(new Set(segments).size).toBe(segments.length)
    })

    it('VG40 several utterances at once do not mix', async () => {
      const transcriber = await open()
      const { sound, word } = await speech()
      const { signal } = new AbortController()
      const both = await Promise.all([transcriber.open(options(signal)), transcriber.open(options(signal))])
      const [one, other] = await Promise.all(
        both.map(async (transcription, index) => {
          const quiet = new Uint8Array(UP_RATE)
          const [events] = await Promise.all([
            allOf(transcription),
            feed(transcription, index === 0 ? sound : quiet),
          ])
          return finalsOf(events)
            .map(({ text }) => text)
            .join(' ')
        }),
      )
      expect(one).toContain(word)
      expect(other).not.toContain(word)
    })

    it('VG40 an utterance that is called off is let go of, and the next one is understood', async () => {
      const transcriber = await open()
      const { sound, word } = await speech()
      const controller = new AbortController()
      const dropped = await transcriber.open(options(controller.signal))
      const reading = allOf(dropped).catch(() => [])
      await dropped.write(sound.subarray(0, WINDOW_BYTES))
      controller.abort()
      expect(finalsOf(await reading)).toEqual([])
      const next = await transcriber.open(options(new AbortController().signal))
      const [events] = await Promise.all([allOf(next), feed(next, sound)])
      expect(finalsOf(events)[0]?.text).toContain(word)
    })
  })
}

const SENTENCES = ['Breakfast is from seven to ten.', 'Yes.', 'Rooms cost 80 to 120 euros, dogs included.']

/** Declares the tests of the `Speaker` port for one adapter. To be called at the top level of a vitest file. */
export function testSpeaker(name: string, { open }: SpeakerFactory): void {
  describe(`${name}: speaker`, () => {
    it.each([8_000, 16_000, 24_000])(
      'VG40 sentences become whole samples at %i Hz, longer ones more',
      async rate => {
        const speaker = await open()
        const { signal } = new AbortController()
        const seconds: number[] = []
        for (const text of SENTENCES) {
          let bytes = 0
          for await (const chunk of speaker.speak(text, { rate, language: 'en-US', signal }))
            bytes += chunk.byteLength
          expect(bytes % 2).toBe(0)
          seconds.push(bytes / 2 / rate)
        }
        const [long = 0, short = 0] = seconds
        expect(short).toBeGreaterThan(0)
        expect(long).toBeGreaterThan(short)
        expect(Math.max(...seconds)).toBeLessThan(30)
      },
    )

    it('VG40 speech that is called off ends', async () => {
      const speaker = await open()
      const controller = new AbortController()
      const { signal } = controller
      const rate = 24_000
      let bytes = 0
      const speaking = (async () => {
        for await (const chunk of speaker.speak(SENTENCES.join(' '), { rate, language: null, signal })) {
          bytes += chunk.byteLength
          controller.abort()
        }
      })()
      await speaking.catch(() => undefined)
      let again = 0
      const next = new AbortController()
      for await (const chunk of speaker.speak('Yes.', { rate, language: null, signal: next.signal }))
        again += chunk.byteLength
      expect(bytes).toBeGreaterThan(0)
      expect(again).toBeGreaterThan(0)
    })
  })
}
