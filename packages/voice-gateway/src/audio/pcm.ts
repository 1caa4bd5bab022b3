/** Samples a second from the visitor to the gateway. */
export const UP_RATE = 16_000
/** Samples a second from the gateway to the visitor. */
export const DOWN_RATE = 24_000
/** Bytes of a millisecond. */
export const UP_BYTES = (UP_RATE * 2) / 1_000
export const DOWN_BYTES = (DOWN_RATE * 2) / 1_000
/** Milliseconds of a window, the unit in which speech is looked for. */
export const WINDOW_MS = 20
export const WINDOW_BYTES = WINDOW_MS * UP_BYTES

/** Seconds of several calls fit in a buffer. */
const SHARED_BYTES = 65_536
let shared = new Uint8Array()
let sharedAt = 0

/**
 * Returns room for audio that is kept for a second or two. Small pieces share a buffer: the garbage collector counts
 * buffers, and stops the process more often for many. It is not that of `Buffer.allocUnsafe`, in which what is soon
 * forgotten stands between the pieces, and is kept with them.
 */
export function roomFor(length: number): Uint8Array {
  if (length > SHARED_BYTES / 8) return new Uint8Array(length)
  // Samples begin at an even byte.
  const from = sharedAt + (sharedAt % 2)
  const isFull = from + length > shared.length
  if (isFull) shared = new Uint8Array(SHARED_BYTES)
  const begin = isFull ? 0 : from
  sharedAt = begin + length
  return shared.subarray(begin, sharedAt)
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/**
 * Returns the samples of 16-bit little-endian PCM, whatever the order of the machine and the place in the buffer. They
 * are a view of the bytes where that can be.
 */
export function samplesOf(bytes: Uint8Array): Int16Array {
  if (IS_LITTLE_ENDIAN && bytes.byteOffset % 2 === 0)
    return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const samples = new Int16Array(bytes.byteLength >> 1)
  for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(at * 2, true)
  return samples
}

/** Returns samples as 16-bit little-endian PCM. */
export function bytesOf(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length * 2)
  const view = new DataView(bytes.buffer)
  for (const [at, sample] of samples.entries()) view.setInt16(at * 2, sample, true)
  return bytes
}

/** Returns the root mean square of samples, 0 to 32,768. */
export function levelOf(samples: Int16Array): number {
  if (samples.length === 0) return 0
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.sqrt(sum / samples.length)
}
