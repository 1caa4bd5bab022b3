import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createMessaging, fromConnector } from '@colloquy/client/messaging'
import { createPlatform } from '@colloquy/core'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { programAt } from '../../scripts/programs/program.ts'

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

/** Joins as a visitor; the first message of the agent. */
async function greeting(port: number, connectorToken: string): Promise<string> {
  const server = `http://localhost:${port}`
  const chat = createMessaging({
    server,
    getToken: fromConnector({ server, connectorToken, host: 'localhost' }),
    openSocket: address => new WebSocket(address),
  })
  onTestFinished(chat.destroy)
  chat.start()
  const said = () => chat.current.messages[0]
  await expect.poll(said).toMatchObject({ from: 'agent', state: 'done' })
  return said()?.text ?? ''
}

test('the host in the readme runs, and its agent greets a visitor; started again it keeps its agent', async () => {
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

test('the program of the first screen prints the answer to its question, and leaves the agent live', async () => {
  const filename = join(folder, 'idea.db')
  const program = spawn(process.execPath, programAt('e2e/src/idea.ts'), {
    env: { ...process.env, DATABASE: filename },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed: string[] = []
  for await (const line of createInterface(program.stdout)) printed.push(line)
  expect(printed).toEqual(['Breakfast is from 7 to 10.'])
  const { access, agents, close } = createPlatform({
    store: createSqliteStore({ filename }),
    runtime: createRetrievalRuntime(),
  })
  onTestFinished(close)
  const account = await access.account('hotel')
  const [agent] = await agents.list(account?.id ?? '')
  expect((await agents.activeDeployments(agent?.id ?? '')).live).toMatchObject({ revision: 2 })
})
