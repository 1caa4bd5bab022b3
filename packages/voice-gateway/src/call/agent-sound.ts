import { DOWN_RATE, samplesOf, UP_RATE } from '../audio/pcm.ts'
import { createResampler, type Resampler } from '../audio/resample.ts'
import { RECORDED_SAMPLES } from '../audio/stereo.ts'
import type { Mark } from '../domain/frames.ts'
import { heardSince } from '../domain/placing.ts'

/** A piece of which the visitor has not heard everything. Milliseconds count from its beginning. */
interface UnheardPiece {
  readonly id: string
  readonly fromMs: number
  readonly resample: Resampler
  /** At the rate of recordings, from `playedMs` on. */
  samples: Int16Array[]
  sentMs: number
  playedMs: number
}

/** Sound that was heard, up to now. */
export interface HeardSound {
  readonly samples: Int16Array
  readonly ms: number
  /** It begins a piece. */
  readonly isFirst: boolean
}

const joined = (parts: readonly Int16Array[]): Int16Array => {
  const all = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Takes what is heard of a piece up to a place. What the resampler holds back is silence. */
function hear(piece: UnheardPiece, to: number): Int16Array {
  const all = joined(piece.samples)
  const heard = new Int16Array(Math.round((to - piece.playedMs) * RECORDED_SAMPLES))
  const had = all.subarray(0, heard.length)
  heard.set(had)
  piece.samples = [all.slice(had.length)]
  piece.playedMs = to
  return heard
}

/** Keeps sound of the agent from its sending until it is known whether it was heard: `CallLimits.ahead` at most. */
export class AgentSound {
  #pieces: UnheardPiece[] = []
  /** The player was told to stop: what the next piece follows is not heard any more. */
  #isCut = false

  /** A piece begins to be sent, from that millisecond of it on. */
  begins(id: string, fromMs: number): void {
    if (this.#isCut) this.#pieces = []
    this.#isCut = false
    const resample = createResampler(DOWN_RATE, UP_RATE)
    this.#pieces.push({ id, fromMs, resample, samples: [], sentMs: fromMs, playedMs: fromMs })
  }

  /** Sound of the newest piece was sent. */
  sent(bytes: Uint8Array): void {
    const piece = this.#pieces.at(-1)
    if (piece === undefined) return
    const samples = samplesOf(bytes)
    piece.samples.push(piece.resample(samples))
    piece.sentMs += (samples.length / DOWN_RATE) * 1_000
  }

  /** The player was told to stop. A mark still says what it had played. */
  cut(): void {
    this.#isCut = true
  }

  /** Returns the sound that was heard since the last mark. Null for none. */
  played(mark: Mark): HeardSound | null {
    const parts = heardSince(this.#pieces, mark)
    const [first] = parts
    if (first === undefined) return null
    const samples = joined(
      parts.flatMap(({ id, to }) => {
        const piece = this.#pieces.find(one => one.id === id)
        return piece === undefined ? [] : [hear(piece, to)]
      }),
    )
    // More of the newest piece may come.
    this.#pieces = this.#pieces.filter(
      ({ playedMs, sentMs }, index) => playedMs < sentMs || index === this.#pieces.length - 1,
    )
    const ms = parts.reduce((sum, { from, to }) => sum + to - from, 0)
    return { samples, ms, isFirst: first.isFirst }
  }
}
