import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { programAt } from '../../scripts/programs/program.ts'

const eventSchema = z.object({
  type: z.string(),
  payload: z.looseObject({ text: z.string().optional(), events: z.array(z.unknown()).optional() }),
})

/** The folder of the host's database. */
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colloquy-embed-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the host of the README as a program, until `use` is done with it; returns all that it printed. */
async function withHost(
  use: (port: number, printed: readonly string[]) => Promise<void>,
): Promise<readonly string[]> {
  const host = spawn(process.execPath, programAt('e2e/src/embed.ts'), {
    env: { ...process.env, PORT: '0', DATABASE: join(folder, 'colloquy.db') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(host, 'exit')
  const printed: string[] = []
  try {
    for await (const line of createInterface(host.stdout)) {
      printed.push(line)
      const port = /port: (\d+)/.exec(line)?.[1]
      if (port === undefined) continue
      await use(Number(port), printed)
      break
    }
    return printed
  } finally {
    host.kill('SIGKILL')
    await ended
  }
}

const post = async (url: string, headers: Readonly<Record<string, string>>): Promise<unknown> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
  })
  expect(response.status).toBe(200)
  return response.json()
}

/** Joins as a visitor and returns the text of the first message of the agent. */
async function greeting(port: number, connectorToken: string): Promise<string | undefined> {
  const origin = `localhost:${port}`
  const { access_token } = z.object({ access_token: z.string() }).parse(
    await post(`http://${origin}/api/v1/access-token`, {
      'x-token': connectorToken,
      'x-host': 'localhost',
    }),
  )
  const { session_id } = z
    .object({ session_id: z.string() })
    .parse(await post(`http://${origin}/api/v1/sessions`, { authorization: `Bearer ${access_token}` }))
  const query = new URLSearchParams({ session_id, access_token })
  const socket = new WebSocket(`ws://${origin}/ws?${query}`)
  try {
    return await new Promise((resolve, reject) => {
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('The socket was closed before the agent spoke')))
      socket.on('message', data => {
        const event = eventSchema.parse(JSON.parse(data.toString()))
        if (event.type === 'EVENT_TYPE_EVENT_BATCH')
          socket.send(JSON.stringify({ type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} }))
        if (event.type === 'EVENT_TYPE_AI_AGENT_MESSAGE') resolve(event.payload.text)
      })
    })
  } finally {
    socket.removeAllListeners('close')
    socket.terminate()
  }
}

test('DO4 the host in the readme runs, and its agent greets a visitor; started again it keeps its agent', async () => {
  const first = await withHost(async (port, printed) => {
    expect(await greeting(port, tokenOf(printed))).toBe('Welcome!')
  })
  const second = await withHost(async port => {
    expect(await greeting(port, tokenOf(first))).toBe('Welcome!')
  })
  expect(second.some(line => line.startsWith('Connector token:'))).toBe(false)
})

const tokenOf = (printed: readonly string[]): string =>
  printed.find(line => line.startsWith('Connector token: '))?.slice('Connector token: '.length) ?? ''
