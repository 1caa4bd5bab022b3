// Slow: eight sentences are spoken, coded, recognised by programs of the machine, and answered in the time of speech.
import { spawnSync } from 'node:child_process'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { expect, test } from 'vitest'
import { bytesOf, samplesOf } from '../../src/audio/pcm.ts'
import { createOfflineSpeaker, createOfflineTranscriber } from '../../src/offline/index.ts'
import { voiceOf } from './support/rtc-client.ts'
import { startRtcHost } from './support/rtc-host.ts'

/** What the guest says, and the answer. */
const SENTENCES = [
  ['when is breakfast', 'Breakfast is from seven.'],
  ['may i bring my dog', 'Your dog is welcome.'],
  ['is there parking at the hotel', 'Parking is below the hotel.'],
  ['when is check in', 'Check in is at three.'],
  ['is there a swimming pool', 'The swimming pool is on the roof.'],
  ['how do i get to the airport', 'Take the train to the airport.'],
  ['can i rent a bicycle', 'You can rent a bicycle.'],
  ['where is the sauna', 'The sauna is upstairs.'],
] as const

const OTHERS = ['can i talk to a person', 'when is dinner', 'is there a gym']

const isMissing = ['flite', 'pocketsphinx_continuous'].some(
  program => spawnSync(program, ['--help'], { stdio: 'ignore' }).error !== undefined,
)
const isRequired = process.env.COLLOQUY_TEST_REQUIRE_SERVERS !== undefined

/** A sentence as a client's microphone gives it: stereo at 48,000 Hz. */
async function spoken(text: string): Promise<Uint8Array> {
  const { signal } = new AbortController()
  const parts: Uint8Array[] = []
  for await (const chunk of createOfflineSpeaker().speak(text, { rate: 48_000, language: null, signal }))
    parts.push(chunk)
  const mono = samplesOf(Buffer.concat(parts))
  return bytesOf(Int16Array.from({ length: mono.length * 2 }, (_, at) => mono[at >> 1] ?? 0))
}

test.skipIf(isMissing && !isRequired)(
  'VG61 and VG66 a guest speaks with the agent in Opus over a line that loses packets: seven of eight sentences are understood, each is answered once (apt-get install flite pocketsphinx pocketsphinx-en-us)',
  async () => {
    const phrases = [...SENTENCES.map(([sentence]) => sentence), ...OTHERS]
    const answers = SENTENCES.map(([sentence, answer], at) => [`${at} ${sentence}`, answer] as const)
    const host = await startRtcHost({
      runtime: createRetrievalRuntime(),
      topics: Object.fromEntries(answers),
      voice: {
        ...{ transcriber: createOfflineTranscriber({ phrases }), speaker: createOfflineSpeaker() },
        // The guest is silent while programs work, on a busy machine for long.
        ...{
          mediaDeadline: 120_000,
          transcriptionDeadline: 120_000,
          speechDeadline: 120_000,
          silence: 600_000,
        },
      },
    })
    const client = host.client()
    await client.connect()
    await client.call()
    const said = async () =>
      ((await host.recorded())[0] ?? []).flatMap(({ from, text, what }) =>
        what === 'said' ? [{ from, text }] : [],
      )
    const isQuiet = (): boolean => client.received.slice(-3).every(({ level }) => level < 100)
    await client.until(() => client.loudMs() > 200 && isQuiet())
    for (const [at, [sentence]] of SENTENCES.entries()) {
      const before = client.loudMs()
      client.sound(await spoken(sentence), packet => packet % 50 === 25)
      client.sound(voiceOf(800, 0))
      await expect
        .poll(async () => (await said()).filter(({ from }) => from === 'visitor').length)
        .toBe(at + 1)
      await client.until(() => client.loudMs() > before + 200 && isQuiet())
    }
    const lines = await said()
    const understood = SENTENCES.filter(([sentence]) => lines.some(({ text }) => text === sentence))
    expect(understood.length).toBeGreaterThanOrEqual(7)
    for (const [, answer] of understood)
      expect(lines.filter(({ text }) => text.includes(answer)).length).toBeGreaterThanOrEqual(1)
    expect(lines.filter(({ from }) => from === 'visitor')).toHaveLength(SENTENCES.length)
    expect(host.errors).toEqual([])
  },
)
