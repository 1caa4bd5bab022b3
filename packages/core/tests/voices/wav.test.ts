import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wavOf, wavSeconds } from '../../src/domain/voice/wav.ts'

const wav = wavOf(new Int16Array(4_000).fill(7), 8_000)

/** The same with other bytes at a place. */
function changed(at: number, ...bytes: readonly number[]): Uint8Array {
  const copy = wav.slice()
  copy.set(bytes, at)
  return copy
}

describe('WAV', () => {
  test('VP2 the length is that of the sound, whatever stands before it', () => {
    expect(wavSeconds(wav)).toBe(0.5)
    expect(wavSeconds(wavOf(new Int16Array(0), 8_000))).toBe(0)
    // A chunk of three letters, and the byte that makes them even.
    const note = new Uint8Array([0x4e, 0x4f, 0x54, 0x45, 3, 0, 0, 0, 1, 2, 3, 0])
    const withNote = new Uint8Array([...wav.subarray(0, 36), ...note, ...wav.subarray(36)])
    expect(wavSeconds(withNote)).toBe(0.5)
    const padded = new Uint8Array([9, 9, ...wav, 9]).subarray(2, 2 + wav.length)
    expect(wavSeconds(padded)).toBe(0.5)
  })

  test('VP2 a length that was not known, or is more than there is, goes to the end', () => {
    for (const unknown of [
      [0xff, 0xff, 0xff, 0xff],
      [0, 0, 0, 0],
      [0xff, 0xff, 0xff, 0x7f],
    ])
      expect(wavSeconds(changed(40, ...unknown))).toBe(0.5)
    expect(wavSeconds(wav.subarray(0, 44 + 4_000))).toBe(0.25)
  })

  test('VP2 what is no WAV has no length', () => {
    for (const bytes of [
      new Uint8Array(0),
      new TextEncoder().encode('RIFF'),
      new TextEncoder().encode('an MP3 of some length, for example'),
      changed(8, 0x41),
      changed(28, 0, 0, 0, 0),
      wav.subarray(0, 36),
    ])
      expect(wavSeconds(bytes)).toBeNull()
  })

  test('VP2 no bytes throw, and a sound has its length', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), bytes => void wavSeconds(bytes)))
    fc.assert(
      fc.property(fc.nat(5_000), fc.integer({ min: 1, max: 96_000 }), (samples, rate) => {
        expect(wavSeconds(wavOf(new Int16Array(samples), rate))).toBeCloseTo(samples / rate, 9)
      }),
    )
  })
})
