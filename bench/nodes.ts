import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { buildWhatIsOld } from '../scripts/build.ts'
import { Pair, type Scripts, withMessagingScripts } from './messaging/pair.ts'
import type { BenchOptions } from './table/options.ts'
import { type Result, resultOf } from './table/result.ts'

/** Addresses of the servers. */
const {
  COLLOQUY_TEST_POSTGRES_URL: DATABASE = 'postgres://postgres@127.0.0.1:5432/test',
  COLLOQUY_TEST_REDIS_URL: BROKER = 'redis://127.0.0.1:6379',
} = process.env

const SESSIONS = 1_000

/** Clock ticks of `/proc` a second: that of every Linux of today. */
const TICKS = 100

/** Options with which the guide to operation starts every process. */
const NODE_OPTIONS = '--max-semi-space-size=64'

interface Variant {
  readonly name: string
  readonly nodes: number
  /** Null for SQLite. */
  readonly writesPerStatement: number | null
}

const SQLITE: Variant = { name: 'SQLite FULL, 1 node', nodes: 1, writesPerStatement: null }
const ONE: Variant = { name: 'PostgreSQL, 1 node', nodes: 1, writesPerStatement: 200 }
const SINGLY: Variant = { name: 'PostgreSQL, 1 node, one statement a write', nodes: 1, writesPerStatement: 1 }
const VARIANTS: readonly Variant[] = [
  SQLITE,
  ONE,
  SINGLY,
  ...[2, 3].map(nodes => ({ name: `PostgreSQL, ${nodes} nodes`, nodes, writesPerStatement: 200 })),
]

const UNITS = {
  perSecond: 'turns/s',
  cpu: 'CPU µs/turn, nodes',
  database: 'CPU µs/turn, database',
  p99: 'ms, turn p99',
  violations: 'violations',
} as const
type Figure = keyof typeof UNITS
type Round = Readonly<Record<Figure, number>>

const ROW = `nodes, ${SESSIONS.toLocaleString('en-GB')} sessions`

/** A schema for a round, and what the server spends meanwhile. */
interface Database {
  readonly schema: string
  /** CPU of all processes of the server so far, microseconds. */
  cpu(): Promise<number>
  close(): Promise<void>
}

async function openDatabase(): Promise<Database> {
  const client = new pg.Client({ connectionString: DATABASE })
  await client.connect()
  const schema = `bench_${process.pid}_${Date.now().toString(36)}`
  const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid')
  const postmaster = Number((await statOf(rows[0]?.pid ?? 0))[1])
  return {
    schema,
    async cpu() {
      // Its children that have ended count in its own figures.
      const own = await statOf(postmaster)
      const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
      const stats = await Promise.all(
        children
          .trim()
          .split(' ')
          .map(pid => statOf(Number(pid)).catch(() => [])),
      )
      const ticks = [own.slice(11, 15), ...stats.map(stat => stat.slice(11, 13))].flat().map(Number)
      return (ticks.reduce((sum, one) => sum + one, 0) * 1e6) / TICKS
    },
    async close() {
      await client.query(`drop schema if exists ${schema} cascade`)
      await client.end()
    },
  }
}

/** The fields of `/proc/<pid>/stat` after the name: state, parent, … */
const statOf = async (pid: number): Promise<readonly string[]> =>
  (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? []

async function measure(scripts: Scripts, variant: Variant, seconds: number): Promise<Round> {
  const { nodes, writesPerStatement } = variant
  const database = await openDatabase()
  const pairs: Pair[] = []
  try {
    const argument =
      writesPerStatement === null
        ? null
        : { url: DATABASE, schema: database.schema, writesPerStatement, busUrl: BROKER }
    const files = { server: scripts.project, load: scripts.load }
    for (let node = 0; node < nodes; node++)
      pairs.push(await Pair.start(files, argument, Math.round(SESSIONS / nodes)))
    await Promise.all(pairs.map(pair => pair.setUp()))
    let database_ = 0
    const talks = await Promise.all(
      pairs.map((pair, index) =>
        pair.talk(3, seconds, async () => {
          const before = index === 0 ? await database.cpu() : 0
          await pause(seconds * 1_000)
          if (index === 0) database_ = (await database.cpu()) - before
        }),
      ),
    )
    const found = await Promise.all(pairs.splice(0).map(pair => pair.stop()))
    const violations = found.flatMap(one => Object.values(one)).reduce((sum, count) => sum + count, 0)
    if (violations > 0) console.error(`${variant.name}: ${JSON.stringify(found)}`)
    const turns = talks.reduce((sum, talk) => sum + talk.turns, 0)
    return {
      perSecond: talks.reduce((sum, talk) => sum + talk.turnsPerSecond, 0),
      cpu: talks.reduce((sum, talk) => sum + talk.cpuMicroseconds * talk.turns, 0) / turns,
      database: database_ / turns,
      p99: Math.max(...talks.map(talk => talk.p99Milliseconds)),
      violations,
    }
  } finally {
    await Promise.all(pairs.map(pair => pair.stop()))
    await database.close()
  }
}

/**
 * Durable turns on one node and on several, over PostgreSQL and Redis, against one over SQLite, and against one that
 * writes every append with a statement of its own. All nodes share a core, and the loads another one: what several
 * gain in turns/s cannot be seen here, what a turn costs can. Processes are started as in docs/guides/production.md.
 */
export async function measureNodes({ rounds = 5, seconds = 5 }: BenchOptions): Promise<readonly Result[]> {
  await buildWhatIsOld()
  const found = new Map<Variant, Round[]>(VARIANTS.map(variant => [variant, []]))
  const before = process.env.NODE_OPTIONS
  process.env.NODE_OPTIONS = NODE_OPTIONS
  try {
    await withMessagingScripts(async scripts => {
      for (let round = 0; round < rounds; round++)
        for (const index of VARIANTS.keys()) {
          const variant = VARIANTS[(index + round) % VARIANTS.length] ?? SQLITE
          found.get(variant)?.push(await measure(scripts, variant, seconds))
        }
    })
  } finally {
    // The benches that come after this one choose for themselves.
    if (before === undefined) delete process.env.NODE_OPTIONS
    else process.env.NODE_OPTIONS = before
  }
  const valuesOf = (variant: Variant, figure: Figure): readonly number[] =>
    (found.get(variant) ?? []).map(round => round[figure])
  const figures = Object.keys(UNITS) as Figure[]
  const results = VARIANTS.flatMap(variant =>
    figures.map(figure =>
      resultOf({ row: ROW, variant: variant.name, unit: UNITS[figure] }, valuesOf(variant, figure)),
    ),
  )
  const against = (other: Variant): Result => {
    const others = valuesOf(other, 'perSecond')
    const ratios = valuesOf(ONE, 'perSecond').map((own, round) => own / (others[round] ?? Number.NaN))
    return resultOf({ row: ROW, variant: `${ONE.name}, against ${other.name}`, unit: '× turns/s' }, ratios)
  }
  return [...results, against(SQLITE), against(SINGLY)]
}
