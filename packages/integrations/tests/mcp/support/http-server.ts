import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { hotelServer } from './hotel-tools.ts'

/** A real server on a port of its own, until the test is over. */
export async function listen(handler: RequestListener, port = 0) {
  const server = createServer(handler)
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const { port: given } = server.address() as AddressInfo
  async function close(): Promise<void> {
    server.closeAllConnections()
    await new Promise<void>(resolve => server.close(() => resolve()))
  }
  onTestFinished(close)
  return { url: `http://127.0.0.1:${given}/mcp`, port: given, close }
}

/** The hotel's tools over Streamable HTTP; `more` adds tools to each connection's server. */
export async function hotelOverHttp({
  more = () => undefined,
  port = 0,
}: {
  more?(server: McpServer): void
  port?: number
} = {}) {
  const seen: IncomingMessage['headers'][] = []
  const handler = createMcpHandler(() => {
    const server = hotelServer()
    more(server)
    return server
  })
  onTestFinished(() => handler.close())
  const answer = getRequestListener(request => handler.fetch(request), { overrideGlobalObjects: false })
  const served = await listen((request, response) => {
    seen.push(request.headers)
    void answer(request, response)
  }, port)
  return { ...served, seen, notify: handler.notify }
}

const requestSchema = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string(),
  params: z.looseObject({ name: z.string().optional(), cursor: z.string().optional() }).optional(),
})
export type Asked = z.output<typeof requestSchema>

const read = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

/**
 * A server that says what it likes: `tools` are listed as they are, and `call` answers a call, with a result or by
 * itself; `get` answers whoever listens.
 */
export function liar(
  tools: readonly unknown[] | ((cursor?: string) => readonly unknown[]),
  call: (asked: Asked, response: ServerResponse) => unknown,
  get: RequestListener = (_, response) => response.writeHead(405).end(),
) {
  return listen(async (request, response) => {
    if (request.method !== 'POST') return get(request, response)
    const asked = requestSchema.parse(JSON.parse(await read(request)))
    const answer = (result: unknown): void =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, result }))
    if (asked.method === 'initialize')
      return answer({
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'liar', version: '1' },
      })
    if (asked.method === 'tools/list') {
      const listed = typeof tools === 'function' ? tools(asked.params?.cursor) : tools
      return answer({ tools: listed, ...('nextCursor' in listed && { nextCursor: listed.nextCursor }) })
    }
    if (asked.method === 'tools/call') {
      const result = call(asked, response)
      return result === undefined ? undefined : answer(result)
    }
    if (asked.id === undefined) return void response.writeHead(202).end()
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, error: { code: -32601, message: 'Unknown.' } }))
  })
}
