// Slow: eight sentences are spoken and understood by programs of the machine.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { expect, onTestFinished, test } from 'vitest'
import { UP_BYTES, UP_RATE } from '../src/audio/pcm.ts'
import { createOfflineSpeaker, createOfflineTranscriber } from '../src/offline/index.ts'
import { silenceOf } from '../src/testing/index.ts'
import { startVoiceHost } from './support/voice-host.ts'

/** What the guest says, and a word of the answer. */
const SENTENCES = [
  ['when is breakfast', 'seven'],
  ['may i bring my dog', 'dogs'],
  ['is there parking at the hotel', 'garage'],
  ['when is check in', 'three'],
  ['is there a swimming pool', 'pool'],
  ['how do i get to the airport', 'train'],
  ['can i rent a bicycle', 'bicycles'],
  ['where is the sauna', 'sauna'],
] as const

/** Sentences that nobody says, so that there is something to mistake. */
const OTHERS = ['can i talk to a person', 'when is dinner', 'is there a gym']

const TOPICS = {
  Breakfast: 'Breakfast is from seven to ten. It is served in the garden room.',
  Dogs: 'You may bring your dog. All dogs are welcome, for ten euros a night.',
  Parking: 'Parking is in the garage below the hotel. It costs twenty euros.',
  'Check in': 'Check in is from three in the afternoon.',
  'Swimming pool': 'The swimming pool is on the roof. It closes at nine.',
  Airport: 'To get to the airport take the train. It leaves every half hour.',
  Bicycle: 'You can rent bicycles at the desk.',
  Sauna: 'The sauna is on the first floor.',
}

const ANSWERS = new Map(
  SENTENCES.map(([sentence], index) => [sentence as string, Object.values(TOPICS)[index] ?? '']),
)

const PROGRAMS = ['flite', 'pocketsphinx_continuous']
const isMissing = PROGRAMS.some(
  program => spawnSync(program, ['--help'], { stdio: 'ignore' }).error !== undefined,
)
const isRequired = process.env.COLLOQUY_TEST_REQUIRE_SERVERS !== undefined

async function spoken(text: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  const { signal } = new AbortController()
  for await (const chunk of createOfflineSpeaker().speak(text, { rate: UP_RATE, language: null, signal }))
    parts.push(chunk)
  const sound = Buffer.concat(parts)
  return sound.subarray(0, sound.length - (sound.length % UP_BYTES))
}

test.skipIf(isMissing && !isRequired)(
  'VG13 and VG42 a guest speaks with the agent over a bad line: all is understood, nothing is lost or said twice (apt-get install flite pocketsphinx pocketsphinx-en-us)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'colloquy-spoken-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const phrases = [...SENTENCES.map(([sentence]) => sentence), ...OTHERS]
    const host = await startVoiceHost({
      runtime: createRetrievalRuntime(),
      platform: { store: createSqliteStore({ filename: join(folder, 'store.db') }) },
      topics: TOPICS,
      voice: {
        ...{ transcriber: createOfflineTranscriber({ phrases }), speaker: createOfflineSpeaker() },
        // The programs take as long as the machine lets them.
        ...{ transcriptionDeadline: 120_000, speechDeadline: 120_000, silence: 600_000, stall: 600_000 },
      },
    })
    const { client: open } = await host.visitor({ streaming: false })
    const client = open()
    await client.connect()
    await client.start()
    const played = (): boolean => client.pieces.length === 0
    await client.until(() => client.parts.length > 0 && played())
    client.holdPlayer()
    for (const [index, [sentence]] of SENTENCES.entries()) {
      const sound = await spoken(sentence)
      const half = Math.floor(sound.length / 2 / UP_BYTES) * UP_BYTES
      client.sound(sound.subarray(0, half))
      // The line breaks while the guest speaks, and comes back.
      if (index % 3 === 1) {
        client.kill()
        client.sound(sound.subarray(half))
        await client.connect()
        await client.start()
      } else client.sound(sound.subarray(half))
      client.sound(silenceOf(600, UP_RATE))
      await client.until(() => client.pieces.some(({ ended }) => ended))
      // And while the agent does.
      client.play(700)
      if (index % 3 === 2) {
        client.kill()
        await client.connect()
        await client.start()
        await client.until(() => client.pieces.some(({ ended }) => ended))
      }
      // Until the last sentence of the answer to what was understood was played.
      const answer = ANSWERS.get(client.transcripts()[index] ?? '') ?? ''
      const isHeard = (): boolean => {
        const { text = 'nothing' } = client.parts.at(-1) ?? {}
        return played() && (answer === '' || answer.endsWith(text.trim()))
      }
      while (!isHeard()) {
        const count = client.frames.length
        client.play(Number.POSITIVE_INFINITY)
        if (!isHeard()) await client.until(() => client.frames.length > count)
      }
    }
    client.send({ type: 'voice.stop' })
    await client.until(() => client.closed !== null)
    await host.platform.idle()

    const understood = SENTENCES.filter(([sentence], index) => client.transcripts()[index] === sentence)
    expect(understood.length).toBeGreaterThanOrEqual(7)
    expect(client.transcripts()).toHaveLength(SENTENCES.length)
    // Each sentence of each answer was played from its beginning to its end, each moment of it once.
    for (const id of new Set(client.parts.map(part => part.id))) {
      const ordered = client.parts
        .filter(part => part.id === id)
        .toSorted((one, other) => one.from - other.from)
      let at = 0
      for (const { from, to } of ordered) {
        expect(Math.abs(from - at)).toBeLessThanOrEqual(1)
        at = to
      }
    }
    const heard = [...new Map(client.parts.map(({ id, text }) => [id, text])).values()].join(' ')
    for (const [sentence, word] of understood) expect(`${sentence}: ${heard}`).toContain(word)
    expect(host.errors).toEqual([])
  },
)
