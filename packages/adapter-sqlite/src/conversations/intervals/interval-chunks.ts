import type { ActivityBlock } from '@colloquy/core/domain'
import { fromJson } from '../../database/json.ts'
import { STRETCH } from './spans.ts'

/** When a finished conversation was active, and what concurrency filters it by. */
export interface Interval {
  readonly startedAt: number
  readonly finishedAt: number
  /** Row of the variant table. */
  readonly variant: number
  readonly language: string | null
  readonly toNumber: string
}

/** The columns of a chunk, as the file holds them. */
export interface PackedIntervals {
  /** Three columns of 32-bit numbers, little-endian: start (from the stretch's own), duration, variant. */
  readonly packed: Uint8Array
  /** Language and called number of each, as JSON, see {@link Called}. */
  readonly called: string
}

/** Different pairs of language and number, and for each interval its pair; `of` is empty when there is but one pair. */
interface Called {
  readonly pairs: readonly (readonly [language: string | null, toNumber: string])[]
  readonly of: readonly number[]
}

const COLUMNS = 3
const BYTES = Uint32Array.BYTES_PER_ELEMENT
const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

/** Bytes as numbers; copied where they lie or are ordered as this machine does not read them. */
function toNumbers(bytes: Uint8Array): Uint32Array {
  if (LITTLE_ENDIAN && bytes.byteOffset % BYTES === 0) {
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / BYTES)
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Uint32Array.from({ length: bytes.byteLength / BYTES }, (_, at) => view.getUint32(at * BYTES, true))
}

function toBytes(numbers: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(numbers.length * BYTES)
  const view = new DataView(bytes.buffer)
  for (const [at, number] of numbers.entries()) view.setUint32(at * BYTES, number, true)
  return bytes
}

function toCalled(intervals: readonly Interval[]): Called {
  const pairs = new Map<string, readonly [string | null, string]>()
  const places = new Map<string, number>()
  const of = intervals.map(({ language, toNumber }) => {
    const key = JSON.stringify([language, toNumber])
    const place = places.get(key) ?? places.size
    places.set(key, place)
    pairs.set(key, [language, toNumber])
    return place
  })
  return { pairs: [...pairs.values()], of: pairs.size === 1 ? [] : of }
}

/** Packs intervals that begin in one stretch and last less than 2³² milliseconds. */
export function pack(stretch: number, intervals: readonly Interval[]): PackedIntervals {
  const numbers = new Uint32Array(intervals.length * COLUMNS)
  for (const [at, { startedAt, finishedAt, variant }] of intervals.entries()) {
    numbers[at] = startedAt - stretch * STRETCH
    numbers[at + intervals.length] = finishedAt - startedAt
    numbers[at + 2 * intervals.length] = variant
  }
  return { packed: toBytes(numbers), called: JSON.stringify(toCalled(intervals)) }
}

/** The columns of numbers, without a copy where the machine allows it; `variant` holds rows of the variant table. */
export function columnsOf(stretch: number, packed: Uint8Array): ActivityBlock {
  const numbers = toNumbers(packed)
  const length = numbers.length / COLUMNS
  return {
    base: stretch * STRETCH,
    starts: numbers.subarray(0, length),
    durations: numbers.subarray(length, 2 * length),
    variant: numbers.subarray(2 * length),
  }
}

/** The language and the number that are wanted. */
export interface CalledFilter {
  readonly language: string | undefined
  readonly phoneNumber: string | undefined
}

/** Which of a chunk's intervals have the language and the number, where one is given; null: all. */
export function calledRows(called: string, wanted: CalledFilter): ((at: number) => boolean) | null {
  const { pairs, of } = fromJson<Called>(called)
  const fits = pairs.map(
    ([language, toNumber]) =>
      (wanted.language === undefined || wanted.language === language) &&
      (wanted.phoneNumber === undefined || wanted.phoneNumber === toNumber),
  )
  return fits.every(Boolean) ? null : at => fits[of[at] ?? 0] ?? false
}

/** What {@link pack} was given. */
export function unpack(stretch: number, { packed, called }: PackedIntervals): readonly Interval[] {
  const { base, starts, durations, variant } = columnsOf(stretch, packed)
  const { pairs, of } = fromJson<Called>(called)
  return Array.from(starts, (start, at) => {
    const startedAt = base + start
    const [language, toNumber] = pairs[of[at] ?? 0] ?? [null, '']
    const finishedAt = startedAt + (durations[at] ?? 0)
    return { startedAt, finishedAt, variant: variant[at] ?? 0, language, toNumber }
  })
}
