import type { Clock } from '@colloquy/core'
import { DOWN_BYTES, DOWN_RATE, roomFor } from '../audio/pcm.ts'
import type { Piece } from '../domain/piece.ts'
import { speakable } from '../domain/sentences.ts'
import type { Speaker } from '../ports/speaker.ts'
import { until } from './until.ts'

/** The receiver of a piece's audio. */
export interface MouthListener {
  /** Audio of the piece, in order. Called before the next one is asked for. */
  sound(piece: Piece, bytes: Uint8Array): void
  /** Resolves when the visitor has played enough for more. */
  room(signal: AbortSignal): Promise<void>
  /** Told once, unless the piece was hushed. Null for no error. */
  spoken(piece: Piece, error: unknown): void
}

/** The parts of a gateway that mouths need. Times are milliseconds. */
export interface MouthParts {
  readonly speaker: Speaker
  readonly clock: Clock
  readonly deadline: number
  readonly longest: number
}

/** A frame of audio has at most so many bytes (PROTOCOL.md, Frames). */
const MOST_BYTES = 48_000

/** Cuts a chunk into frames, leaving out what was heard before. */
function createCutter(skipBytes: number, mostBytes: number) {
  let skip = skipBytes
  let left = mostBytes
  let odd: Uint8Array = new Uint8Array()
  return function* cut(chunk: Uint8Array): Generator<Uint8Array> {
    const joined = roomFor(odd.length + chunk.length)
    joined.set(odd)
    joined.set(chunk, odd.length)
    const even = joined.length - (joined.length % 2)
    odd = joined.slice(even)
    const from = Math.min(skip, even)
    skip -= from
    const to = Math.min(even, from + left)
    left -= to - from
    for (let at = from; at < to; at += MOST_BYTES) yield joined.subarray(at, Math.min(at + MOST_BYTES, to))
  }
}

/** Speaks one piece. Returns a function that ends it. */
export function speakPiece(
  parts: MouthParts,
  piece: Piece,
  language: string | null,
  listener: MouthListener,
): () => void {
  const { clock, deadline, longest, speaker } = parts
  const controller = new AbortController()
  const { signal } = controller
  const limit = { clock, limit: deadline, signal, what: 'The next audio of a speaker' }
  const cut = createCutter(Math.round(piece.fromMs * (DOWN_BYTES / 2)) * 2, longest * DOWN_BYTES)

  async function speak(): Promise<void> {
    const iterator = speaker
      .speak(speakable(piece.text), { rate: DOWN_RATE, language, signal })
      [Symbol.asyncIterator]()
    // Not waited for: a speaker that hangs would hang here too.
    signal.addEventListener('abort', () => void iterator.return?.()?.catch(() => undefined), { once: true })
    for (let total = 0; total < longest * DOWN_BYTES; ) {
      const next = await until(limit, () => iterator.next())
      if (next.done === true) return
      if (!(next.value instanceof Uint8Array)) throw new TypeError('A speaker must give chunks of bytes.')
      total += next.value.byteLength
      for (const bytes of cut(next.value)) {
        await listener.room(signal)
        if (signal.aborted) return
        listener.sound(piece, bytes)
      }
    }
  }

  const done = (error: unknown): void => {
    if (signal.aborted) return
    controller.abort()
    listener.spoken(piece, error)
  }
  Promise.resolve()
    .then(speak)
    .then(() => done(null), done)
  return () => controller.abort()
}
