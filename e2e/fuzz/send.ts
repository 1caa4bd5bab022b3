import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { PATIENCE } from '../../scripts/patience.ts'

/** Answer to a request. */
export interface Reply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** A request as it goes over the wire. */
export interface Sent {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | null
}

/** Sends requests to one port, over connections that are kept. */
export interface Sender {
  /** @throws Error when no answer comes in time, or the connection breaks before one */
  send(request: Sent): Promise<Reply>
  close(): void
}

/** A sender of well-formed HTTP; what it carries need not be. */
export function createSender(port: number): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const once = ({ method, target, headers, body }: Sent): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const request = httpRequest({ host: '127.0.0.1', port, method, path: target, agent })
      for (const [name, value] of headers) request.setHeader(name, value)
      if (body !== null && !request.hasHeader('transfer-encoding'))
        request.setHeader('Content-Length', body.length)
      request.setTimeout(PATIENCE, () => request.destroy(new Error('no answer in time')))
      request.on('error', reject)
      request.on('response', response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        )
      })
      request.end(body ?? undefined)
    })
  return {
    async send(request) {
      try {
        return await once(request)
      } catch (error) {
        // A kept connection may be closed at the very moment in which it is taken again: HTTP asks clients to try once
        // more.
        if (error instanceof Error && /ECONNRESET|EPIPE|socket hang up/.test(`${error.message}`))
          return once(request)
        throw error
      }
    },
    close: () => agent.destroy(),
  }
}

/**
 * Writes bytes to a port, ends, and returns what comes back until the server closes.
 * @throws Error when it does not close
 */
export function exchangeBytes(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.setTimeout(PATIENCE, () => socket.destroy(new Error('the server did not close in time')))
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', error => {
      // A refused request is cut off while it is still being written.
      if (/ECONNRESET|EPIPE/.test(error.message)) resolve(Buffer.concat(chunks))
      else reject(error)
    })
    socket.on('close', () => resolve(Buffer.concat(chunks)))
    socket.end(bytes)
  })
}
