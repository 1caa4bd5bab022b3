/** Changes the rate of a stream of samples. Give it the chunks in order; it keeps what the next chunk needs. */
export type Resampler = (samples: Int16Array) => Int16Array

/** Half the width of the filter, in periods of the lower rate: enough for speech, and little work. */
const LOBES = 6

/** A windowed sinc, which lets through what both rates can carry. `x` is in samples of the input. */
function weight(x: number, cutoff: number, half: number): number {
  if (Math.abs(x) >= half) return 0
  const angle = Math.PI * x * cutoff
  const sinc = x === 0 ? 1 : Math.sin(angle) / angle
  return sinc * cutoff * (0.5 + 0.5 * Math.cos((Math.PI * x) / half))
}

const clipped = (value: number): number => Math.max(-32_768, Math.min(32_767, Math.round(value)))

const divisorOf = (one: number, other: number): number => (other === 0 ? one : divisorOf(other, one % other))

/** Returns the filter's weights for each of the positions that an output can have between two inputs. */
function phasesOf(from: number, to: number, half: number, cutoff: number): readonly Float64Array[] {
  const steps = to / divisorOf(from, to)
  const reach = Math.ceil(half)
  return Array.from({ length: steps }, (_, phase) => {
    const offset = phase / steps
    return Float64Array.from({ length: reach * 2 + 1 }, (__, tap) =>
      weight(tap - reach - offset, cutoff, half),
    )
  })
}

/**
 * Returns a resampler between two rates in samples a second. A chunk's last samples wait for the next one: the delay is
 * under 2 milliseconds.
 */
export function createResampler(from: number, to: number): Resampler {
  if (from === to) return samples => samples
  const cutoff = Math.min(1, to / from)
  const half = LOBES / cutoff
  const reach = Math.ceil(half)
  const phases = phasesOf(from, to, half, cutoff)
  const divisor = divisorOf(from, to)
  const [numerator, steps] = [from / divisor, to / divisor]
  /** Silence before the first sample. */
  let kept = new Int16Array(reach)
  /** Position of the next output: whole input samples in `kept`, and a fraction in steps. */
  let whole = reach
  let phase = 0
  return samples => {
    const input = new Int16Array(kept.length + samples.length)
    input.set(kept)
    input.set(samples, kept.length)
    const output: number[] = []
    while (whole + reach < input.length) {
      const weights = phases[phase] ?? new Float64Array()
      let sum = 0
      for (const [tap, factor] of weights.entries()) sum += (input[whole - reach + tap] ?? 0) * factor
      output.push(clipped(sum))
      phase += numerator
      whole += Math.floor(phase / steps)
      phase %= steps
    }
    const drop = Math.max(0, Math.min(whole - reach, input.length))
    kept = input.slice(drop)
    whole -= drop
    return Int16Array.from(output)
  }
}
