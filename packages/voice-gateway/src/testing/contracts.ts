import { describe, expect, it } from 'vitest'
import { samplesOf, UP_RATE, WINDOW_BYTES, WINDOW_MS } from '../audio/pcm.ts'
import type { Speaker } from '../ports/speaker.ts'
import type { Transcriber, TranscriptEvent, Transcription } from '../ports/transcriber.ts'
import type { TurnDetector, Verdict } from '../ports/turn-detector.ts'

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

/** A turn detector under test. */
export interface TurnDetectorFactory<State> {
  open(): TurnDetector<State>
  /** A sentence at 16,000 Hz, without silence before and behind it. */
  speech(): Promise<Uint8Array>
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

/** Silence behind a sentence that ends every turn. */
const LONG_SILENCE = new Uint8Array(WINDOW_BYTES * (10_000 / WINDOW_MS))

const windowsOf = (...sounds: readonly Uint8Array[]): readonly Int16Array[] =>
  sounds.flatMap(sound =>
    Array.from({ length: Math.floor(sound.length / WINDOW_BYTES) }, (_, at) =>
      samplesOf(sound.slice(at * WINDOW_BYTES, (at + 1) * WINDOW_BYTES)),
    ),
  )

/** Observes windows one after the other. */
function observeAll<State>(
  detector: TurnDetector<State>,
  windows: readonly Int16Array[],
): readonly Verdict[] {
  let state = detector.initial
  return windows.map(samples => {
    const [next, verdict] = detector.observe(state, { samples, partial: '' })
    state = next
    return verdict
  })
}

/** Declares the tests of the `TurnDetector` port for one adapter. To be called at the top level of a vitest file. */
export function testTurnDetector<State>(name: string, { open, speech }: TurnDetectorFactory<State>): void {
  describe(`${name}: turn detector`, () => {
    it('VG128 silence is no turn, and each sentence is one that ends once', async () => {
      const sentence = await speech()
      const verdicts = observeAll(
        open(),
        windowsOf(LONG_SILENCE, sentence, LONG_SILENCE, sentence, LONG_SILENCE),
      )
      const quiet = verdicts.slice(0, LONG_SILENCE.length / WINDOW_BYTES)
      expect(new Set(quiet.map(({ kind }) => kind))).toEqual(new Set(['silence']))
      const kinds = verdicts.map(({ kind }) => kind)
      const turn = ['silence', 'speech', 'end']
      expect(kinds.filter((kind, at) => kind === 'end' || kind !== kinds[at - 1])).toEqual([
        ...[...turn, ...turn, 'silence'],
      ])
    })

    it('VG128 a turn may begin with the call, and its voice grows and is never longer than the turn', async () => {
      const verdicts = observeAll(open(), windowsOf(await speech(), LONG_SILENCE))
      const begun = verdicts.findIndex(({ kind }) => kind === 'speech')
      const ended = verdicts.findIndex(({ kind }) => kind === 'end')
      expect(begun).toBeGreaterThanOrEqual(0)
      expect(ended).toBeGreaterThan(begun)
      const turn = verdicts.slice(begun, ended + 1)
      for (const [at, { quietMs, voicedMs }] of turn.entries()) {
        expect(voicedMs).toBeGreaterThanOrEqual(turn[at - 1]?.voicedMs ?? 0)
        expect(voicedMs + quietMs).toBeLessThanOrEqual((begun + at + 1) * WINDOW_MS)
      }
      expect(turn.at(-1)?.voicedMs).toBeGreaterThan(0)
      expect(turn.at(-1)?.quietMs).toBeGreaterThan(0)
      const others = verdicts.filter(({ kind }) => kind === 'silence')
      expect(others.filter(({ voicedMs }) => voicedMs !== 0)).toEqual([])
    })

    it('VG128 the same audio gives the same turns, also while another call is observed', async () => {
      const windows = windowsOf(await speech(), LONG_SILENCE)
      const detector = open()
      const alone = observeAll(detector, windows)
      let [one, other] = [detector.initial, detector.initial]
      const verdicts = windows.map((samples, at) => {
        const before = samples.slice()
        const kept = one
        const [next, verdict] = detector.observe(one, { samples, partial: '' })
        const [again] = detector.observe(other, { samples: windows.at(-1 - at) ?? samples, partial: 'yes,' })
        // A state may be observed again.
        expect(detector.observe(kept, { samples, partial: '' })).toEqual([next, verdict])
        expect(samples).toEqual(before)
        one = next
        other = again
        return verdict
      })
      expect(verdicts).toEqual(alone)
    })
  })
}
