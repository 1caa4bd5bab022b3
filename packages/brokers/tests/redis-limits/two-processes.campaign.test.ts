import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Program, run } from '@colloquy/test-support/program'
import { ownKeys } from '@colloquy/test-support/redis'
import { useServer } from '@colloquy/test-support/servers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { programArguments } from '../../../../scripts/programs/program.ts'

const url = await useServer('redis')
const LEASE = 3_000

/** What a line of a program says after its colon. */
const said = async (program: Program, what: string): Promise<string> =>
  (await program.line(new RegExp(`^${what}: `))).slice(what.length + 2)

const counts = (statuses: readonly number[]): Readonly<Record<number, number>> =>
  Object.fromEntries([...new Set(statuses)].map(each => [each, statuses.filter(one => one === each).length]))

/** Opens a visitor's socket: the status of the answer, 101 when it is open. It is closed when the test is over. */
const connect = (at: string, query: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${at.replace('http', 'ws')}/ws?${new URLSearchParams(query)}`)
    onTestFinished(() => socket.terminate())
    socket.on('open', () => resolve(101))
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode))
    socket.on('error', reject)
  })

test('LR5 two processes share rates, failed authentications and places; the places of a killed one are free', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-limits-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const environment = {
    ...{ DATABASE: join(folder, 'a.db'), REDIS: url, PREFIX: ownKeys(url), LEASE: `${LEASE}` },
  }
  const start = () =>
    run(
      process.execPath,
      programArguments(new URL('./support/node-program.ts', import.meta.url)),
      environment,
    )
  const first = start()
  const [connectorToken, key] = [await said(first, 'Connector token'), await said(first, 'Key')]
  const second = start()
  const nodes = await Promise.all(
    [first, second].map(async node => `http://127.0.0.1:${await said(node, 'Port')}`),
  )
  const [one = '', other = ''] = nodes
  const ask = async (at: string, secret: string): Promise<number> =>
    (await fetch(`${at}/v1/webhook-endpoints`, { headers: { 'x-api-key': secret } })).status
  const asks = async (times: number, secret: (time: number) => string): Promise<readonly number[]> => {
    const statuses = []
    for (let time = 0; time < times; time++) statuses.push(await ask(nodes[time % 2] ?? '', secret(time)))
    return statuses
  }

  // A key's rate.
  expect(counts(await asks(30, () => key))).toEqual({ 200: 20, 429: 10 })

  // A session's places.
  const issued = await fetch(`${one}/api/v1/access-token`, {
    method: 'POST',
    headers: { 'x-token': connectorToken, 'x-host': 'localhost' },
  })
  const { access_token }: { readonly access_token: string } = JSON.parse(await issued.text())
  const created = await fetch(`${other}/api/v1/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}` },
  })
  const { session_id }: { readonly session_id: string } = JSON.parse(await created.text())
  const open = (at: string) => connect(at, { session_id, access_token })
  expect(await Promise.all([open(one), open(one), open(other), open(other)])).toEqual([101, 101, 101, 101])
  expect(await Promise.all([open(one), open(other)])).toEqual([429, 429])

  // Failed authentications.
  expect(counts(await asks(16, time => `cq_ws_wrong_${time}_00000000`))).toEqual({ 401: 6, 429: 10 })

  // One is killed.
  first.kill('SIGKILL')
  const killed = performance.now()
  await first.exit
  await vi.waitFor(async () => expect(await open(other)).toBe(101), { interval: 500 })
  expect(performance.now() - killed).toBeGreaterThan(LEASE / 2)
  expect(await open(other)).toBe(101)
  // Those of the other one were renewed.
  expect(await open(other)).toBe(429)
  expect(await ask(other, key)).toBe(429)
  expect(await ask(other, 'cq_ws_wrong_00000000')).toBe(429)
})
