import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type correlationOf, RESPONSE_HEADERS } from '@colloquy/core/transport'

/** The answer to a refused upgrade request. */
export interface UpgradeAnswer {
  readonly status: number
  /** Becomes JSON; an error's id is the correlation id. */
  readonly body: (correlationId: string) => object
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns an answer of the messaging family: `{message, error}`. */
export const messagingAnswer = (
  status: number,
  message: string,
  retryAfterSeconds?: number,
): UpgradeAnswer => ({
  status,
  body: () => ({ message, error: message }),
  ...(retryAfterSeconds === undefined ? {} : { headers: { 'Retry-After': String(retryAfterSeconds) } }),
})

/** The correlation id of a request, and the headers that tell it (HT18). */
export type Correlation = ReturnType<typeof correlationOf>

/**
 * Answers an upgrade request with an error instead of a socket. The head says what all our answers say (HY10), and the
 * correlation id.
 *
 * @param timeout milliseconds until a client that does not read the answer is cut off
 */
export function refuseUpgrade(
  socket: Duplex,
  answer: UpgradeAnswer,
  timeout: number,
  correlation: Correlation,
): void {
  const { status } = answer
  const body = JSON.stringify(answer.body(correlation.id))
  const headers = { ...answer.headers, ...RESPONSE_HEADERS, ...correlation.headers }
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const late = setTimeout(() => socket.destroy(), timeout)
  socket.once('finish', () => socket.destroy()).once('close', () => clearTimeout(late))
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
