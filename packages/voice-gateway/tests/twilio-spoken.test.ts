// Slow: eight sentences are spoken and understood by programs of the machine.
import { spawnSync } from 'node:child_process'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { expect, test } from 'vitest'
import { levelOf, samplesOf } from '../src/audio/pcm.ts'
import { createOfflineSpeaker, createOfflineTranscriber } from '../src/offline/index.ts'
import { fromMuLaw } from '../src/twilio/mu-law.ts'
import { dial, soundOf, startPhoneHost } from './support/phone-host.ts'

const SENTENCES = [
  'when is breakfast',
  'may i bring my dog',
  'is there parking at the hotel',
  'when is check in',
  'is there a swimming pool',
  'how do i get to the airport',
  'can i rent a bicycle',
  'where is the sauna',
]

/** Sentences that nobody says, so that there is something to mistake. */
const OTHERS = ['can i talk to a person', 'when is dinner', 'is there a gym']

const isMissing = ['flite', 'pocketsphinx_continuous'].some(
  program => spawnSync(program, ['--help'], { stdio: 'ignore' }).error !== undefined,
)
const isRequired = process.env.COLLOQUY_TEST_REQUIRE_SERVERS !== undefined

const receptionist: AgentRuntime = {
  async *respond({ input }) {
    yield { type: 'text', text: input.type === 'message' ? `You ask ${input.text}.` : 'Welcome.' }
  },
}

async function spoken(text: string): Promise<Int16Array> {
  const { signal } = new AbortController()
  const parts: Uint8Array[] = []
  for await (const chunk of createOfflineSpeaker().speak(text, { rate: 8_000, language: null, signal }))
    parts.push(chunk)
  return samplesOf(Buffer.concat(parts))
}

test.skipIf(isMissing && !isRequired)(
  'VG30 and VG42 a caller speaks with the agent over the phone: seven of eight sentences are understood, each is answered once (apt-get install flite pocketsphinx pocketsphinx-en-us)',
  async () => {
    const offline = createOfflineSpeaker()
    let spokenPieces = 0
    const host = await startPhoneHost('', {
      runtime: receptionist,
      voice: {
        transcriber: createOfflineTranscriber({ phrases: [...SENTENCES, ...OTHERS], phone: true }),
        speaker: {
          async *speak(text, options) {
            yield* offline.speak(text, options)
            spokenPieces++
          },
        },
        // A busy machine may be slow.
        ...{ transcriptionDeadline: 120_000, speechDeadline: 120_000, silence: 600_000, stall: 600_000 },
      },
    })
    const phone = await dial(host.port)
    phone.begin()
    const lines = async () => (await host.recorded())?.lines ?? []
    const said = async () => (await lines()).flatMap(({ from, text }) => (from === 'visitor' ? [text] : []))
    /** Hears what the agent says to its end. */
    const hear = async (pieces: number): Promise<void> => {
      await expect.poll(() => spokenPieces).toBe(pieces)
      await phone.until(() => 'mark' in (phone.queue.at(-1) ?? {}))
      expect(levelOf(fromMuLaw(soundOf(phone.queue)))).toBeGreaterThan(500)
      phone.play(60_000)
      expect(phone.queue).toEqual([])
    }
    await hear(1)
    for (const [at, sentence] of SENTENCES.entries()) {
      phone.samples(await spoken(sentence))
      phone.sound(800, 0)
      await expect.poll(async () => (await said()).length).toBe(at + 1)
      await hear(at + 2)
    }
    phone.hangUp()
    await phone.until(() => phone.closed() !== null)
    const understood = await said()
    expect(understood).toHaveLength(SENTENCES.length)
    expect(SENTENCES.filter((sentence, at) => understood[at] === sentence).length).toBeGreaterThanOrEqual(7)
    const replies = (await lines()).flatMap(({ from, text }) => (from === 'ai_agent' ? [text] : []))
    expect(replies).toEqual(['Welcome.', ...understood.map(text => `You ask ${text}.`)])
    expect([phone.clears(), host.errors]).toEqual([0, []])
  },
)
