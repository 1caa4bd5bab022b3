import fc from 'fast-check'
import type { Plan } from './plan.ts'

/** A plan as the bytes of a request that asks the server to close afterwards. */
export function bytesOf({ method, target, headers, body }: Plan): Buffer {
  const length = body === null ? [] : [`Content-Length: ${body.length}`]
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...length,
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

/** Requests that are wrong as HTTP. */
const WRONG: readonly string[] = [
  '',
  '\r\n\r\n\r\n',
  'GET /\r\n',
  'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'CONNECT localhost:80 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET http://localhost/v1/agents/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'GET ftp://user:pass@localhost:1/v1/agents/%zz?%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'GET //v1/agents/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'GET ?x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'GET /v1/agents/x HTTP/1.1\r\nConnection: close\r\n\r\n',
  'GET /v1/agents/x HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
  'GET /v1/agents/x HTTP/1.1\r\nHost : a\r\n\r\n',
  'GET /v1/agents/x HTTP/1.1\r\nHost: a\r\n folded\r\nConnection: close\r\n\r\n',
  'GET /v1/agents/x HTTP/1.1\r\nHost: a\nX: \u0000\r\n\r\n',
  'get /v1/agents/x HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{}',
  'POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}{}{}GET / HTTP/1.1',
  'POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n{}',
  'POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n{}',
  'POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
  'POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  'POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}',
  'POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  `POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${'1;x=y\r\n{\r\n'.repeat(2_000)}0\r\nX-Trailer: 1\r\n\r\n`,
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET /v1/agents/x HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  `GET /v1/agents/x HTTP/1.1\r\nHost: a\r\n${'X: x\r\n'.repeat(3_000)}\r\n`,
  'GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'GET /ws?session_id=%00&access_token=%ff HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n',
  'POST /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 5\r\n\r\nhello',
  'GET /desk/v1/ws?api_key=x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 99\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  'GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c, websocket\r\n\r\n',
  'GET //%00@[::1 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
]

const KINDS = ['flip', 'cut', 'insert', 'repeat', 'drop'] as const

/** A good request of which a few bytes are others, are missing, or are one too many. */
const damaged = (good: readonly Buffer[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.constantFrom(...good),
      fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 8 })), {
        minLength: 1,
        maxLength: 4,
      }),
    )
    .map(([bytes, changes]) =>
      changes.reduce<Buffer>((now, [kind, seed, more]) => {
        // Most of what decides is in the head.
        const at = seed % Math.max(1, seed % 3 === 0 ? now.length : Math.min(now.length, 200))
        const head = now.subarray(0, at)
        if (kind === 'cut') return head
        if (kind === 'insert') return Buffer.concat([head, more, now.subarray(at)])
        if (kind === 'repeat') return Buffer.concat([head, now.subarray(at, at + 20), now.subarray(at)])
        if (kind === 'drop') return Buffer.concat([head, now.subarray(at + more.length)])
        return Buffer.concat([head, more, now.subarray(at + more.length)])
      }, bytes),
    )

/** Generates bytes for a whole connection: damaged requests, requests that are invalid HTTP, and anything else. */
export const rawRequests = (good: readonly Buffer[]): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 6, arbitrary: damaged(good) },
    { weight: 3, arbitrary: fc.constantFrom(...WRONG).map(text => Buffer.from(text, 'latin1')) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2_000 }).map(bytes => Buffer.from(bytes)) },
  )

/** Returns the faults in the bytes that came back on a connection. They must be answers below 500, or nothing. */
export function rawFaults(answer: Buffer): readonly string[] {
  const text = answer.toString('latin1')
  if (text === '') return []
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]
  if (status === undefined) return ['bytes that are no answer']
  return Number(status) < 500 || status === '501' ? [] : [`status ${status}`]
}
