import type {
  Transcriber,
  TranscriptEvent,
  Transcription,
  TranscriptionOptions,
} from '../ports/transcriber.ts'
import { textOfTones } from './tones.ts'

/** The fate of the next utterance. `understands` is the rule; the others are faults. */
export type TranscriberStep =
  | 'understands'
  | 'fails'
  | 'fails at once'
  | 'hangs'
  | 'does not take audio'
  | 'answers twice'
  | 'answers out of order'
  | 'answers early'
  | 'answers after the end'
  | 'answers nonsense'
  | 'ends the turn'

/** A transcriber for tests: understands `tonesOf`, follows its script, and records what it was opened for. */
export interface ScriptedTranscriber extends Transcriber {
  readonly opened: readonly Omit<TranscriptionOptions, 'signal'>[]
  /** Transcriptions that were neither read to their end nor aborted. */
  readonly unfinished: number
  script(...steps: readonly TranscriberStep[]): void
}

/** Options of a scripted transcriber. */
export interface ScriptedTranscriberOptions {
  /** Tells partial texts after each write. @default false */
  readonly partials?: boolean
}

const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const final = (text: string, segment: number): TranscriptEvent => ({ type: 'final', text, segment })

/** Makes a transcriber for tests. After its script it understands everything. */
export function createScriptedTranscriber(options: ScriptedTranscriberOptions = {}): ScriptedTranscriber {
  const opened: Omit<TranscriptionOptions, 'signal'>[] = []
  const steps: TranscriberStep[] = []
  let open = 0

  function transcribe(step: TranscriberStep, { rate, signal }: TranscriptionOptions): Transcription {
    const heard: Uint8Array[] = []
    let ended = false
    let changed = (): void => {}
    const text = (): string => textOfTones(Buffer.concat(heard), rate)
    const change = (): Promise<void> =>
      new Promise(resolve => {
        changed = resolve
      })

    async function* finals(): AsyncGenerator<TranscriptEvent> {
      const words = text().split(' ')
      const half = Math.ceil(words.length / 2)
      const parts = [words.slice(0, half).join(' '), words.slice(half).join(' ')]
      if (step === 'answers out of order') yield* [final(parts[1] ?? '', 1), final(parts[0] ?? '', 0)]
      else if (step === 'answers twice') yield* [final(text(), 0), final(text(), 0)]
      else if (step === 'answers nonsense') yield JSON.parse('{"type":"final","text":7,"segment":"x"}')
      else yield final(text(), 0)
    }

    async function* events(): AsyncGenerator<TranscriptEvent> {
      open++
      try {
        let told = ''
        while (!ended) {
          await Promise.race([change(), whenAborted(signal)])
          if (step === 'fails') throw new Error('The provider says: wrong key sk-secret.')
          if (step === 'ends the turn' && text().endsWith('.')) yield { type: 'endOfTurn' }
          if (step === 'answers early') {
            yield final(text(), 0)
            return
          }
          if (options.partials !== true) continue
          const now = text()
          if (now !== told) yield { type: 'partial', text: now }
          told = now
        }
        if (step === 'hangs') await whenAborted(signal)
        yield* finals()
        if (step === 'answers after the end') {
          yield { type: 'endOfTurn' }
          yield final('late words', 1)
        }
      } finally {
        open--
      }
    }

    return {
      write(frame) {
        if (step === 'does not take audio') return whenAborted(signal)
        heard.push(frame.slice())
        changed()
      },
      events: events(),
      end() {
        ended = true
        changed()
      },
    }
  }

  return {
    opened,
    get unfinished() {
      return open
    },
    script: (...more) => void steps.push(...more),
    open({ signal, ...rest }) {
      opened.push(rest)
      const step = steps.shift() ?? 'understands'
      if (step === 'fails at once') throw new Error('The provider says: wrong key sk-secret.')
      return transcribe(step, { ...rest, signal })
    },
  }
}
