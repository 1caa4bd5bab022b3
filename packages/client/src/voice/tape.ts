/** Bytes of a millisecond that goes up: 16 samples of two bytes. */
export const BYTES_PER_MS = 32

/** The longest audio that the server takes in one frame, milliseconds. */
const LONGEST_FRAME = 1_000

/** Newest audio of the microphone, by its position in the call, milliseconds. */
export interface Tape {
  /** Position behind the newest audio. */
  readonly end: number
  /** Adds whole milliseconds of PCM. The oldest ones go where there is no room. */
  write(pcm: Uint8Array): void
  /** Returns the audio from a position on, or from the nearest one that there is, in frames for the server. */
  from(position: number): { readonly position: number; readonly frames: readonly Uint8Array<ArrayBuffer>[] }
}

/**
 * Keeps the newest audio for the case that a connection breaks. It has one buffer, which is written around.
 *
 * @param longest milliseconds that it holds
 */
export function createTape(longest: number): Tape {
  const room = longest * BYTES_PER_MS
  const buffer = new Uint8Array(room)
  let end = 0

  /** Copies a part that may go around the end of the buffer. */
  function read(position: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length * BYTES_PER_MS)
    const at = (position * BYTES_PER_MS) % room
    const first = buffer.subarray(at, at + bytes.length)
    bytes.set(first)
    bytes.set(buffer.subarray(0, bytes.length - first.length), first.length)
    return bytes
  }

  return {
    get end() {
      return end
    },
    write(pcm) {
      const at = (end * BYTES_PER_MS) % room
      const first = pcm.subarray(0, room - at)
      buffer.set(first, at)
      buffer.set(pcm.subarray(first.length), 0)
      end += pcm.length / BYTES_PER_MS
    },
    from(asked) {
      const position = Math.min(end, Math.max(Math.floor(asked), end - longest, 0))
      const frames: Uint8Array<ArrayBuffer>[] = []
      for (let at = position; at < end; at += LONGEST_FRAME)
        frames.push(read(at, Math.min(LONGEST_FRAME, end - at)))
      return { position, frames }
    },
  }
}
