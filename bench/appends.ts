import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createMemoryStore } from '@colloquy/core/memory'
import type { ConversationAppend, ConversationWrite, Store } from '@colloquy/core/store'
import BetterSqlite3 from 'better-sqlite3'
import { median } from './compare.ts'
import { openVisitors } from './turns.ts'
import { withFolder } from './with-folder.ts'

const SESSIONS = 500
const TURNS = 20
/** Appends of one tick, which share a commit. */
const TOGETHER = 100
const ROUNDS = 5

/** Writes of a platform while visitors talked to it, in order. */
interface Written {
  readonly creates: readonly ConversationWrite[]
  readonly appends: readonly ConversationAppend[]
}

/** The writes of a platform over a store in memory. */
async function record(): Promise<Written> {
  const store = createMemoryStore()
  const { append, create } = store.conversations
  const creates: ConversationWrite[] = []
  const appends: ConversationAppend[] = []
  store.conversations.create = write => {
    creates.push(write)
    return create(write)
  }
  store.conversations.append = write => {
    appends.push(write)
    return append(write)
  }
  const { visitors, close } = await openVisitors(store, SESSIONS)
  const greeted = appends.length
  for (let turn = 0; turn < TURNS; turn++)
    await Promise.all(visitors.map(({ ask }) => ask('When will my order of two blue garden chairs arrive?')))
  const written = { creates, appends: appends.slice() }
  await close()
  console.log(`  ${((written.appends.length - greeted) / SESSIONS / TURNS).toFixed(2)} appends a turn`)
  return written
}

/** Bytes that this process has written to files; null where the system does not tell. */
function bytesWritten(): number | null {
  const path = '/proc/self/io'
  if (!existsSync(path)) return null
  return Number(/wchar: (\d+)/.exec(readFileSync(path, 'latin1'))?.[1] ?? 0)
}

/** Cost of one turn: CPU of the process in microseconds, and bytes in files. */
interface Cost {
  readonly cpu: number
  readonly bytes: number
}

/** Appends in groups: in none is there a second one of a conversation, which waits for the first. */
function groupsOf(all: readonly ConversationAppend[]): readonly (readonly ConversationAppend[])[] {
  const groups: ConversationAppend[][] = [[]]
  for (const one of all) {
    const last = groups.at(-1) ?? []
    const isNext =
      last.length === TOGETHER || last.some(({ conversationId }) => conversationId === one.conversationId)
    if (isNext) groups.push([one])
    else last.push(one)
  }
  return groups
}

/** Writes in groups, of which the first tenth does not count. */
async function cost(
  all: readonly ConversationAppend[],
  write: (some: readonly ConversationAppend[]) => Promise<unknown>,
): Promise<Cost> {
  const groups = groupsOf(all)
  const warm = Math.ceil(groups.length / 10)
  const run = async (some: typeof groups): Promise<void> => {
    for (const group of some) await write(group)
  }
  await run(groups.slice(0, warm))
  const bytes = bytesWritten() ?? 0
  const cpu = process.cpuUsage()
  await run(groups.slice(warm))
  const { user, system } = process.cpuUsage(cpu)
  const turns = groups.slice(warm).flat().length / 2
  return { cpu: (user + system) / turns, bytes: ((bytesWritten() ?? 0) - bytes) / turns }
}

async function replay(store: Store, { creates, appends }: Written): Promise<Cost> {
  const { conversations } = store
  await Promise.all(creates.map(one => conversations.create(one)))
  const result = await cost(appends, async some => {
    const results = await Promise.all(some.map(one => conversations.append(one)))
    if (results.some(({ status }) => status !== 'appended')) throw new Error('An append was not taken.')
  })
  await store.close()
  return result
}

/** The same events in a log whose rows name the one before, and nothing else: the least that keeps them. */
async function chained(filename: string, { appends }: Written): Promise<Cost> {
  const database = new BetterSqlite3(filename)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('wal_autocheckpoint = 2048')
  database.exec('CREATE TABLE log (row INTEGER PRIMARY KEY, previous INTEGER, event TEXT NOT NULL) STRICT')
  const insert = database.prepare('INSERT INTO log (previous, event) VALUES (?, ?)')
  const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]
  const last = new Map<string, number | bigint>()
  const result = await cost(appends, async some => {
    begin.run()
    for (const { conversationId, events } of some)
      for (const event of events) {
        const { lastInsertRowid } = insert.run(last.get(conversationId) ?? null, JSON.stringify(event))
        last.set(conversationId, lastInsertRowid)
      }
    commit.run()
    await new Promise(resolve => setImmediate(resolve))
  })
  database.close()
  return result
}

/** Measures the two appends of a turn in the SQLite store, and in a log of the events alone for comparison. */
export async function benchAppends(): Promise<void> {
  console.log(`\nappends of a turn, ${SESSIONS} conversations, ${TOGETHER} appends a commit`)
  const written = await record()
  const costs: { readonly store: Cost[]; readonly log: Cost[] } = { store: [], log: [] }
  for (let round = 0; round < ROUNDS; round++) {
    await withFolder(async folder => {
      costs.log.push(await chained(join(folder, 'log.db'), written))
      costs.store.push(await replay(createSqliteStore({ filename: join(folder, 'store.db') }), written))
    })
  }
  for (const [name, all] of Object.entries(costs)) {
    const cpu = all.map(one => one.cpu)
    const range = `${Math.min(...cpu).toFixed(1)} to ${Math.max(...cpu).toFixed(1)}`
    const bytes = median(all.map(one => one.bytes))
    console.log(
      `  ${name.padEnd(8)} ${median(cpu).toFixed(1).padStart(8)} µs CPU a turn (${range}) ${Math.round(bytes)} bytes written`,
    )
  }
}
