import { UP_BYTES, WINDOW_BYTES, WINDOW_MS } from '../audio/pcm.ts'
import { type Ear, type EarListener, type EarParts, openEar } from './ear.ts'

/** Windows that are kept for an utterance whose beginning is recognised late. */
const KEPT_WINDOWS = 50
/** Bytes that may wait for a transcriber before no more is read from the line. */
const MOST_WAITING = 262_144
/** The longest audio in one frame of the client. */
const LONGEST_FRAME = 1_000 * UP_BYTES

const NOTHING: Uint8Array = new Uint8Array()

/** Cuts a visitor's audio into windows, and carries it to the transcriptions that are open. */
export class Listening {
  readonly #parts: EarParts
  /** Called with each window, in order. Returns the utterance that it belongs to. */
  readonly #window: (bytes: Uint8Array, toMs: number) => void
  readonly #ears = new Map<number, Ear>()
  /** The windows heard last, each in its place: what is kept for a second and then dropped grows old on the heap. */
  readonly #kept = new Uint8Array(KEPT_WINDOWS * WINDOW_BYTES)
  /** The number of windows heard, and where each that is kept ends. */
  #heard = 0
  readonly #ends: number[] = []
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
    const joined = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    let at = 0
    for (; at + WINDOW_BYTES <= joined.length && !this.#isOver; at += WINDOW_BYTES) {
      this.#positionMs += WINDOW_MS
      this.#window(this.#keep(joined.subarray(at, at + WINDOW_BYTES)), this.#positionMs)
    }
    // A copy: the line may use its memory again.
    this.#rest = at === joined.length ? NOTHING : Uint8Array.from(joined.subarray(at))
  }

  /** Keeps a window in the place of the oldest one. */
  #keep(window: Uint8Array): Uint8Array {
    const place = this.#heard % KEPT_WINDOWS
    this.#heard++
    this.#ends[place] = this.#positionMs
    const kept = this.#keptAt(place)
    kept.set(window)
    return kept
  }

  #keptAt(place: number): Uint8Array {
    return this.#kept.subarray(place * WINDOW_BYTES, (place + 1) * WINDOW_BYTES)
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
    for (let number = Math.max(0, this.#heard - KEPT_WINDOWS); number < this.#heard; number++) {
      const place = number % KEPT_WINDOWS
      if ((this.#ends[place] ?? 0) > fromMs) ear.write(this.#keptAt(place))
    }
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
    this.#wake()
  }

  #wake(): void {
    for (const resolve of this.#drained.splice(0)) resolve()
  }
}
