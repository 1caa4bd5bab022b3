import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refuseUnknown } from '@colloquy/core'
import { bytesOf, samplesOf, UP_RATE } from '../audio/pcm.ts'
import { createResampler } from '../audio/resample.ts'
import type { Transcriber, TranscriptEvent } from '../ports/transcriber.ts'
import { makeFolder, removeFolder, startProgram } from './program.ts'

/** Options of the transcriber. */
export interface OfflineTranscriberOptions {
  /**
   * The sentences that it knows, words of English without digits. It understands one of them, or nothing: much better
   * than guessing. @default all of English, of which it understands little
   */
  readonly phrases?: readonly string[]
  /** The folder of the model. @default that of Debian, /usr/share/pocketsphinx/model/en-us */
  readonly model?: string
  /** Callers are on the phone, whose sound ends at 4,000 Hz. The model knows voices up to 8,000 Hz. @default false */
  readonly phone?: boolean
}

const MODEL = '/usr/share/pocketsphinx/model/en-us'

const plainWords = (phrase: string): string =>
  phrase
    .toLowerCase()
    .replace(/[^a-z' ]/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

/** Returns a grammar of phrases. @throws TypeError without one */
function grammarOf(phrases: readonly string[]): string {
  const known = [...new Set(phrases.map(plainWords))].filter(words => words !== '')
  if (known.length === 0) throw new TypeError('phrases must name at least one sentence.')
  return `#JSGF V1.0;\ngrammar phrases;\npublic <phrase> = ${known.join(' | ')};\n`
}

/**
 * Puts a quiet mirror image of the lower half of all tones into the upper half. Without any there the model understands
 * a quarter of what it understands with it.
 */
const mirrored = (samples: Int16Array): Int16Array =>
  samples.map((sample, at) => Math.max(-32_768, Math.min(32_767, sample * (at % 2 === 0 ? 1.3 : 0.7))))

/** Silence behind an utterance, so that its last word ends. */
const TAIL = new Uint8Array(UP_RATE)

const INSTALL = 'pocketsphinx pocketsphinx-en-us'

/** The most text that is read of the program, characters. */
const MOST_CHARACTERS = 20_000

/** Runs the program over a sound, in a folder of its own: it reads from files alone. */
async function understand(sound: Uint8Array, grammar: string | null, model: string, signal: AbortSignal) {
  const folder = await makeFolder()
  try {
    const [soundFile, grammarFile] = [join(folder, 'sound.raw'), join(folder, 'phrases.jsgf')]
    await writeFile(soundFile, sound)
    if (grammar !== null) await writeFile(grammarFile, grammar)
    const search = grammar === null ? ['-lm', `${model}/en-us.lm.bin`] : ['-jsgf', grammarFile]
    const { done, running } = startProgram(
      'pocketsphinx_continuous',
      [
        ...['-infile', soundFile, '-hmm', `${model}/en-us`, '-dict', `${model}/cmudict-en-us.dict`],
        ...[...search, '-logfn', '/dev/null'],
      ],
      { install: INSTALL, signal },
    )
    running.stdin.end()
    let text = ''
    for await (const chunk of running.stdout) if (text.length < MOST_CHARACTERS) text += String(chunk)
    await done
    signal.throwIfAborted()
    return text.split('\n').map(line => line.trim())
  } finally {
    await removeFolder(folder)
  }
}

/**
 * Understands with `pocketsphinx_continuous` of the machine, to try voice without a provider, and for tests: with
 * `phrases` most sentences that a machine speaks. It begins when the utterance is over. A program that is missing says
 * what to install when somebody speaks.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option (EM4)
 */
export function createOfflineTranscriber(options: OfflineTranscriberOptions = {}): Transcriber {
  refuseUnknown('createOfflineTranscriber', options, ['phrases', 'model', 'phone'])
  const { model = MODEL, phone = false, phrases } = options
  const grammar = phrases === undefined ? null : grammarOf(phrases)
  return {
    open({ rate, signal }) {
      const heard: Uint8Array[] = []
      const resample = createResampler(rate, UP_RATE)
      let end = (): void => {}
      const ended = new Promise<void>((resolve, reject) => {
        end = resolve
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      ended.catch(() => undefined)
      async function* events(): AsyncGenerator<TranscriptEvent> {
        await ended
        const sound = Buffer.concat(heard)
        const whole = phone ? bytesOf(mirrored(samplesOf(sound))) : sound
        const lines = await understand(Buffer.concat([whole, TAIL]), grammar, model, signal)
        for (const [segment, text] of lines.entries()) if (text !== '') yield { type: 'final', text, segment }
      }
      return {
        write: frame => void heard.push(bytesOf(resample(samplesOf(frame)))),
        events: events(),
        end: () => end(),
      }
    },
  }
}
