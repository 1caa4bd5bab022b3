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

/** The sound of a WAV: 16-bit PCM. */
interface WavSound {
  readonly channels: number
  readonly samplesPerSecond: number
  /** Bytes of all samples. */
  readonly bytes: number
}

/** Bytes before the samples of a WAV. */
export const WAV_HEAD = 44
const SAMPLE = 2

/** Returns the beginning of a WAV of 16-bit samples. */
export function wavHead({ bytes, channels, samplesPerSecond }: WavSound): Uint8Array {
  const head = new Uint8Array(WAV_HEAD)
  const view = new DataView(head.buffer)
  const write = (at: number, letters: string): void => {
    for (let index = 0; index < letters.length; index++) head[at + index] = letters.charCodeAt(index)
  }
  write(0, 'RIFF')
  view.setUint32(4, WAV_HEAD - CHUNK_HEADER + bytes, true)
  write(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  // PCM.
  view.setUint16(20, 1, true)
  view.setUint16(22, channels, true)
  view.setUint32(24, samplesPerSecond, true)
  view.setUint32(28, samplesPerSecond * channels * SAMPLE, true)
  view.setUint16(32, channels * SAMPLE, true)
  view.setUint16(34, SAMPLE * 8, true)
  write(36, 'data')
  view.setUint32(40, bytes, true)
  return head
}

/** Returns a WAV of 16-bit samples of one channel. */
export function wavOf(samples: Int16Array, samplesPerSecond: number): Uint8Array {
  const sound = samples.length * SAMPLE
  const bytes = new Uint8Array(WAV_HEAD + sound)
  bytes.set(wavHead({ bytes: sound, channels: 1, samplesPerSecond }))
  const view = new DataView(bytes.buffer)
  for (const [index, sample] of samples.entries()) view.setInt16(WAV_HEAD + index * SAMPLE, sample, true)
  return bytes
}
