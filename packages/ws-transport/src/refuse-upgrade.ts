import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { correlationOf, RESPONSE_HEADERS } from '@colloquy/core'

/** What is said to somebody whose upgrade request is refused. */
export interface UpgradeAnswer {
  readonly status: number
  /** Becomes JSON. */
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer of the messaging family: `{message, error}`. */
export const messagingAnswer = (
  status: number,
  message: string,
  retryAfterSeconds?: number,
): UpgradeAnswer => ({
  status,
  body: { message, error: message },
  ...(retryAfterSeconds === undefined ? {} : { headers: { 'Retry-After': String(retryAfterSeconds) } }),
})

/** What the head of every refusal says besides: what all our answers say (HY10), and the correlation id. */
export const refusalHeaders = (
  context: Parameters<typeof correlationOf>[0],
  headers: IncomingHttpHeaders,
): Readonly<Record<string, string>> => ({
  ...RESPONSE_HEADERS,
  ...correlationOf(context, headers).headers,
})

/**
 * Answers an upgrade request with an error instead of a socket.
 *
 * @param timeout milliseconds until a client that does not read the answer is cut off
 */
export function refuseUpgrade(
  socket: Duplex,
  answer: UpgradeAnswer,
  timeout: number,
  headers: Readonly<Record<string, string>> = RESPONSE_HEADERS,
): void {
  const { status } = answer
  const body = JSON.stringify(answer.body)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries({ ...answer.headers, ...headers }).map(([name, value]) => `${name}: ${value}`),
  ]
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const late = setTimeout(() => socket.destroy(), timeout)
  socket.once('finish', () => socket.destroy()).once('close', () => clearTimeout(late))
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
