import type { Clock } from '@colloquy/core'
import { roomFor, UP_RATE } from '../audio/pcm.ts'
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

/** The parts of a gateway that ears need. */
export interface EarParts {
  readonly transcriber: Transcriber
  readonly clock: Clock
  /** Milliseconds. */
  readonly deadline: number
}

/** Opens a transcription. A transcriber that hangs, throws or says too much fails this utterance, and nothing else. */
export const openEar = (parts: EarParts, language: string | null, listener: EarListener): Ear =>
  new OpenEar(parts, language, listener)

const cutTo = (text: string): string => text.slice(0, MOST_CHARACTERS)

class OpenEar implements Ear {
  readonly #parts: EarParts
  readonly #listener: EarListener
  readonly #controller = new AbortController()
  readonly #segments = new Map<number, string>()
  #queue: Uint8Array[] = []
  #waiting = 0
  #isEnded = false
  #isTold = false
  /** The outcome, which is told once the utterance is over. */
  #outcome: { readonly error: unknown } | null = null
  #wake = (): void => {}

  constructor(parts: EarParts, language: string | null, listener: EarListener) {
    this.#parts = parts
    this.#listener = listener
    this.#pump(language).catch(error => {
      if (!this.#isTold) this.#finish(error)
      this.#controller.abort()
    })
  }

  get waiting(): number {
    return this.#waiting
  }

  write(window: Uint8Array): void {
    if (this.#isEnded || this.#outcome !== null) return
    // A copy: its memory is used for later windows.
    const own = roomFor(window.byteLength)
    own.set(window)
    this.#queue.push(own)
    this.#waiting += window.byteLength
    this.#wake()
  }

  end(): void {
    this.#isEnded = true
    this.#wake()
    this.#tell()
  }

  drop(): void {
    this.#isTold = true
    this.#empty()
    this.#controller.abort()
    this.#wake()
    this.#listener.drained()
  }

  #empty(): void {
    this.#queue = []
    this.#waiting = 0
  }

  #tell(): void {
    const outcome = this.#outcome
    if (!this.#isEnded || outcome === null || this.#isTold) return
    this.#isTold = true
    const text = [...this.#segments]
      .toSorted(([one], [other]) => one - other)
      .map(([, words]) => words.trim())
      .filter(words => words !== '')
      .join(' ')
    this.#listener.words(outcome.error === null && text !== '' ? cutTo(text) : null, outcome.error)
    this.#controller.abort()
  }

  #finish(error: unknown): void {
    this.#outcome ??= { error }
    this.#empty()
    this.#listener.drained()
    this.#tell()
  }

  #heard(event: TranscriptEvent): void {
    if (event.type === 'endOfTurn') {
      if (!this.#isEnded) this.#listener.endOfTurn()
      return
    }
    if (typeof event.text !== 'string') return
    if (event.type === 'final') {
      const isNew = !this.#segments.has(event.segment) && this.#segments.size < MOST_SEGMENTS
      if (isNew) this.#segments.set(event.segment, cutTo(event.text))
    } else if (!this.#isEnded) this.#listener.partial(cutTo(event.text))
  }

  async #read({ events }: Transcription): Promise<void> {
    const { signal } = this.#controller
    const iterator = events[Symbol.asyncIterator]()
    // Not waited for: a transcriber that hangs would hang here too.
    signal.addEventListener('abort', () => void iterator.return?.()?.catch(() => undefined), { once: true })
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      if (this.#outcome !== null || signal.aborted) return
      this.#heard(next.value)
    }
    this.#finish(null)
  }

  async #pump(language: string | null): Promise<void> {
    const { clock, deadline, transcriber } = this.#parts
    const { signal } = this.#controller
    const limit = { clock, limit: deadline, signal, what: 'A transcriber' }
    const opened = await until(limit, () => transcriber.open({ rate: UP_RATE, language, signal }))
    this.#read(opened).catch(error => this.#finish(error))
    while (this.#queue.length > 0 || !this.#isEnded) {
      const next = this.#queue.shift()
      if (next === undefined)
        await new Promise<void>(resolve => {
          this.#wake = resolve
        })
      else {
        await until(limit, () => opened.write(next))
        this.#waiting = Math.max(0, this.#waiting - next.byteLength)
        this.#listener.drained()
      }
      if (this.#outcome !== null || signal.aborted) return
    }
    await until(limit, () => opened.end())
  }
}
