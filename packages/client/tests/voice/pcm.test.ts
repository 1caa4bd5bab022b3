import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCapture } from '../../src/voice/capture.ts'
import { fromPcm16, levelOf, resample, resampling, toPcm16 } from '../../src/voice/pcm.ts'
import { BYTES_PER_MS, createTape } from '../../src/voice/tape.ts'

const RATES = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000]

const tone = (frequency: number, rate: number, seconds: number): Float32Array =>
  Float32Array.from(
    { length: rate * seconds },
    (_, at) => Math.sin((2 * Math.PI * frequency * at) / rate) / 2,
  )

/** All samples, in the chunks of these lengths, over and over. */
function inChunks(from: number, to: number, input: Float32Array, lengths: readonly number[]): number[] {
  let state = resampling(from, to)
  const samples: number[] = []
  for (let at = 0, turn = 0; at < input.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1
    const made = resample(state, input.subarray(at, at + length))
    state = made.next
    samples.push(...made.samples)
    at += length
  }
  return samples
}

/** How loud a frequency is in samples: the amplitude of that part, without both ends. */
function amplitude(samples: readonly number[], frequency: number, rate: number): number {
  const middle = samples.slice(200, -200)
  const [re, im] = [Math.cos, Math.sin].map(wave =>
    middle.reduce((sum, sample, at) => sum + sample * wave((2 * Math.PI * frequency * at) / rate), 0),
  )
  return (2 * Math.hypot(re ?? 0, im ?? 0)) / middle.length
}

test.each(RATES)(
  'VG52 a tone of a microphone with %i samples per second keeps its pitch and loudness at 16,000',
  rate => {
    const samples = inChunks(rate, 16_000, tone(1_000, rate, 0.25), [1_024])
    expect(Math.abs(samples.length - 4_000)).toBeLessThan(64)
    expect(amplitude(samples, 1_000, 16_000)).toBeCloseTo(0.5, 2)
    expect(amplitude(samples, 1_500, 16_000)).toBeLessThan(0.01)
  },
)

test('VG52 a tone above half of the new rate is not heard as a lower one', () => {
  const samples = inChunks(48_000, 16_000, tone(11_000, 48_000, 0.25), [1_024])
  expect(amplitude(samples, 5_000, 16_000)).toBeLessThan(0.005)
  expect(levelOf(Float32Array.from(samples))).toBeLessThan(0.01)
})

test('VG52 however a stream is cut into chunks, of odd lengths and empty ones too, its samples are the same', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...RATES),
      fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.float({ min: -2, max: 2, noNaN: true }), { minLength: 1, maxLength: 900 }),
      (rate, lengths, input) => {
        const all = Float32Array.from(input)
        const whole = resample(resampling(rate, 16_000), all)
        expect(inChunks(rate, 16_000, all, lengths)).toEqual([...whole.samples])
        expect(resample(whole.next, new Float32Array()).samples).toHaveLength(0)
        expect(whole.next.tail.length).toBeLessThan(200)
      },
    ),
    { numRuns: 60 },
  )
})

test('VG52 whatever a microphone gives becomes 16 bits: louder samples are clipped, others are silence', () => {
  const given = [0, 1, -1, 7, -7, Number.POSITIVE_INFINITY, Number.NaN, 0.5]
  const view = new DataView(toPcm16(Float32Array.from(given)).buffer)
  expect(given.map((_, at) => view.getInt16(at * 2, true))).toEqual([
    ...[0, 32_767, -32_767, 32_767, -32_767, 32_767, 0, 16_384],
  ])
})

test('VG52 samples survive the way to bytes and back; half a sample at the end is dropped', () => {
  fc.assert(
    fc.property(fc.float32Array({ min: -1, max: 1, noNaN: true }), fc.boolean(), (samples, odd) => {
      const bytes = toPcm16(samples)
      const padded = new Uint8Array([...bytes, ...(odd ? [7] : [])])
      const back = fromPcm16(padded.buffer)
      expect(back.length).toBe(samples.length)
      for (const [at, sample] of samples.entries())
        expect(Math.abs((back[at] ?? 9) - sample)).toBeLessThan(1 / 16_000)
    }),
  )
})

test('VG52 frames of a call have 20 milliseconds each, at every rate, with their loudness', () => {
  for (const rate of RATES) {
    const frames: number[] = []
    const levels: number[] = []
    const capture = createCapture(rate, (pcm, level) => {
      frames.push(pcm.length)
      levels.push(level)
    })
    const sound = tone(440, rate, 0.2)
    for (let at = 0; at < sound.length; at += 1_024) capture(sound.subarray(at, at + 1_024))
    expect(new Set(frames)).toEqual(new Set([20 * BYTES_PER_MS]))
    expect(frames.length).toBeGreaterThanOrEqual(9)
    expect(levels.at(-2)).toBeCloseTo(0.5 / Math.SQRT2, 1)
  }
  expect(levelOf(new Float32Array())).toBe(0)
})

test('VG56 the tape gives back what was written, from every position, or from the oldest that it has', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 20 }),
      fc.integer({ min: -5, max: 300 }),
      (longest, lengths, asked) => {
        const tape = createTape(longest)
        const all: number[] = []
        for (const length of lengths) {
          const part = Uint8Array.from(
            { length: Math.min(length, longest) * BYTES_PER_MS },
            (_, at) => (all.length + at) % 251,
          )
          tape.write(part)
          all.push(...part)
        }
        const { frames, position } = tape.from(asked)
        expect(tape.end).toBe(all.length / BYTES_PER_MS)
        expect(position).toBe(Math.min(tape.end, Math.max(asked, 0, tape.end - longest)))
        expect(frames.flatMap(frame => [...frame])).toEqual(all.slice(position * BYTES_PER_MS))
      },
    ),
    { numRuns: 100 },
  )
})

test('VG56 a frame of the tape is no longer than the server takes', () => {
  const tape = createTape(5_000)
  tape.write(new Uint8Array(3_500 * BYTES_PER_MS))
  expect(tape.from(0).frames.map(({ length }) => length)).toEqual([32_000, 32_000, 32_000, 16_000])
})
