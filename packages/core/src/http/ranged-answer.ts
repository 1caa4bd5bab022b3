import { type ByteRange, rangeOf } from '../domain/byte-range.ts'
import { PlatformError } from '../errors.ts'
import type { HttpRequest } from './route.ts'

/** Bytes of which any part can be read. */
interface Ranged {
  readonly bytes: number
  /** Other bytes have another one: visible characters without quotes. */
  readonly tag: string
  readonly read: (part: ByteRange) => AsyncIterable<Uint8Array>
}

/**
 * Answers with bytes, or with the one range of them that the request asks for (HT70). Who has a part of other bytes is
 * given all of them.
 *
 * @throws RANGE_OUTSIDE
 */
export function rangedAnswer(
  { headers: asked, method }: Pick<HttpRequest, 'headers' | 'method'>,
  { bytes, read, tag }: Ranged,
  headers: Readonly<Record<string, string>>,
) {
  const etag = `"${tag}"`
  const { range, 'if-range': known = etag } = asked
  // Ranges are for GET alone.
  const found = method === 'GET' && known === etag ? rangeOf(range, bytes) : 'everything'
  if (found === null)
    throw new PlatformError('RANGE_OUTSIDE', `There are ${bytes} bytes. Ask for some of them.`, { bytes })
  const part = found === 'everything' ? { from: 0, to: bytes } : found
  const sent = {
    ...headers,
    ...{ 'Accept-Ranges': 'bytes', ETag: etag, 'Content-Length': String(part.to - part.from) },
  }
  const chunks = read(part)
  if (found === 'everything') return { status: 200, headers: sent, chunks } as const
  const told = { ...sent, 'Content-Range': `bytes ${part.from}-${part.to - 1}/${bytes}` }
  return { status: 206, headers: told, chunks } as const
}
