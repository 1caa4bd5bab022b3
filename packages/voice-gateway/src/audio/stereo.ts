import { RECORDED_FRAME, RECORDED_RATE } from '@colloquy/core/transport'

/** Samples of a millisecond. */
export const RECORDED_SAMPLES = RECORDED_RATE / 1_000

/** The length of a part, milliseconds. */
export const PART_MS = 15_000
const PART_SAMPLES = PART_MS * RECORDED_SAMPLES

/** Sides of a recording: bytes from the beginning of a moment. */
const SIDES = { visitor: 0, agent: 2 } as const

/** A recording of two sides that is written at any place that was not taken yet, and taken part by part. */
export interface Stereo {
  /** Writes samples at a place, in samples from the beginning. Those before what was taken are left out. */
  write(side: keyof typeof SIDES, at: number, samples: Int16Array): void
  /** Takes the whole parts that end before a place, in order. */
  take(until: number): readonly Uint8Array[]
  /** Takes all that is left up to a place, the last part cut there. */
  takeAll(until: number): readonly Uint8Array[]
}

/** Returns an empty recording: silence, wherever nothing is written. */
export function createStereo(): Stereo {
  const parts = new Map<number, Uint8Array>()
  let taken = 0

  function partOf(number: number): Uint8Array {
    const known = parts.get(number)
    if (known !== undefined) return known
    const made = new Uint8Array(PART_SAMPLES * RECORDED_FRAME)
    parts.set(number, made)
    return made
  }

  function takePart(): Uint8Array {
    const part = partOf(taken)
    parts.delete(taken)
    taken++
    return part
  }

  function take(until: number): readonly Uint8Array[] {
    const found: Uint8Array[] = []
    while ((taken + 1) * PART_SAMPLES <= until) found.push(takePart())
    return found
  }

  return {
    write(side, at, samples) {
      let view: DataView | null = null
      let number = -1
      for (let index = Math.max(0, taken * PART_SAMPLES - at); index < samples.length; index++) {
        const place = at + index
        const its = Math.floor(place / PART_SAMPLES)
        if (view === null || its !== number) {
          number = its
          view = new DataView(partOf(its).buffer)
        }
        view.setInt16((place % PART_SAMPLES) * RECORDED_FRAME + SIDES[side], samples[index] ?? 0, true)
      }
    },
    take,
    takeAll(until) {
      const whole = take(until)
      const rest = Math.max(0, until - taken * PART_SAMPLES)
      return rest === 0 ? whole : [...whole, takePart().slice(0, rest * RECORDED_FRAME)]
    },
  }
}
