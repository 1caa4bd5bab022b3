import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

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

/** Answers an upgrade request with an error instead of a socket. */
export function refuseUpgrade(
  socket: Duplex,
  answer: UpgradeAnswer,
  headers: Readonly<Record<string, string>> = {},
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
  socket.once('finish', () => socket.destroy())
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
