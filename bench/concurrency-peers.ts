import { createRequire } from 'node:module'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { z } from 'zod'
import type { Calls } from './concurrency.ts'

const WINDOW = 300_000

/** Another way to count the same. */
export interface Peer {
  readonly name: string
  readonly runs: number
  /** One figure a window. */
  count(from: number, to: number): Promise<readonly number[]>
}

/** Ends before marks before starts; marks give each window what is active when it opens. */
const peaksSql = (from: number, to: number, windows: string): string => `
  WITH change (moment, delta) AS (
    SELECT greatest(started_at, ${from}), 1 FROM call WHERE started_at < ${to} AND greatest(finished_at, started_at + 1) > ${from}
    UNION ALL
    SELECT greatest(finished_at, started_at + 1), -1 FROM call
    WHERE started_at < ${to} AND greatest(finished_at, started_at + 1) > ${from} AND greatest(finished_at, started_at + 1) < ${to}
    UNION ALL
    SELECT ${from} + ${WINDOW} * value, 0 FROM ${windows}
  ), running AS (
    SELECT moment, sum(delta) OVER (ORDER BY moment, delta ROWS UNBOUNDED PRECEDING) AS active FROM change
  )
  SELECT CAST(max(active) AS INTEGER) AS peak FROM running
  GROUP BY CAST(floor((moment - ${from}) / ${WINDOW}) AS BIGINT) ORDER BY CAST(floor((moment - ${from}) / ${WINDOW}) AS BIGINT)`

/** A window function over a table of nothing but starts and ends, in SQLite. */
export async function openWindowFunction(filename: string, { starts, ends }: Calls): Promise<Peer> {
  const database = new BetterSqlite3(filename)
  database.exec('CREATE TABLE call (started_at INTEGER NOT NULL, finished_at INTEGER NOT NULL) STRICT')
  const insert = database.prepare('INSERT INTO call VALUES (?, ?)')
  database.transaction(() => {
    for (const [at, start] of starts.entries()) insert.run(start, ends[at])
  })()
  return {
    name: 'SQLite, window function',
    runs: 3,
    async count(from, to) {
      const last = (to - from) / WINDOW - 1
      const series = `(WITH RECURSIVE mark (value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM mark WHERE value < ${last}) SELECT value FROM mark)`
      const sql = peaksSql(from, to, series).replaceAll('greatest', 'max')
      return z
        .array(z.object({ peak: z.number() }))
        .parse(database.prepare(sql).all())
        .map(row => row.peak)
    },
  }
}

/** As much of DuckDB's client as is used here. */
const duckSchema = z.object({
  DuckDBInstance: z
    .object({ create: z.custom<(filename: string) => Promise<DuckInstance>>() })
    .or(z.custom<{ create(filename: string): Promise<DuckInstance> }>(value => typeof value === 'function')),
})
interface DuckInstance {
  connect(): Promise<DuckConnection>
}
interface DuckConnection {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<{ getRows(): readonly (readonly unknown[])[] }>
  createAppender(table: string): Promise<DuckAppender>
}
interface DuckAppender {
  appendBigInt(value: bigint): void
  endRow(): void
  closeSync(): void
}

/** The same in DuckDB, from its own file. Null when it is not installed. */
export async function openDuckDb(filename: string, { starts, ends }: Calls): Promise<Peer | null> {
  const folder = process.env.COLLOQUY_BENCH_DUCKDB
  if (folder === undefined) return null
  const load: (name: string) => unknown = createRequire(join(folder, 'package.json'))
  const { DuckDBInstance } = duckSchema.parse(load('@duckdb/node-api'))
  const connection = await (await DuckDBInstance.create(filename)).connect()
  await connection.run('CREATE TABLE call (started_at BIGINT NOT NULL, finished_at BIGINT NOT NULL)')
  const appender = await connection.createAppender('call')
  for (const [at, start] of starts.entries()) {
    appender.appendBigInt(BigInt(start))
    appender.appendBigInt(BigInt(ends[at] ?? 0))
    appender.endRow()
  }
  appender.closeSync()
  await connection.run('CHECKPOINT')
  return {
    name: 'DuckDB',
    runs: 9,
    async count(from, to) {
      const rows = await connection.runAndReadAll(
        peaksSql(from, to, `(SELECT unnest(range(${(to - from) / WINDOW})) AS value)`),
      )
      return rows.getRows().map(([peak]) => Number(peak))
    },
  }
}
