import type { ColumnValue } from '@colloquy/core/store'

/** Type of a statement's parameter. */
export type SqlValue = string | bigint | null

const BESIDE = '\ue000'
const TO_KEEP = /[\ud800-\udfff\ue000]/gu
const FIRST_HALF = 0xd800

/**
 * Returns a text as its column holds it. UTF-8 has no halves of surrogate pairs: each is kept as two characters, the
 * first of which is U+E000, and so is U+E000 itself. Texts that differ stay so, in the order of their code points.
 * Nothing reads them back: documents come from their JSON, which escapes such halves.
 */
export const keptText = (text: string): string =>
  text.replace(TO_KEEP, found =>
    found === BESIDE ? BESIDE + BESIDE : BESIDE + String.fromCharCode(found.charCodeAt(0) - FIRST_HALF),
  )

const LAST = 2n ** 63n - 1n

/**
 * Returns a number as it is sent: the driver sends greater ones than 2^31 as fractions. Beyond what fits is the last
 * one.
 */
function keptNumber(value: number): bigint {
  if (Number.isSafeInteger(value)) return BigInt(value)
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return BigInt(Math.floor(value))
  return value > 0 ? LAST : -LAST
}

/** Returns a value of a column as it is sent. */
export function keptValue(value: ColumnValue): SqlValue {
  if (value === null) return null
  return typeof value === 'string' ? keptText(value) : keptNumber(value)
}
