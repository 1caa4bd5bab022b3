/** A part of some bytes. */
export interface ByteRange {
  /** The place of its first byte, from 0. */
  readonly from: number
  /** The place after its last byte. */
  readonly to: number
}

const ONE_RANGE = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i

/**
 * Reads a `Range` header for so many bytes (RFC 9110, section 14). Null where it asks for no bytes that are there.
 * Everything is the answer to several ranges, and to what is not understood.
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | 'everything' | null {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? []
  if (first === '' && last === '') return 'everything'
  if (first === '') {
    const from = Math.max(0, bytes - Number(last))
    return from === bytes ? null : { from, to: bytes }
  }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return 'everything'
  if (from >= bytes) return null
  return { from, to: last === '' ? bytes : Math.min(bytes, Number(last) + 1) }
}
