import { DOWN_BYTES } from '../audio/pcm.ts'
import type { Piece } from '../domain/piece.ts'
import { type MouthParts, speakPiece } from './mouth.ts'

/** The receiver of what is spoken. */
export interface SpeakingListener {
  /** Comes once before the audio of a piece. */
  begin(piece: Piece): void
  sound(piece: Piece, bytes: Uint8Array, ms: number): void
  spoken(piece: Piece, error: unknown): void
  /** True while the visitor has more than enough audio. */
  isFull(): boolean
}

/** Speaks one piece at a time, no further ahead than the visitor may have audio. */
export class Speaking {
  readonly #parts: MouthParts
  readonly #listener: SpeakingListener
  /** The piece whose beginning was told. */
  #begun: string | null = null
  #hush = (): void => {}
  /** Called when the visitor has played something. */
  #room: (() => void)[] = []

  constructor(parts: MouthParts, listener: SpeakingListener) {
    this.#parts = parts
    this.#listener = listener
  }

  speak(piece: Piece, language: string | null): void {
    const listener = this.#listener
    const begin = (): void => {
      if (this.#begun === piece.id) return
      this.#begun = piece.id
      listener.begin(piece)
    }
    // The same piece may be spoken again, from where it was cut.
    this.#begun = null
    this.#hush = speakPiece(this.#parts, piece, language, {
      sound: (_, bytes) => {
        begin()
        listener.sound(piece, bytes, bytes.byteLength / DOWN_BYTES)
      },
      room: signal => this.#roomFor(signal),
      spoken: (_, error) => {
        begin()
        listener.spoken(piece, error)
      },
    })
  }

  /** Ends the speech in progress. */
  hush(): void {
    this.#hush()
  }

  /** The visitor has played something, or will not play any more. */
  played(): void {
    for (const resolve of this.#room.splice(0)) resolve()
  }

  async #roomFor(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#listener.isFull())
      await new Promise<void>(resolve => {
        this.#room.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
  }
}
