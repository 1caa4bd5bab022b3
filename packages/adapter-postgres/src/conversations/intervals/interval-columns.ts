import type { ActivityBlock } from '@colloquy/core/domain'
import type { IntervalConditions } from '@colloquy/core/store'
import type { BlockRow, SourcesRow } from './interval-statements.ts'
import { STRETCH } from './spans.ts'

/** Rows of the variant table by their place in a list. */
export type VariantPlaces = ReadonlyMap<number, number>

/** Of nothing. */
const EMPTY = Buffer.alloc(0)

const TWO_TO_32 = 2 ** 32

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Moments of 64 bits; what is beyond all moments is no end. */
function moments(bytes: Buffer): Float64Array {
  const view = viewOf(bytes)
  return Float64Array.from({ length: bytes.byteLength / 8 }, (_, at) => {
    const moment = view.getInt32(at * 8) * TWO_TO_32 + view.getUint32(at * 8 + 4)
    return moment > Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : moment
  })
}

/** Conversations that are in no block. */
export function looseColumns({ starts, ends, variant }: SourcesRow, places: VariantPlaces) {
  const rows = viewOf(variant ?? EMPTY)
  return {
    starts: moments(starts ?? EMPTY),
    ends: moments(ends ?? EMPTY),
    variant: Uint32Array.from(
      { length: rows.byteLength / 4 },
      (_, at) => places.get(rows.getInt32(at * 4)) ?? 0,
    ),
  }
}

/** Numbers of so many bytes each, one after the other. Counted loops: a week is a million of them. */
function numbers(bytes: Uint8Array, width: number, from: number, count: number): Uint32Array {
  const all = new Uint32Array(count)
  if (width === 3) {
    for (let at = 0, byte = from; at < count; at += 1, byte += 3)
      all[at] = ((bytes[byte] ?? 0) << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0)
    return all
  }
  let byte = from
  for (let at = 0; at < count; at += 1) {
    let number = 0
    for (let place = 0; place < width; place += 1) number = (number << 8) | (bytes[byte + place] ?? 0)
    all[at] = number
    byte += width
  }
  return all
}

const START_BYTES = 3
const durationBytes = (span: number): number => (span === 0 ? 3 : 4)
const PAIR_BYTES = 2

/** A block as it is at hand. It never changes. */
export interface Block {
  readonly base: number
  readonly starts: Uint32Array
  readonly durations: Uint32Array
  /** Index into `variants`. */
  readonly variant: Uint32Array
  /** Rows of the variant table. */
  readonly variants: readonly number[]
  /** Different pairs of language and number, and the pair of each conversation; `of` is empty when there is but one. */
  readonly languages: readonly (string | null)[]
  readonly numbers: readonly (string | null)[]
  readonly of: Uint32Array
}

/** Reads the columns of a block. */
export function toBlock(row: BlockRow): Block {
  const { span, stretch, intervals } = row
  const [packed, pairs] = [Buffer.from(row.packed, 'base64'), Buffer.from(row.pairs, 'base64')]
  const width = durationBytes(span)
  const head = intervals * (START_BYTES + width)
  return {
    base: stretch * STRETCH,
    starts: numbers(packed, START_BYTES, 0, intervals),
    durations: numbers(packed, width, intervals * START_BYTES, intervals),
    variant: numbers(packed, (packed.byteLength - head) / intervals, head, intervals),
    variants: row.variants,
    languages: row.languages,
    numbers: row.numbers,
    of: numbers(pairs, PAIR_BYTES, 0, pairs.byteLength / PAIR_BYTES),
  }
}

/** Bytes that a block holds. */
export const sizeOf = ({ starts, durations, variant, of }: Block): number =>
  starts.byteLength + durations.byteLength + variant.byteLength + of.byteLength

/** Which of a block's conversations have the language and the number that are wanted; null: all. */
function calledRows(
  { languages, numbers, of }: Block,
  { language, phoneNumber }: IntervalConditions,
): ((at: number) => boolean) | null {
  const fits = numbers.map(
    (number, pair) =>
      (language === undefined || languages[pair] === language) &&
      (phoneNumber === undefined || number === phoneNumber),
  )
  return fits.every(Boolean) ? null : at => fits[of[at] ?? 0] ?? false
}

/** A block with those of its conversations that the conditions take. */
export function blockColumns(
  block: Block,
  places: VariantPlaces,
  conditions: IntervalConditions,
  takes: (place: number) => boolean,
): ActivityBlock {
  const { base, variants } = block
  const placeOf = Uint32Array.from(variants, one => places.get(one) ?? 0)
  const isTaken = variants.map((_, at) => takes(placeOf[at] ?? 0))
  const isCalled = calledRows(block, conditions)
  if (isCalled === null && isTaken.every(Boolean)) {
    const variant = block.variant.map(local => placeOf[local] ?? 0)
    return { base, starts: block.starts, durations: block.durations, variant }
  }
  const [starts, durations, variant] = [block.starts.slice(), block.durations.slice(), block.variant.slice()]
  let length = 0
  for (let at = 0; at < starts.length; at += 1) {
    const local = block.variant[at] ?? 0
    if (!isTaken[local] || (isCalled !== null && !isCalled(at))) continue
    starts[length] = block.starts[at] ?? 0
    durations[length] = block.durations[at] ?? 0
    variant[length] = placeOf[local] ?? 0
    length += 1
  }
  return {
    base,
    starts: starts.subarray(0, length),
    durations: durations.subarray(0, length),
    variant: variant.subarray(0, length),
  }
}
