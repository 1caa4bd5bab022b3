import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenOn } from '@colloquy/test-support/messaging-host'
import { onTestFinished } from 'vitest'

/** Says what a server of ours never would. */
export type Lie = (answer: ServerResponse, request: IncomingMessage) => void

/** A server that tells one lie after the other, and the last one for ever. */
export async function startLying(...lies: readonly Lie[]) {
  const asked: IncomingMessage[] = []
  const bodies: string[] = []
  const server = createServer(async (request, answer) => {
    asked.push(request)
    const lie = lies[asked.length - 1] ?? lies.at(-1)
    let body = ''
    for await (const part of request) body += part
    bodies.push(body)
    lie?.(answer, request)
  })
  const port = await listenOn(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${port}`, port, asked, bodies }
}

/** An answer in JSON. */
export const says =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Lie =>
  answer => {
    answer.writeHead(status, { 'content-type': 'application/json', ...headers })
    answer.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
