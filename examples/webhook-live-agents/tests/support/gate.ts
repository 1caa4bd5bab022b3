import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSignal } from '@colloquy/test-support/signal'
import { onTestFinished } from 'vitest'
import { listen, stop } from '../../src/listen.ts'

/** What becomes of a request: it goes through; it goes through and its answer is lost, or held back for ever; it does not go through. */
export type Passage = 'pass' | 'lose answer' | 'hold answer' | number

/** A request that came to a gate. */
export interface Passed {
  readonly id: string
  readonly body: {
    readonly type: string
    readonly message?: { readonly text: string }
    readonly text?: string
  }
}

/** A place on the road between two systems, at which things go wrong. */
export interface Gate {
  readonly url: string
  /** What came to the gate, in order. */
  readonly requests: readonly Passed[]
  /** Decides about each request from now on. */
  set(passage: (request: Passed) => Passage): void
  /** Resolves when so many requests satisfy the condition and were dealt with. */
  until(wanted: (request: Passed) => boolean, count?: number): Promise<void>
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** @param target where requests go on to */
export async function openGate(target: () => string): Promise<Gate> {
  const requests: Passed[] = []
  const dealtWith: Passed[] = []
  const signal = createSignal()
  let decide = (_: Passed): Passage => 'pass'

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await read(request)
    const passed: Passed = { id: String(request.headers['webhook-id']), body: JSON.parse(bytes.toString()) }
    requests.push(passed)
    const passage = decide(passed)
    const { host: _host, connection: _connection, 'content-length': _length, ...kept } = request.headers
    const headers = Object.entries(kept).flatMap(([name, value]) =>
      typeof value === 'string' && name !== 'transfer-encoding'
        ? [[name, value] satisfies [string, string]]
        : [],
    )
    if (typeof passage === 'number') response.writeHead(passage).end('{"error":"not now"}')
    else {
      const answer = await fetch(target(), { method: 'POST', headers, body: new Uint8Array(bytes) })
      const text = await answer.text()
      if (passage === 'pass') response.writeHead(answer.status).end(text)
      else if (passage === 'lose answer') response.destroy()
    }
    dealtWith.push(passed)
    signal.changed()
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  const origin = await listen(server, 0)
  onTestFinished(() => stop(server))
  return {
    url: `${origin}/`,
    requests,
    set(passage) {
      decide = passage
    },
    until: (wanted, count = 1) => signal.until(() => dealtWith.filter(wanted).length >= count),
  }
}
