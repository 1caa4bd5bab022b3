import { createInterface } from 'node:readline'
import { bytesOf, samplesOf, UP_RATE } from '../audio/pcm.ts'
import { createResampler } from '../audio/resample.ts'
import type { Transcriber, TranscriptEvent } from '../ports/transcriber.ts'
import { startProgram } from './program.ts'

/** Options of the transcriber. */
export interface OfflineTranscriberOptions {
  /**
   * The sentences that it knows, words of English without digits. It understands one of them, or nothing: much better
   * than guessing. @default all of English, of which it understands little
   */
  readonly phrases?: readonly string[]
  /** The folder of the model. @default that of Debian, /usr/share/pocketsphinx/model/en-us */
  readonly model?: string
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

/** Silence behind an utterance, so that its last word ends. */
const TAIL = new Uint8Array(UP_RATE)

/** The most lines of words of an utterance. */
const MOST_LINES = 100

/**
 * Understands with `pocketsphinx_continuous` of the machine, to try voice without a provider, and for tests: with
 * `phrases` most sentences that a machine speaks. A program that is missing says what to install when somebody speaks.
 */
export function createOfflineTranscriber(options: OfflineTranscriberOptions = {}): Transcriber {
  const { model = MODEL, phrases } = options
  const grammar = phrases === undefined ? null : grammarOf(phrases)
  const search = grammar === null ? ['-lm', `${model}/en-us.lm.bin`] : ['-jsgf', '/dev/fd/3']
  const args = [
    ...['-infile', '/dev/stdin', '-hmm', `${model}/en-us`, '-dict', `${model}/cmudict-en-us.dict`],
    ...[...search, '-logfn', '/dev/null'],
  ]
  return {
    open({ rate, signal }) {
      const { done, running } = startProgram('pocketsphinx_continuous', args, {
        ...(grammar === null ? {} : { further: grammar }),
        install: 'pocketsphinx pocketsphinx-en-us',
        signal,
      })
      const resample = createResampler(rate, UP_RATE)
      async function* events(): AsyncGenerator<TranscriptEvent> {
        let segment = 0
        for await (const line of createInterface({ input: running.stdout })) {
          const text = line.trim()
          if (text !== '' && segment < MOST_LINES) yield { type: 'final', text, segment: segment++ }
        }
        await done
      }
      return {
        write(frame) {
          const bytes = bytesOf(resample(samplesOf(frame)))
          if (running.stdin.destroyed || running.stdin.write(bytes)) return
          return new Promise<void>(resolve => {
            const go = (): void => {
              running.stdin.off('drain', go)
              running.stdin.off('close', go)
              resolve()
            }
            running.stdin.on('drain', go)
            running.stdin.on('close', go)
          })
        },
        events: events(),
        end() {
          if (!running.stdin.destroyed) running.stdin.end(TAIL)
        },
      }
    },
  }
}
