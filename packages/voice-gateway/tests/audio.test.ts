import { wavOf } from '@colloquy/core'
import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesOf, levelOf, roomFor, samplesOf } from '../src/audio/pcm.ts'
import { createResampler } from '../src/audio/resample.ts'
import { pcmOfWav } from '../src/audio/wav.ts'
import { createEnergyDetector } from '../src/domain/energy-detector.ts'
import { fromMuLaw, toMuLaw } from '../src/twilio/mu-law.ts'

const sine = (hertz: number, rate: number, seconds: number, level = 10_000): Int16Array =>
  Int16Array.from({ length: Math.round(rate * seconds) }, (_, at) =>
    Math.round(level * Math.sin((2 * Math.PI * hertz * at) / rate)),
  )

test('samples are the same as bytes and back, at any place of a buffer', () => {
  fc.assert(
    fc.property(fc.int16Array(), fc.nat(3), (samples, offset) => {
      const bytes = bytesOf(samples)
      const moved = new Uint8Array(bytes.length + offset)
      moved.set(bytes, offset)
      expect(samplesOf(moved.subarray(offset))).toEqual(samples)
    }),
    { numRuns: runs(100, 2_000) },
  )
})

test('audio that is kept has room of its own, beside nothing that is soon forgotten', () => {
  const sizes = [640, 7, 960, 8_192, 640]
  const rooms = Array.from({ length: 100 }, () => sizes.map(size => roomFor(size))).flat()
  const others = new Set<ArrayBufferLike>(Array.from({ length: 500 }, () => Buffer.allocUnsafe(640).buffer))
  for (const [at, room] of rooms.entries()) room.fill(at % 256)
  expect(rooms.filter((room, at) => room.some(byte => byte !== at % 256))).toEqual([])
  expect(rooms.filter(({ buffer, byteOffset }) => others.has(buffer) || byteOffset % 2 === 1)).toEqual([])
  // Much that is small shares few buffers.
  expect(new Set(rooms.map(({ buffer }) => buffer)).size).toBeLessThan(rooms.length / 20)
})

test.each([
  [8_000, 16_000],
  [24_000, 8_000],
  [22_050, 24_000],
  [16_000, 24_000],
])('a voice keeps its level from %i to %i Hz, however it is cut into chunks', (from, to) => {
  const sound = sine(440, from, 1)
  const whole = createResampler(from, to)(sound)
  expect(Math.abs(whole.length - to)).toBeLessThan(to / 100)
  const middle = whole.subarray(to / 10, to - to / 10)
  expect(levelOf(middle)).toBeGreaterThan(levelOf(sound) * 0.97)
  expect(levelOf(middle)).toBeLessThan(levelOf(sound) * 1.03)
  const inParts = createResampler(from, to)
  const parts: number[] = []
  for (let at = 0, size = 1; at < sound.length; at += size, size = (size * 7) % 331)
    parts.push(...inParts(sound.subarray(at, at + size)))
  expect(Int16Array.from(parts)).toEqual(whole)
})

/** A voice that is louder than 16 bits can say. */
const clipping = (rate: number, ms: number): Int16Array =>
  Int16Array.from({ length: (rate * ms) / 1_000 }, (_, at) =>
    Math.floor((at * 400) / rate) % 2 === 0 ? 32_767 : -32_768,
  )

test.each([
  [8_000, 16_000],
  [24_000, 8_000],
  [22_050, 24_000],
])('a voice that clips stays at its limit from %i to %i Hz, and never turns round', (from, to) => {
  const loud = createResampler(from, to)(clipping(from, 1_000))
  const soft = createResampler(from, to)(clipping(from, 1_000).map(sample => Math.round(sample / 4)))
  expect(levelOf(loud)).toBeGreaterThan(30_000)
  const turned = loud.filter((sample, at) => Math.abs(soft[at] ?? 0) > 100 && sample * (soft[at] ?? 0) < 0)
  expect(turned).toHaveLength(0)
  const onThePhone = fromMuLaw(toMuLaw(loud))
  expect(onThePhone.filter((sample, at) => sample * (loud[at] ?? 0) < 0)).toHaveLength(0)
})

test('what the lower rate cannot carry is left out, not folded back', () => {
  const high = createResampler(24_000, 8_000)(sine(7_000, 24_000, 1))
  expect(levelOf(high.subarray(800, 7_200))).toBeLessThan(1_000)
})

test('mu-law is that of telephones, and back again', () => {
  expect([...toMuLaw(Int16Array.of(0, 1_000, -1_000, 32_767, -32_768))]).toEqual([
    0xff, 0xce, 0x4e, 0x80, 0x00,
  ])
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  // Two bytes mean zero.
  expect([...toMuLaw(fromMuLaw(bytes))]).toEqual([...bytes].map(byte => (byte === 0x7f ? 0xff : byte)))
})

test('a WAV becomes samples, wherever its chunks end', async () => {
  const sound = sine(440, 24_000, 0.1)
  const wav = wavOf(sound, 24_000)
  for (const size of [1, 7, 43, 44, 45, 4_000]) {
    async function* chunks() {
      for (let at = 0; at < wav.length; at += size) yield wav.subarray(at, at + size)
    }
    const parts: Uint8Array[] = []
    for await (const part of pcmOfWav(chunks(), 24_000)) parts.push(part)
    expect(samplesOf(Buffer.concat(parts))).toEqual(sound)
  }
})

test.each(['', 'RIFF', 'an mp3, or some other sound that is no WAV at all'])('%j is no WAV', async text => {
  async function* chunks() {
    yield new TextEncoder().encode(text)
  }
  const reading = (async () => {
    for await (const _ of pcmOfWav(chunks(), 24_000));
  })()
  await expect(reading).rejects.toThrow('The sound is no WAV.')
})

test('VG2 a lasting noise is no voice after three seconds, and a voice above it is one', () => {
  const detector = createEnergyDetector()
  let state = detector.initial
  const hear = (samples: Int16Array) => {
    const [next, verdict] = detector.observe(state, { samples, partial: '' })
    state = next
    return verdict
  }
  const noise = sine(120, 16_000, 0.02, 1_000)
  for (let at = 0; at < 4_000; at += 20) hear(noise)
  expect(hear(noise).kind).toBe('silence')
  expect(hear(sine(300, 16_000, 0.02, 6_000)).kind).toBe('speech')
})

test('VG2 words that seem unfinished are waited for longer', () => {
  const detector = createEnergyDetector()
  const quietAfter = (partial: string): number => {
    let [state] = detector.observe(detector.initial, { samples: sine(300, 16_000, 0.02), partial })
    for (let quiet = 20; ; quiet += 20) {
      const [next, { kind }] = detector.observe(state, { samples: new Int16Array(320), partial })
      state = next
      if (kind === 'end') return quiet
    }
  }
  expect(quietAfter('When is breakfast')).toBe(500)
  expect(quietAfter('On Monday, ')).toBe(3_000)
})
