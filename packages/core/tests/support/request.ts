import { bodyTooLarge } from '../../src/http/read-json.ts'
import type { HttpRequest } from '../../src/http/route.ts'

/** What a test says of a request; the rest is ordinary. */
export interface RequestLike {
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown
  readonly remoteAddress?: string
}

/** A request as a binding would describe it: `GET /path?query`. */
export function request(
  line: string,
  { headers = {}, body, remoteAddress = '203.0.113.9' }: RequestLike = {},
): HttpRequest {
  const [method = '', target = ''] = line.split(' ')
  const [path = '', query = ''] = target.split('?')
  const text = (): string =>
    body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const bytes = body instanceof Uint8Array ? body : new TextEncoder().encode(text())
  return {
    method,
    path,
    query,
    headers,
    async body(limit) {
      if (bytes.length > limit) throw bodyTooLarge(limit)
      return bytes
    },
    remoteAddress,
    secure: true,
  }
}
