import type { Clock } from '@colloquy/core'
import { UP_RATE } from '../audio/pcm.ts'
import type { Transcriber, TranscriptEvent, Transcription } from '../ports/transcriber.ts'
import { until } from './until.ts'

/** Carries one utterance to a transcriber, and its words back. */
export interface Ear {
  /** Bytes that wait for the transcriber. */
  readonly waiting: number
  write(window: Uint8Array): void
  /** No more audio comes. */
  end(): void
  /** The words are no longer wanted. Nothing is told any more. */
  drop(): void
}

/** The receiver of an ear's events. */
export interface EarListener {
  partial(text: string): void
  endOfTurn(): void
  /** Told once, after `end`. Null if nothing was understood. */
  words(text: string | null, error: unknown): void
  /** Some of what waited was taken. */
  drained(): void
}

/** The most characters of an utterance's words, as the session takes them. */
const MOST_CHARACTERS = 20_000
const MOST_SEGMENTS = 1_000

/** Opens a transcription. A transcriber that hangs, throws or says too much fails this utterance, and nothing else. */
export function openEar(
  parts: { readonly transcriber: Transcriber; readonly clock: Clock; readonly deadline: number },
  language: string | null,
  listener: EarListener,
): Ear {
  const { clock, deadline, transcriber } = parts
  const controller = new AbortController()
  const { signal } = controller
  const segments = new Map<number, string>()
  let queue: Uint8Array[] = []
  let waiting = 0
  let isEnded = false
  let isTold = false
  /** The outcome, which is told once the utterance is over. */
  let outcome: { readonly error: unknown } | null = null
  let wake = (): void => {}

  function tell(): void {
    if (!isEnded || outcome === null || isTold || signal.aborted) return
    isTold = true
    const text = [...segments]
      .toSorted(([one], [other]) => one - other)
      .map(([, words]) => words.trim())
      .filter(words => words !== '')
      .join(' ')
      .slice(0, MOST_CHARACTERS)
    listener.words(outcome.error === null && text !== '' ? text : null, outcome.error)
    controller.abort()
  }

  function finish(error: unknown): void {
    outcome ??= { error }
    queue = []
    waiting = 0
    listener.drained()
    tell()
  }

  function heard(event: TranscriptEvent): void {
    if (event.type === 'endOfTurn') {
      if (!isEnded) listener.endOfTurn()
    } else if (event.type === 'partial') {
      if (!isEnded && typeof event.text === 'string') listener.partial(event.text.slice(0, MOST_CHARACTERS))
    } else if (
      typeof event.text === 'string' &&
      !segments.has(event.segment) &&
      segments.size < MOST_SEGMENTS
    )
      segments.set(event.segment, event.text.slice(0, MOST_CHARACTERS))
  }

  async function read({ events }: Transcription): Promise<void> {
    const iterator = events[Symbol.asyncIterator]()
    signal.addEventListener('abort', () => void iterator.return?.()?.catch(() => undefined), { once: true })
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      if (outcome !== null || signal.aborted) return
      heard(next.value)
    }
    finish(null)
  }

  async function pump(): Promise<void> {
    const opened = await until(clock, deadline, signal, 'Opening a transcription', () =>
      transcriber.open({ rate: UP_RATE, language, signal }),
    )
    read(opened).catch(finish)
    for (;;) {
      const next = queue.shift()
      if (next !== undefined) {
        await until(clock, deadline, signal, 'Writing to a transcription', () => opened.write(next))
        waiting = Math.max(0, waiting - next.byteLength)
        listener.drained()
      } else if (isEnded) break
      else
        await new Promise<void>(resolve => {
          wake = resolve
        })
      if (outcome !== null || signal.aborted) return
    }
    await until(clock, deadline, signal, 'Ending a transcription', () => opened.end())
  }

  pump().catch(error => {
    if (!isTold) finish(error)
    controller.abort()
  })

  return {
    get waiting() {
      return waiting
    },
    write(window) {
      if (isEnded || outcome !== null) return
      queue.push(window)
      waiting += window.byteLength
      wake()
    },
    end() {
      isEnded = true
      wake()
      tell()
    },
    drop() {
      isTold = true
      queue = []
      waiting = 0
      controller.abort()
      wake()
      listener.drained()
    },
  }
}
