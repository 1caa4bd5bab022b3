import { bytesOf, samplesOf } from './pcm.ts'
import { createResampler } from './resample.ts'

/** The format of a WAV. */
interface WavHead {
  readonly rate: number
  readonly channels: number
  readonly bits: number
  /** The position of the first sample. */
  readonly offset: number
}

/** The longest head that is read, bytes. */
const LONGEST_HEAD = 4_096

const nameAt = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))

/**
 * Reads the head of a WAV with PCM. Returns null if more bytes are needed.
 * @throws TypeError for what is no WAV with PCM of 16 bits
 */
function readWavHead(bytes: Uint8Array): WavHead | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.byteLength < 12) return null
  if (nameAt(view, 0) !== 'RIFF' || nameAt(view, 8) !== 'WAVE') throw new TypeError('The sound is no WAV.')
  let format: Omit<WavHead, 'offset'> | null = null
  for (let at = 12; at + 8 <= view.byteLength && at < LONGEST_HEAD; ) {
    const [name, size] = [nameAt(view, at), view.getUint32(at + 4, true)]
    if (name === 'data' && format !== null) return { ...format, offset: at + 8 }
    if (at + 8 + size > view.byteLength && size < LONGEST_HEAD) return null
    if (name === 'fmt ') {
      format = {
        channels: view.getUint16(at + 10, true),
        rate: view.getUint32(at + 12, true),
        bits: view.getUint16(at + 22, true),
      }
      if (format.channels !== 1 || format.bits !== 16 || format.rate < 4_000 || format.rate > 192_000)
        throw new TypeError(
          'A WAV must have one channel, 16 bits a sample and 4,000 to 192,000 samples a second.',
        )
    }
    at += 8 + size + (size % 2)
  }
  if (view.byteLength < LONGEST_HEAD) return null
  throw new TypeError('The WAV has no sound.')
}

/** Returns the chunks of a WAV as PCM at another rate. @throws TypeError as `readWavHead` does */
export async function* pcmOfWav(chunks: AsyncIterable<Uint8Array>, rate: number): AsyncGenerator<Uint8Array> {
  let head: WavHead | null = null
  let rest: Uint8Array = new Uint8Array()
  let resample: ReturnType<typeof createResampler> = samples => samples
  for await (const chunk of chunks) {
    const joined = new Uint8Array(rest.length + chunk.length)
    joined.set(rest)
    joined.set(chunk, rest.length)
    rest = joined
    if (head === null) {
      head = readWavHead(rest)
      if (head === null) continue
      rest = rest.slice(head.offset)
      resample = createResampler(head.rate, rate)
    }
    const even = rest.length - (rest.length % 2)
    const samples = resample(samplesOf(rest.subarray(0, even)))
    rest = rest.slice(even)
    if (samples.length > 0) yield bytesOf(samples)
  }
  if (head === null) throw new TypeError('The sound is no WAV.')
}
