import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRouter } from '@colloquy/http-express'
import express from 'express'
import { afterAll } from 'vitest'
import { createWorld, type World } from './world.ts'

/** What came back. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

/** A request as it goes out. */
export interface Outgoing {
  readonly method: string
  readonly path: string
  readonly host: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | null
}

/** Serves a platform in Express on a free port, and asks it over connections that stay open. */
export async function serve({ platform }: Pick<World, 'platform'>) {
  // No connection is closed while it waits, which on a busy machine could be as it is used.
  const server = createServer({ keepAliveTimeout: 0 }, express().use(createRouter(platform)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })

  async function send({ method, path, host, headers = {}, body = null }: Outgoing): Promise<Answer> {
    // With a length: without it Node sends the body of a DELETE as if it were the next request.
    const length = String(Buffer.byteLength(body ?? ''))
    const type = body === null ? {} : { 'content-type': 'application/json', 'content-length': length }
    const outgoing = request({
      ...{ agent, port, method, path, host: '127.0.0.1' },
      headers: { ...type, ...headers, host },
    })
    outgoing.end(body ?? undefined)
    const [response]: IncomingMessage[] = await once(outgoing, 'response')
    if (response === undefined) throw new Error('no response')
    let text = ''
    for await (const part of response.setEncoding('utf8')) text += String(part)
    return { status: response.statusCode ?? 0, headers: response.headers, text }
  }

  return {
    server,
    port,
    send,
    async close() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A world and its server, which end with the file. */
export async function serveWorld() {
  const world = await createWorld()
  const server = await serve(world)
  afterAll(async () => {
    await server.close()
    await world.close()
  })
  return { world, server }
}
