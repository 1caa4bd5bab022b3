import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PlatformError, refuseUnknown } from '@colloquy/core'
import { pcmOfWav } from '../audio/wav.ts'
import type { Speaker, SpeechOptions } from '../ports/speaker.ts'
import { makeFolder, removeFolder, startProgram } from './program.ts'

/** Options of the speaker. */
export interface OfflineSpeakerOptions {
  /** `flite` speaks English alone, `espeak-ng` many languages, less well. @default "flite" */
  readonly program?: 'flite' | 'espeak-ng'
  /** The program's own name of a voice. @default "slt" of flite, the one of the language of espeak-ng */
  readonly voice?: string
}

/** A sentence is at most so long for a program's argument. */
const MOST_CHARACTERS = 2_000

/** A sentence and its voice. */
interface Sentence extends Pick<SpeechOptions, 'signal'> {
  readonly words: string
  readonly voice: string
}

/** Writes a file: it cannot write into a pipe. */
async function* flite({ signal, voice, words }: Sentence): AsyncGenerator<Uint8Array> {
  const folder = await makeFolder()
  try {
    const file = join(folder, 'sound.wav')
    const { done, running } = startProgram('flite', ['-voice', voice, '-t', words, '-o', file], {
      ...{ install: 'flite', signal },
    })
    running.stdin.end()
    running.stdout.resume()
    await done
    signal.throwIfAborted()
    yield await readFile(file)
  } finally {
    await removeFolder(folder)
  }
}

async function* espeak({ signal, voice, words }: Sentence): AsyncGenerator<Uint8Array> {
  const { done, running } = startProgram('espeak-ng', ['--stdout', '-v', voice, '--', words], {
    ...{ install: 'espeak-ng', signal },
  })
  running.stdin.end()
  try {
    yield* running.stdout
  } finally {
    running.kill('SIGKILL')
  }
  await done
}

/**
 * Speaks with a program of the machine, to try voice without a provider. It sounds like a machine. A program that is
 * missing says what to install when the first sentence is spoken.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option or program (EM4)
 */
export function createOfflineSpeaker(options: OfflineSpeakerOptions = {}): Speaker {
  refuseUnknown('createOfflineSpeaker', options, ['program', 'voice'])
  const { program = 'flite', voice } = options
  if (program !== 'flite' && program !== 'espeak-ng')
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', 'program must be flite or espeak-ng.')
  return {
    async *speak(text, { language, rate, signal }) {
      // flite would take a text with a dash for an option.
      const words = text.slice(0, MOST_CHARACTERS).replace(/^[-\s]+/u, '')
      if (words === '') return
      const sound =
        program === 'flite'
          ? flite({ words, signal, voice: voice ?? 'slt' })
          : espeak({ words, signal, voice: voice ?? language?.toLowerCase() ?? 'en' })
      yield* pcmOfWav(sound, rate)
    },
  }
}
