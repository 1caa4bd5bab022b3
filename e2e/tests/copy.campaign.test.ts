import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { createPostgresStore } from '@colloquy/adapter-postgres'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createMessaging, fromConnector, type Message, type Messaging } from '@colloquy/client/messaging'
import { aConversation } from '@colloquy/core/testing'
import { freePort } from '@colloquy/test-support/own-server'
import { postgresDatabase } from '@colloquy/test-support/postgres-database'
import { type Program, run, within } from '@colloquy/test-support/program'
import { useServer } from '@colloquy/test-support/servers'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { programAt } from '../../scripts/programs/program.ts'

const VISITORS = 8

/** Conversations that are in the store before, so that a copy takes a while. */
const EARLIER = 4_000

/** Between two messages of a visitor, milliseconds. */
const PAUSE = 100

/** Messages without an answer, after which a visitor waits: also while there is no server. */
const UNANSWERED = 5

const POSTGRES_URL = await useServer('postgres')

/** A file with conversations that nobody goes on in. */
async function filledFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-copy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'colloquy.db')
  const store = createSqliteStore({ filename: file })
  const ids = Array.from({ length: EARLIER }, (_, at) => `EARLIER-${at}`)
  for (let at = 0; at < ids.length; at += 500)
    await Promise.all(
      ids.slice(at, at + 500).map(id => store.conversations.create(aConversation(id, { wakeAt: null }))),
    )
  await store.close()
  return file
}

/** The cluster example over a store: the server that everybody talks to. */
function startServer(database: string, port: number): Program {
  const args = programAt('examples/cluster/src/main.ts')
  return run(process.execPath, args, { DATABASE: database, PORT: String(port), NODES: '2' })
}

const admin = (...args: readonly string[]): Program =>
  run(process.execPath, [...programAt('packages/admin-cli/src/main.ts'), ...args])

/** The command of the guide. */
const copy = (from: string, to: string): Program => admin('copy', '--from', from, '--to', to)

const said = ({ output }: Program): string => output.stdout + output.stderr

/** How many conversations have been copied; 0 while there is no table. */
async function copied(pool: pg.Pool): Promise<number> {
  const { rows } = await pool
    .query<{ count: string }>('select count(*) from colloquy.conversation')
    .catch(() => ({ rows: [] }))
  return Number(rows[0]?.count ?? 0)
}

/** A visitor who says something all the time, and connects again by itself. */
function startVisitor(server: string, connectorToken: string, name: string) {
  const sent: string[] = []
  const chat = createMessaging({
    server,
    getToken: fromConnector({ server, connectorToken, host: 'localhost' }),
    openSocket: url => new WebSocket(url),
    maxAttempts: 1_000,
  })
  onTestFinished(() => chat.destroy())
  chat.start()
  const speaking = new AbortController()
  const over = (async () => {
    while (!speaking.signal.aborted) {
      await after(PAUSE)
      if (sent.length - heard(chat.current.messages).length >= UNANSWERED) continue
      const text = `${name} says ${sent.length + 1}`
      sent.push(text)
      chat.send(text)
    }
  })()
  return {
    chat,
    sent,
    async stop() {
      speaking.abort()
      await over
    },
  }
}

const heard = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ from, text }) => (from === 'visitor' ? [] : (/ heard: (.*)$/.exec(text)?.[1] ?? [])))

/** What a visitor still waits for. */
function openEnds({ current }: Messaging, sent: readonly string[]) {
  const answered = new Set(heard(current.messages))
  const under = current.messages.filter(({ state }) => state !== 'done')
  return {
    unanswered: sent.filter(text => !answered.has(text)),
    unfinished: under.map(({ state, text, problem }) => ({ state, text, problem })),
  }
}

/** What the store says of the conversations of the visitors: who said what, in order. */
async function storedTexts(database: string): Promise<readonly (readonly [string, string])[]> {
  const store = await createPostgresStore({ url: database })
  try {
    const texts: (readonly [string, string])[] = []
    for (let after: string | null = null; ; ) {
      const marks: Awaited<ReturnType<typeof store.copies.marks>> = await store.copies.marks(after, 500)
      const last = marks.at(-1)
      if (last === undefined) return texts
      for (const { id } of marks.filter(({ id }) => !id.startsWith('EARLIER-'))) {
        const events = (await store.copies.conversation(id))?.events ?? []
        expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1))
        for (const { type, payload } of events)
          if ('text' in payload && typeof payload.text === 'string') texts.push([type, payload.text])
      }
      after = last.id
    }
  } finally {
    await store.close()
  }
}

test('CL15 and CY2 a server moves from SQLite to PostgreSQL while visitors talk: nothing is lost, doubled or left without an answer', async () => {
  const [file, database, port] = [await filledFile(), await postgresDatabase(POSTGRES_URL), await freePort()]
  const old = startServer(file, port)
  const [, connectorToken = ''] = /: (.*)/.exec(await old.line(/^Connector token: /)) ?? []
  await old.line(/^Process \d+ serves/)
  const visitors = Array.from({ length: VISITORS }, (_, at) =>
    startVisitor(`http://localhost:${port}`, connectorToken, `Visitor ${at}`),
  )
  await vi.waitFor(() => {
    for (const { chat } of visitors) expect(heard(chat.current.messages).length).toBeGreaterThan(2)
  })

  // The first copy is killed in the middle.
  const pool = new pg.Pool({ connectionString: database, max: 1 })
  pool.on('error', () => undefined)
  const killed = copy(file, database)
  await vi.waitFor(async () => expect(await copied(pool)).toBeGreaterThan(0), { interval: 5 })
  killed.kill('SIGKILL')
  expect(await killed.exit).toBe('SIGKILL')
  const atKill = await copied(pool)
  expect(atKill).toBeLessThan(EARLIER)

  // The same command goes on, while everybody still talks; so what was said meanwhile may be missing.
  const second = copy(file, database)
  expect([0, 1]).toContain(await within(second.exit, 'the second copy'))
  expect(said(second)).toMatch(/^conversations +\d+ +\d+/m)
  expect(await copied(pool)).toBeGreaterThanOrEqual(EARLIER)
  await pool.end()

  // The switch: the old server goes, the rest is copied, the new one comes.
  const before = visitors.map(({ sent }) => sent.length)
  old.kill('SIGTERM')
  expect(await within(old.exit, 'the old server')).toBe(0)
  const last = copy(file, database)
  expect([await within(last.exit, 'the last copy'), said(last)]).toEqual([
    0,
    expect.stringMatching(/^Both stores hold the same\.$/m),
  ])
  expect(said(last)).toMatch(/^conversations: \d+ copied, [\d,]+ were the same/m)
  const next = startServer(database, port)
  await next.line(/^Process \d+ serves/)
  await vi.waitFor(() => {
    for (const { chat } of visitors) expect(chat.current.status).toBe('open')
  })
  await vi.waitFor(() => {
    for (const [at, { sent }] of visitors.entries()) expect(sent.length).toBeGreaterThan(before[at] ?? 0)
  })
  await Promise.all(visitors.map(({ stop }) => stop()))
  await vi.waitFor(() => {
    for (const { chat, sent } of visitors)
      expect(openEnds(chat, sent)).toEqual({ unanswered: [], unfinished: [] })
  })

  for (const { chat, sent } of visitors) {
    const { messages } = chat.current
    expect(messages.filter(({ from }) => from === 'visitor').map(({ text }) => text)).toEqual(sent)
    expect(heard(messages).toSorted()).toEqual(sent.toSorted())
  }

  // Copied once more by mistake, nothing is taken away from the new server.
  const mistake = copy(file, database)
  expect(await within(mistake.exit, 'the mistake')).toBe(1)
  expect(said(mistake)).toMatch(/is in use, by \d+ connection/)
  next.kill('SIGTERM')
  expect(await within(next.exit, 'the new server')).toBe(0)
  const late = copy(file, database)
  expect(await within(late.exit, 'the late copy')).toBe(1)
  expect(said(late)).toContain('was written to after it was copied: a server has used it.')

  const stored = await storedTexts(database)
  const all = visitors.flatMap(({ sent }) => sent).toSorted()
  expect(stored.flatMap(([type, text]) => (type === 'USER_MESSAGE' ? [text] : [])).toSorted()).toEqual(all)
  expect(stored.flatMap(([, text]) => / heard: (.*)$/.exec(text)?.[1] ?? []).toSorted()).toEqual(all)
})

test('CY30 an export and an import that are killed in the middle go on, and the other database gives the same bytes', async () => {
  const [from, database] = [await filledFile(), await postgresDatabase(POSTGRES_URL)]
  const [file, back] = [`${from}.jsonl`, `${from}.back.jsonl`]
  const exporting = admin('export', file, '--from', from)
  const size = async (): Promise<number> => (await stat(file).catch(() => ({ size: 0 }))).size
  await vi.waitFor(async () => expect(await size()).toBeGreaterThan(0), { interval: 1 })
  exporting.kill('SIGKILL')
  expect(await exporting.exit).toBe('SIGKILL')
  const atKill = await size()
  const refused = admin('import', file, '--to', database)
  expect([await within(refused.exit, 'the refused import'), said(refused)]).toEqual([
    1,
    expect.stringMatching(/was cut off behind line \d+\. Run the same colloquy-admin export again/),
  ])
  const again = admin('export', file, '--from', from)
  expect([await within(again.exit, 'the second export'), said(again)]).toEqual([
    0,
    expect.stringMatching(/^Going on with .* behind line \d+\./m),
  ])
  expect(await size()).toBeGreaterThan(atKill)

  const pool = new pg.Pool({ connectionString: database, max: 1 })
  pool.on('error', () => undefined)
  const importing = admin('import', file, '--to', database)
  await vi.waitFor(async () => expect(await copied(pool)).toBeGreaterThan(0), { interval: 5 })
  importing.kill('SIGKILL')
  expect(await importing.exit).toBe('SIGKILL')
  expect(await copied(pool)).toBeLessThan(EARLIER)
  await pool.end()
  const unfinished = admin('export', back, '--from', database)
  expect([await within(unfinished.exit, 'the export of a part'), said(unfinished)]).toEqual([
    1,
    expect.stringContaining('Run the same colloquy-admin copy or import again'),
  ])
  const rest = admin('import', file, '--to', database)
  expect([await within(rest.exit, 'the second import'), said(rest)]).toEqual([
    0,
    expect.stringMatching(/^conversations: .* were the same/m),
  ])
  const returned = admin('export', back, '--from', database)
  expect(await within(returned.exit, 'the export of the copy')).toBe(0)
  expect((await readFile(back)).equals(await readFile(file))).toBe(true)
})
