import { join } from 'node:path'
import { createPostgresStore } from '@colloquy/adapter-postgres'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import type { Store } from '@colloquy/core/store'
import { ACCOUNT, AGENT, anAppend } from '@colloquy/core/testing'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import pg from 'pg'
import { median, timed } from './compare.ts'
import { aCall, ask, type Calls, FROM, fillWithCalls, makeCalls } from './concurrency.ts'
import { DUE, fillPostgres, untilPacked } from './growth/postgres-fill.ts'
import { sequentialScans } from './growth/postgres-plans.ts'
import { DATABASE } from './servers.ts'
import {
  CONCURRENCY,
  growthRow,
  OPERATIONS,
  type Operation,
  OVER_SQLITE,
  POSTGRES,
} from './table/growth-rows.ts'
import type { BenchOptions } from './table/options.ts'
import { type Result, resultOf } from './table/result.ts'
import { withFolder } from './with-folder.ts'

/** Size that all others are compared with, and a second one for stores that are larger than it. */
const SMALL = 100_000
const MIDDLE = 1_000_000

/** Operations of which a round's figure is the median. */
const TIMES = 30

const CLAIMED = 100
const SCANS = 'growth in PostgreSQL, statements that read all conversations to find some'
const PAGE = 20
const DAY = 86_400_000
const WHOSE = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const

/** As many conversations in PostgreSQL, and in a SQLite file. */
interface Subject {
  readonly size: number
  readonly schema: string
  readonly calls: Calls
  readonly store: Store
  readonly sqliteFile: string
  readonly sent: Map<string, readonly (string | null)[]>
  claims: number
  appends: number
}

const times = async (operation: () => Promise<number>): Promise<number> => {
  const all: number[] = []
  for (let time = 0; time < TIMES; time++) all.push(await operation())
  return median(all)
}

/** Each returns milliseconds of one call. */
const MEASURES: Readonly<Record<Operation, (subject: Subject) => Promise<number>>> = {
  async append(subject) {
    // A stride that has no divisor in common with the sizes: each append meets another conversation, far from the last.
    subject.appends = (subject.appends + 7_919) % subject.size
    const call = subject.appends
    const id = `C-${call}`
    const { conversations } = subject.store
    const stored = await conversations.load(id)
    if (stored === null) throw new Error(`There is no conversation ${id}.`)
    const { starts, ends } = subject.calls
    const before = { ...aCall(call, starts[call] ?? 0, ends[call] ?? 0), wakeAt: DUE + subject.size * 2 }
    const append = anAppend({ ...before, state: stored.state }, stored.version)
    return timed(() => conversations.append(append))
  },
  list: ({ store }) => timed(() => store.conversations.records.newest(WHOSE, { offset: 0 }, PAGE, 1e6)),
  listDay: ({ store }) => {
    const day = { startTime: FROM + 3 * DAY, endTime: FROM + 4 * DAY }
    return timed(() => store.conversations.records.list({ ...WHOSE, ...day }, { offset: 0 }, PAGE, 1e6))
  },
  async claim(subject) {
    subject.claims += CLAIMED
    const now = DUE + subject.claims - 1
    let claimed: readonly string[] = []
    const taken = await timed(async () => {
      claimed = await subject.store.conversations.timers.claimDue(now, CLAIMED, now + 365 * DAY)
    })
    if (claimed.length === 0) throw new Error('Nothing was due.')
    return taken
  },
}

async function open(pool: pg.Pool, size: number, folder: string): Promise<Subject> {
  const schema = `bench_growth_${process.pid}_${size}`
  const sent = new Map<string, readonly (string | null)[]>()
  const noting = {
    connect: () => pool.connect(),
    on: pool.on.bind(pool),
    removeListener: pool.removeListener.bind(pool),
    query: (asked: { readonly text: string; readonly values?: readonly (string | null)[] }) => {
      sent.set(asked.text, asked.values ?? [])
      return pool.query({ ...asked, values: [...(asked.values ?? [])] })
    },
  }
  const store = await createPostgresStore({ pool: noting, schema })
  const calls = makeCalls(size)
  const sqliteFile = join(folder, `${size}.db`)
  const sqlite = createSqliteStore({ filename: sqliteFile })
  // Both at once: one is written by a server, the other by this process.
  const filling = await timed(() =>
    Promise.all([fillPostgres(store, { pool, schema }, calls), fillWithCalls(sqlite, calls)]),
  )
  await sqlite.close()
  console.log(
    `${size.toLocaleString('en-GB')} conversations: PostgreSQL and SQLite filled in ${(filling / 1_000).toFixed(0)} s`,
  )
  await untilPacked(store, WHOSE)
  sent.clear()
  return { size, schema, calls, store, sqliteFile, sent, claims: 0, appends: 0 }
}

/** Measures peaks of the week with a platform whose cache is empty: milliseconds, and the counts. */
async function concurrency(store: Store): Promise<{ readonly taken: number; readonly peaks: string }> {
  const { conversations } = store
  // A platform would have them woken that sleep until then.
  const timers = { ...conversations.timers, hasten: async () => 0 }
  const platform = createPlatform({
    store: { ...store, conversations: { ...conversations, timers } },
    runtime: createRetrievalRuntime(),
  })
  try {
    // So that the connection stands.
    await store.conversations.load('none')
    let peaks: Uint32Array = new Uint32Array()
    const taken = await timed(async () => {
      peaks = (await ask(platform)).series[0]?.peaks ?? peaks
    })
    return { taken, peaks: peaks.join() }
  } finally {
    await platform.close()
  }
}

/** One round: SQLite and PostgreSQL in turn. @throws Error when they do not count the same */
async function compareConcurrency({ schema, sqliteFile }: Subject) {
  const sqlite = await concurrency(createSqliteStore({ filename: sqliteFile }))
  const postgres = await concurrency(await createPostgresStore({ url: DATABASE, schema }))
  if (sqlite.peaks !== postgres.peaks) throw new Error('PostgreSQL and SQLite count different peaks.')
  return { sqlite: sqlite.taken, postgres: postgres.taken }
}

/**
 * Measures the same operations over few and over many conversations in PostgreSQL, in turn. Also measures the peaks of
 * a week against SQLite. Counts the statements that read all conversations to find some, with the plans that the server
 * keeps.
 */
export async function measureGrowthPostgres({
  rounds = 5,
  conversations = 1_000_000,
}: BenchOptions): Promise<readonly Result[]> {
  const sizes = [SMALL, ...(conversations > MIDDLE ? [MIDDLE] : []), conversations]
  const pool = new pg.Pool({ connectionString: DATABASE, max: 4 })
  const subjects: Subject[] = []
  const figures = new Map<string, number[]>()
  const note = (row: string, variant: string, value: number, unit = 'ms') => {
    const key = JSON.stringify([row, variant, unit])
    figures.set(key, [...(figures.get(key) ?? []), value])
  }
  try {
    await withFolder(async folder => {
      for (const size of sizes) subjects.push(await open(pool, size, folder))
      for (let round = -1; round < rounds; round++)
        for (const subject of round % 2 === 0 ? subjects : [...subjects].reverse()) {
          const variant = `${POSTGRES}, ${subject.size.toLocaleString('en-GB')} conversations`
          for (const operation of Object.keys(OPERATIONS) as Operation[]) {
            const taken = await times(() => MEASURES[operation](subject))
            // The first round warms up.
            if (round >= 0) note(growthRow(operation), variant, taken)
          }
          const { sqlite, postgres } = await compareConcurrency(subject)
          if (round < 0) continue
          note(CONCURRENCY, variant, postgres)
          note(CONCURRENCY, `SQLite, ${subject.size.toLocaleString('en-GB')} conversations`, sqlite)
          note(CONCURRENCY, `${OVER_SQLITE}, ${subject.size.toLocaleString('en-GB')}`, postgres / sqlite, '×')
        }
      for (const { sent, schema } of subjects) {
        const client = new pg.Pool({
          connectionString: DATABASE,
          max: 1,
          options: `-c search_path=${schema}`,
        })
        const scans = await sequentialScans(client, sent).finally(() => client.end())
        note(SCANS, schema.split('_').at(-1) ?? '', scans.length, 'statements')
        for (const scan of scans) console.error(scan)
      }
    })
  } finally {
    for (const { store, schema } of subjects) {
      await store.close()
      await pool.query(`drop schema "${schema}" cascade`)
    }
    await pool.end()
  }
  const results = [...figures].map(([key, values]) => {
    const [row = '', variant = '', unit = ''] = JSON.parse(key) as readonly string[]
    return resultOf({ row, variant, unit }, values)
  })
  const rows = [...Object.keys(OPERATIONS).map(one => growthRow(one as Operation)), CONCURRENCY, SCANS]
  const all = [...results, ...sizes.slice(1).flatMap(size => ratios(results, size))]
  return rows.flatMap(row => all.filter(one => one.row === row))
}

/** Each operation over many conversations, over the same over few. */
const ratios = (results: readonly Result[], size: number): readonly Result[] =>
  [...Object.keys(OPERATIONS).map(one => growthRow(one as Operation)), CONCURRENCY].flatMap(row => {
    const of = (count: number) =>
      results.find(
        one =>
          one.row === row && one.variant === `${POSTGRES}, ${count.toLocaleString('en-GB')} conversations`,
      )?.median ?? Number.NaN
    const variant = `${size.toLocaleString('en-GB')} conversations over ${SMALL.toLocaleString('en-GB')}`
    return [resultOf({ row, variant, unit: '×' }, [of(size) / of(SMALL)])]
  })
