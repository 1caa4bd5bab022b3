import { levelOf, resample, resampling, toPcm16 } from './pcm.ts'

/** Samples per second of what goes to the server. */
const UP_RATE = 16_000

/** Samples of a frame: 20 milliseconds. */
const FRAME = 320

/** Turns samples of a microphone into frames of 20 milliseconds: 16-bit PCM of 16,000 samples per second. */
export function createCapture(
  rate: number,
  frame: (pcm: Uint8Array<ArrayBuffer>, level: number) => void,
): (chunk: Float32Array) => void {
  let state = resampling(rate, UP_RATE)
  let rest = new Float32Array()
  return chunk => {
    const { next, samples } = resample(state, chunk)
    state = next
    const all = new Float32Array(rest.length + samples.length)
    all.set(rest)
    all.set(samples, rest.length)
    let at = 0
    for (; at + FRAME <= all.length; at += FRAME) {
      const part = all.subarray(at, at + FRAME)
      frame(toPcm16(part), levelOf(part))
    }
    rest = all.slice(at)
  }
}
