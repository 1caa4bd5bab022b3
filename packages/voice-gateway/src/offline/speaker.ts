import { pcmOfWav } from '../audio/wav.ts'
import type { Speaker, SpeechOptions } from '../ports/speaker.ts'
import { startProgram } from './program.ts'

/** Options of the speaker. */
export interface OfflineSpeakerOptions {
  /** `flite` speaks English alone, `espeak-ng` many languages, less well. @default "flite" */
  readonly program?: 'flite' | 'espeak-ng'
  /** The program's own name of a voice. @default "slt" of flite, the one of the language of espeak-ng */
  readonly voice?: string
}

/** A sentence is at most so long for a program's argument. */
const MOST_CHARACTERS = 2_000

const argsOf = (
  { program = 'flite', voice }: OfflineSpeakerOptions,
  text: string,
  language: string | null,
): readonly string[] =>
  program === 'flite'
    ? ['-voice', voice ?? 'slt', '-t', text, '-o', '/dev/stdout']
    : ['--stdout', '-v', voice ?? language?.toLowerCase() ?? 'en', '--', text]

/**
 * Speaks with a program of the machine, to try voice without a provider. It sounds like a machine. A program that is
 * missing says what to install when the first sentence is spoken.
 */
export function createOfflineSpeaker(options: OfflineSpeakerOptions = {}): Speaker {
  const { program = 'flite' } = options
  async function* speak(text: string, { language, rate, signal }: SpeechOptions): AsyncGenerator<Uint8Array> {
    // What begins with a dash would be an option to flite.
    const words = text.slice(0, MOST_CHARACTERS).replace(/^[-\s]+/u, '')
    if (words === '') return
    const { done, running } = startProgram(program, argsOf(options, words, language), { install: program, signal })
    running.stdin.end()
    try {
      yield* pcmOfWav(running.stdout, rate)
    } catch (error) {
      // The program's own reason says more than that it gave no sound.
      await done
      throw error
    } finally {
      running.kill('SIGKILL')
    }
    await done
  }
  return { speak }
}
