import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDemoSession } from '@colloquy/test-support/demo'
import { postgresDatabase } from '@colloquy/test-support/postgres-database'
import { within } from '@colloquy/test-support/program'
import { requireProgram, useServer } from '@colloquy/test-support/servers'
import { CREDENTIALS, type Standalone, startStandalone } from '@colloquy/test-support/standalone'
import { openWire, type WireClient } from '@colloquy/test-support/wire-client'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'

const POSTGRES_URL = await useServer('postgres')
const PAGE = new URL('../../docs/guides/production.md', import.meta.url)
const execute = promisify(execFile)
for (const program of ['psql', 'pg_dump', 'pg_restore', 'createdb'])
  requireProgram(program, 'postgresql-client')
requireProgram('curl', 'curl')

/** The sections whose commands the tests below run. */
const RUN = {
  backups: 'Backups',
  restore: 'Going back to a backup',
  connections: 'Connections',
  away: 'When the database goes away',
  watch: 'What to watch',
} as const
type Heading = (typeof RUN)[keyof typeof RUN]

/** The commands of a section of the page; those before the first one have none. */
async function commandsOf(heading: Heading): Promise<readonly string[]> {
  const section =
    (await readFile(PAGE, 'utf8')).split(/^## /m).find(text => text.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, command = '']) => command)
}

/** Carries SQL out on the server, where the database of that name is not open. */
async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES_URL })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** A shell in a folder of its own, with the addresses of the page; the restored database is removed when the test is over. */
async function openShell() {
  const database = await postgresDatabase(POSTGRES_URL)
  const restored = new URL(database)
  restored.pathname += '_restored'
  const name = restored.pathname.slice(1)
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-production-'))
  onTestFinished(async () => {
    await onServer(`drop database if exists ${name} with (force)`)
    await rm(folder, { recursive: true, force: true })
  })
  const runAll = async (heading: Heading, server = ''): Promise<string> => {
    const commands = await commandsOf(heading)
    expect(commands).not.toEqual([])
    const script = ['set -eu', ...commands].join('\n').replaceAll('colloquy_restored', name)
    const addresses = { DATABASE: database, RESTORED: restored.href, SERVER: server }
    const env = { ...process.env, ...CREDENTIALS, ...addresses }
    const { stdout } = await execute('bash', ['-c', script], { cwd: folder, env })
    return stdout
  }
  return { database, restored: restored.href, runAll }
}

const start = (url: string): Promise<Standalone> =>
  startStandalone({ COLLOQUY_DATABASE_URL: url, COLLOQUY_BUS_URL: 'postgres', ...CREDENTIALS })

const sequencesOf = ({ events }: WireClient): readonly number[] =>
  events.flatMap(({ sequence }) => (sequence === null ? [] : [sequence]))

/** Says something, and waits for the answer. */
async function say(client: WireClient, text: string): Promise<void> {
  const newest = sequencesOf(client).at(-1) ?? 0
  client.send('USER_MESSAGE', { text })
  await client.next(
    ({ type, sequence }) => type === 'EVENT_TYPE_AI_AGENT_MESSAGE' && (sequence ?? 0) > newest,
  )
}

test('MS6 and VC2 the page’s backup is restored under a client that has more: it gets the whole conversation, and goes on', async () => {
  const { database, restored, runAll } = await openShell()
  const first = await start(database)
  const { sessionId, accessToken } = await openDemoSession(first)
  const open = ({ url }: Standalone, query = '') =>
    openWire(`${url.replace('http', 'ws')}/ws?session_id=${sessionId}&access_token=${accessToken}${query}`)
  const client = await open(first)
  client.send('REQUEST_AI_AGENT_JOIN')
  await client.next(({ type }) => type === 'EVENT_TYPE_AI_AGENT_MESSAGE')
  await say(client, 'When can I check in?')
  const told = sequencesOf(client)
  await runAll(RUN.backups)
  await say(client, 'And when do I have to leave?')
  const cursor = sequencesOf(client).at(-1) ?? 0
  first.kill('SIGTERM')
  expect(await within(client.closed, 'the close')).toBe(1001)
  expect(await within(first.exit, 'the exit')).toBe(0)

  await runAll(RUN.restore)
  const second = await start(restored)
  const again = await open(second, `&cursor=${cursor}`)
  const kept = again.replayed
  expect(kept.slice(0, told.length)).toEqual(told)
  expect(kept.length).toBeLessThan(cursor)
  await say(again, 'And when do I have to leave?')
  const all = sequencesOf(again)
  expect(all).toEqual(all.map((_, index) => index + 1))
  expect(all.length).toBeGreaterThan(kept.length)
  expect((await open(second, `&cursor=${kept.length}`)).replayed).toEqual(all.slice(kept.length))
})

test('the page’s questions to the server have answers, and nothing waits while a node works', async () => {
  const { database, runAll } = await openShell()
  const server = await start(database)
  await openDemoSession(server)
  expect(await runAll(RUN.connections)).toMatch(/colloquy bus .*\n[\s\S]*max_connections/)
  expect(await runAll(RUN.away)).toMatch(/synchronous_commit +\|[\s\S]*sync_state/)
  const watched = await runAll(RUN.watch, server.url)
  expect(watched).toMatch(/^\{"live":true\}\{"ready":true,"store":"ok","closing":false\}colloquy_/)
  expect(watched).toMatch(/^colloquy_conversations_total\{[^}]*event="started"[^}]*\} 1$/m)
  expect(watched).toMatch(/late_timers \| seconds\W+0 \| +0\n/)
  expect(watched).toMatch(/late_webhooks \| seconds\W+0 \| +0\n/)
  expect(watched).toMatch(/^ +conversation +\|/m)
  expect(watched).toMatch(/ open \| conversations\W+1 \| +1\n/)
})

test('no section of the page has commands that are not run', async () => {
  // The first one only names the addresses.
  const [, ...sections] = (await readFile(PAGE, 'utf8')).split(/^## /m)
  const withCommands = sections
    .filter(text => text.includes('\n```sh\n'))
    .map(text => text.slice(0, text.indexOf('\n')))
  expect(withCommands.toSorted()).toEqual(Object.values(RUN).toSorted())
})
