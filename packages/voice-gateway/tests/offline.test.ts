// Slow: programs of the machine speak and understand.
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { UP_RATE } from '../src/audio/pcm.ts'
import { createOfflineSpeaker, createOfflineTranscriber } from '../src/offline/index.ts'
import { testSpeaker, testTranscriber } from '../src/testing/contracts.ts'

const has = (program: string): boolean =>
  spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined

/** The programs are there, or must be. Otherwise the tests are skipped: apt-get install flite espeak-ng pocketsphinx pocketsphinx-en-us. */
const isRequired = process.env.COLLOQUY_TEST_REQUIRE_SERVERS !== undefined
const missing = ['flite', 'espeak-ng', 'pocketsphinx_continuous'].filter(program => !has(program))

async function soundOf(text: string, rate = UP_RATE): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  const { signal } = new AbortController()
  for await (const chunk of createOfflineSpeaker().speak(text, { rate, language: null, signal }))
    parts.push(chunk)
  return Buffer.concat(parts)
}

const PHRASES = ['May I bring my dog?', 'When is breakfast?', 'Is there parking?']

describe.skipIf(missing.length > 0 && !isRequired)('with the programs of the machine', () => {
  testSpeaker('flite', { open: async () => createOfflineSpeaker() })
  testSpeaker('espeak-ng', { open: async () => createOfflineSpeaker({ program: 'espeak-ng' }) })
  testTranscriber('pocketsphinx', {
    open: async () => createOfflineTranscriber({ phrases: PHRASES }),
    speech: async () => ({ sound: await soundOf('May I bring my dog?'), word: 'dog' }),
  })

  test('VG42 a sentence that begins with a dash is spoken, and no option of the program', async () => {
    expect((await soundOf('--help me please')).byteLength).toBeGreaterThan(UP_RATE)
  })
})

test('VG42 a program that is missing says what to install', async () => {
  const path = process.env.PATH
  process.env.PATH = '/nowhere'
  try {
    await expect(soundOf('Hello')).rejects.toThrow(
      'The program flite is not installed. Install it, on Debian with: apt-get install flite.',
    )
    const { signal } = new AbortController()
    const transcription = await createOfflineTranscriber({ phrases: PHRASES }).open({
      ...{ rate: UP_RATE, language: null, signal },
    })
    await transcription.end()
    const reading = (async () => {
      for await (const _ of transcription.events);
    })()
    await expect(reading).rejects.toThrow('apt-get install pocketsphinx pocketsphinx-en-us.')
  } finally {
    process.env.PATH = path
  }
})

test('VG42 phrases without words are refused', () => {
  expect(() => createOfflineTranscriber({ phrases: ['123', ''] })).toThrow(
    'phrases must name at least one sentence.',
  )
})
