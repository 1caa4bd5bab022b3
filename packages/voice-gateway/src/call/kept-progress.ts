import type { CallProgress } from '@colloquy/core/transport'
import type { Mark } from '../domain/frames.ts'
import { placeOf } from '../domain/piece.ts'

/** Keeps how far the caller of a phone call has heard, for the process that goes on with it (VG130). */
export class KeptProgress {
  readonly #keep: (progress: CallProgress) => Promise<void>
  /** Not kept yet. */
  #newest: Mark | null = null

  #kept: Promise<void> = Promise.resolve()

  /** @param keep never rejects */
  constructor(keep: (progress: CallProgress) => Promise<void>) {
    this.#keep = keep
  }

  /** Keeps each sentence that was heard. A write for each mark would be several a second. */
  heard(mark: Mark): void {
    this.#newest = mark
    if (mark.done === true) this.lost()
  }

  /** The line is gone: keeps the part of a sentence too. */
  lost(): void {
    const mark = this.#newest
    const place = mark === null ? null : placeOf(mark.id)
    this.#newest = null
    if (mark === null || place === null) return
    const { number, since } = place
    const { done = false, id, played_ms: playedMs } = mark
    this.#kept = this.#keep({ heard: { id, since, number, playedMs, done } })
  }

  /** The call has left for a number. */
  left(destination: string): void {
    this.#kept = this.#keep({ leftFor: destination })
  }

  /** Resolves once the newest of it is kept. The session takes them in their order. */
  settled(): Promise<void> {
    return this.#kept
  }
}
