/** Four letters, as chunks of a WAV begin with. */
const lettersAt = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4))

/** The length that a chunk gives if it is written while it is streamed. */
const UNKNOWN_LENGTHS: readonly number[] = [0, 0xff_ff_ff_ff]

const RIFF_HEADER = 12
const CHUNK_HEADER = 8
const BYTE_RATE = 8

/**
 * Returns the seconds of sound in a WAV. Returns null for other bytes. If the length was not known when it was
 * written, as in streams, the sound goes to the end.
 */
export function wavSeconds(bytes: Uint8Array): number | null {
  if (lettersAt(bytes, 0) !== 'RIFF' || lettersAt(bytes, 8) !== 'WAVE') return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let bytesPerSecond = 0
  for (let at = RIFF_HEADER; at + CHUNK_HEADER <= bytes.length; ) {
    const name = lettersAt(bytes, at)
    const length = view.getUint32(at + 4, true)
    const begin = at + CHUNK_HEADER
    if (name === 'fmt ' && begin + BYTE_RATE + 4 <= bytes.length)
      bytesPerSecond = view.getUint32(begin + BYTE_RATE, true)
    if (name === 'data') {
      const rest = bytes.length - begin
      const sound = UNKNOWN_LENGTHS.includes(length) ? rest : Math.min(length, rest)
      return bytesPerSecond === 0 ? null : sound / bytesPerSecond
    }
    // Chunks begin at even places.
    at = begin + length + (length % 2)
  }
  return null
}

/** Returns a WAV of 16-bit samples of one channel. */
export function wavOf(samples: Int16Array, samplesPerSecond: number): Uint8Array {
  const sound = samples.length * 2
  const bytes = new Uint8Array(44 + sound)
  const view = new DataView(bytes.buffer)
  const write = (at: number, letters: string): void => {
    for (let index = 0; index < 4; index++) bytes[at + index] = letters.charCodeAt(index)
  }
  write(0, 'RIFF')
  view.setUint32(4, 36 + sound, true)
  write(8, 'WAVE')
  write(12, 'fmt ')
  view.setUint32(16, 16, true)
  // PCM, one channel.
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, samplesPerSecond, true)
  view.setUint32(28, samplesPerSecond * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  write(36, 'data')
  view.setUint32(40, sound, true)
  for (const [index, sample] of samples.entries()) view.setInt16(44 + index * 2, sample, true)
  return bytes
}
