import type { ByteRange } from '../domain/byte-range.ts'

/**
 * Returns a part of bytes that come in chunks. After its last byte one chunk more is asked for, so that a part that
 * goes to the end fails if the chunks do there.
 */
export async function* sliceOf(
  chunks: AsyncIterable<Uint8Array>,
  { from, to }: ByteRange,
): AsyncGenerator<Uint8Array> {
  let place = 0
  for await (const chunk of chunks) {
    if (place >= to) return
    const start = place
    place += chunk.length
    if (place > from) yield chunk.subarray(Math.max(0, from - start), Math.max(0, to - start))
  }
}
