import { roomFor, UP_BYTES, WINDOW_BYTES, WINDOW_MS } from '../audio/pcm.ts'
import { type Ear, type EarListener, type EarParts, openEar } from './ear.ts'

/** Windows that are kept for an utterance whose beginning is recognised late. */
const KEPT_WINDOWS = 50
/** Bytes that may wait for a transcriber before no more is read from the line. */
const MOST_WAITING = 262_144
/** The longest audio in one frame of the client. */
const LONGEST_FRAME = 1_000 * UP_BYTES

/** A window of audio, and where it ends. */
interface Window {
  readonly toMs: number
  readonly bytes: Uint8Array
}

const NOTHING: Uint8Array = new Uint8Array()

/** Cuts a visitor's audio into windows, and carries it to the transcriptions that are open. */
export class Listening {
  readonly #parts: EarParts
  /** Called with each window, in order. Returns the utterance that it belongs to. */
  readonly #window: (bytes: Uint8Array, toMs: number) => void
  readonly #ears = new Map<number, Ear>()
  #windows: Window[] = []
  /** Audio that is not a whole window yet. */
  #rest = NOTHING
  #positionMs = 0
  #isOver = false
  /** Called when a transcriber has taken something. */
  #drained: (() => void)[] = []

  constructor(parts: EarParts, window: (bytes: Uint8Array, toMs: number) => void) {
    this.#parts = parts
    this.#window = window
  }

  get positionMs(): number {
    return this.#positionMs
  }

  /** False while too much waits for the transcriber, until `settled` resolves. */
  get hasRoom(): boolean {
    let waiting = 0
    for (const ear of this.#ears.values()) waiting += ear.waiting
    return waiting < MOST_WAITING
  }

  /** The next audio begins there. */
  from(positionMs: number): void {
    this.#positionMs = positionMs
    this.#rest = NOTHING
  }

  /** Reports whether bytes are a frame of audio. */
  static isFrame(bytes: Uint8Array): boolean {
    return bytes.byteLength % UP_BYTES === 0 && bytes.byteLength <= LONGEST_FRAME
  }

  hear(bytes: Uint8Array): void {
    // One copy for all windows of it: the line may use its memory again.
    const joined = roomFor(this.#rest.length + bytes.length)
    joined.set(this.#rest)
    joined.set(bytes, this.#rest.length)
    let at = 0
    for (; at + WINDOW_BYTES <= joined.length && !this.#isOver; at += WINDOW_BYTES) {
      const window = joined.subarray(at, at + WINDOW_BYTES)
      this.#positionMs += WINDOW_MS
      this.#windows.push({ toMs: this.#positionMs, bytes: window })
      if (this.#windows.length > KEPT_WINDOWS) this.#windows.shift()
      this.#window(window, this.#positionMs)
    }
    this.#rest = at === joined.length ? NOTHING : joined.slice(at)
  }

  write(id: number, window: Uint8Array): void {
    this.#ears.get(id)?.write(window)
  }

  /** Opens a transcription, with the audio from a position on. */
  open(
    { fromMs, id }: { readonly id: number; readonly fromMs: number },
    language: string | null,
    { words, ...listener }: Omit<EarListener, 'drained'>,
  ): void {
    const ear = openEar(this.#parts, language, {
      ...listener,
      words: (text, error) => {
        this.#ears.delete(id)
        words(text, error)
      },
      drained: () => {
        if (this.hasRoom) this.#wake()
      },
    })
    this.#ears.set(id, ear)
    for (const { bytes, toMs } of this.#windows) if (toMs > fromMs) ear.write(bytes)
  }

  /** No audio of the utterance comes any more. */
  end(id: number): void {
    this.#ears.get(id)?.end()
  }

  /** Its words are no longer wanted. */
  drop(id: number): void {
    this.#ears.get(id)?.drop()
    this.#ears.delete(id)
  }

  async settled(): Promise<void> {
    while (!this.#isOver && !this.hasRoom) await new Promise<void>(resolve => this.#drained.push(resolve))
  }

  /** Lets go of everything. */
  close(): void {
    this.#isOver = true
    for (const id of [...this.#ears.keys()]) this.drop(id)
    this.#windows = []
    this.#wake()
  }

  #wake(): void {
    for (const resolve of this.#drained.splice(0)) resolve()
  }
}
