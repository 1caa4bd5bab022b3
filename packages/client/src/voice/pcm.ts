/** Lobes of the filter on each side of a sample: enough that speech has no audible alias. */
const LOBES = 8

/** A change of the sample rate, in the middle of a stream. Plain data: `resample` makes the next one. */
export interface Resampling {
  /** Samples per second of the input and of the output, whole numbers. */
  readonly from: number
  readonly to: number
  /** Input samples that later output still needs. */
  readonly tail: Float32Array
  /** Place of the first of them in the whole input. Negative at the beginning, which silence comes before. */
  readonly start: number
  /** Number of output samples so far. */
  readonly made: number
}

/** Input samples that the filter reads on each side. */
const reach = ({ from, to }: Pick<Resampling, 'from' | 'to'>): number =>
  Math.ceil(LOBES * Math.max(1, from / to))

/** Begins a change of the rate. Both rates are above 0. */
export function resampling(from: number, to: number): Resampling {
  const before = reach({ from, to })
  return { from, to, tail: new Float32Array(before), start: -before, made: 0 }
}

/** A low-pass of the lower of both rates: a sinc below a cosine window. */
function filter({ from, to }: Resampling, fraction: number, width: number): Float32Array {
  const cutoff = Math.min(1, to / from)
  const taps = Float32Array.from({ length: 2 * width }, (_, at) => {
    const x = at + 1 - width - fraction
    const angle = Math.PI * x * cutoff
    return Math.abs(x) < width
      ? (angle === 0 ? 1 : Math.sin(angle) / angle) * Math.cos((Math.PI * x) / width / 2) ** 2
      : 0
  })
  // A constant input keeps its value, whatever the fraction.
  const sum = taps.reduce((all, tap) => all + tap, 0)
  return taps.map(tap => tap / sum)
}

const filters = new Map<string, Float32Array>()

/** Rates of real devices need up to 441 filters. */
const MOST_FILTERS = 1_024

function filterAt(now: Resampling, remainder: number, width: number): Float32Array {
  const key = `${now.from} ${now.to} ${remainder}`
  const found = filters.get(key) ?? filter(now, remainder / now.to, width)
  if (filters.size < MOST_FILTERS) filters.set(key, found)
  return found
}

/**
 * Changes the rate of the next samples of a stream. However the input is cut into chunks, the output is the same. It
 * lags the input by some samples, and never drifts: positions are whole numbers.
 */
export function resample(
  now: Resampling,
  chunk: Float32Array,
): { readonly next: Resampling; readonly samples: Float32Array } {
  const { from, start, tail, to } = now
  const width = reach(now)
  const input = new Float32Array(tail.length + chunk.length)
  input.set(tail)
  input.set(chunk, tail.length)
  const end = start + input.length
  const samples: number[] = []
  let { made } = now
  for (; Math.floor((made * from) / to) + width < end; made += 1) {
    const place = Math.floor((made * from) / to)
    const taps = filterAt(now, (made * from) % to, width)
    let sum = 0
    for (let at = 0; at < taps.length; at += 1)
      sum += (taps[at] ?? 0) * (input[place + 1 - width + at - start] ?? 0)
    samples.push(sum)
  }
  const needed = Math.min(end, Math.floor((made * from) / to) + 1 - width)
  return {
    next: { from, to, tail: input.slice(needed - start), start: needed, made },
    samples: Float32Array.from(samples),
  }
}

/** Writes samples from -1 to 1 as 16-bit little-endian PCM. Louder ones are clipped; what is no number is silence. */
export function toPcm16(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length * 2)
  const view = new DataView(bytes.buffer)
  samples.forEach((sample, at) => {
    view.setInt16(at * 2, Math.round(Math.max(-1, Math.min(1, sample || 0)) * 32_767), true)
  })
  return bytes
}

/** Reads 16-bit little-endian PCM. Half a sample at the end is dropped. */
export function fromPcm16(bytes: ArrayBuffer): Float32Array<ArrayBuffer> {
  const view = new DataView(bytes)
  return Float32Array.from({ length: bytes.byteLength >> 1 }, (_, at) => view.getInt16(at * 2, true) / 32_768)
}

/** Returns the loudness of samples, from 0 to 1: the root of the mean square. */
export function levelOf(samples: Float32Array): number {
  const sum = samples.reduce((all, sample) => all + sample * sample, 0)
  return samples.length === 0 ? 0 : Math.min(1, Math.sqrt(sum / samples.length)) || 0
}
