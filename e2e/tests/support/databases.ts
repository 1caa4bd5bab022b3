import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMariaStore } from '@colloquy/adapter-mariadb'
import { createPostgresStore } from '@colloquy/adapter-postgres'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import type { CopyableStore } from '@colloquy/core/store'
import { postgresSchemas } from '@colloquy/test-support/postgres'
import { useServer } from '@colloquy/test-support/servers'
import { writeEmptyStore } from '@colloquy/test-support/sqlite-file'
import { createPool } from 'mariadb'
import { afterAll, describe, onTestFinished } from 'vitest'
import { poolConfigOf } from '../../../packages/adapter-mariadb/src/database/pool.ts'

/** Everything on a disk below a folder: names and contents. */
export async function everythingBelow(folder: string): Promise<Buffer> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const parts = found.map(async entry => [
    Buffer.from(entry.name),
    ...(entry.isFile() ? [await readFile(join(entry.parentPath, entry.name))] : []),
  ])
  return Buffer.concat((await Promise.all(parts)).flat())
}

/** A store of a test, which is closed with its platform. */
export interface OpenedStore {
  readonly store: CopyableStore
  /** Returns all that the database holds: its file, or every column of every row of every table. */
  everything(): Promise<Buffer>
}

/** Opens an empty store. @param folder of the test, for what is kept in files */
export type OpenStore = (folder: string) => Promise<OpenedStore>

async function openSqlite(folder: string): Promise<OpenedStore> {
  const filename = writeEmptyStore(join(folder, 'data.db'))
  return { store: createSqliteStore({ filename }), everything: () => everythingBelow(folder) }
}

/** The values of rows, binary ones as they are. */
const valuesOf = (rows: readonly object[]): Buffer =>
  Buffer.concat(
    rows
      .flatMap(row => Object.values(row))
      .flatMap(value => [value, '\n'])
      .map(value => (Buffer.isBuffer(value) ? value : Buffer.from(textOf(value)))),
  )

/** A number of MariaDB may be a `bigint`, which is no JSON. */
const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const namesIn = (rows: readonly { readonly name: string }[]): readonly string[] =>
  rows.map(({ name }) => name)

/** Tests over an empty store of each database. Where a server is missing, its tests are skipped, and say why. */
export function describeDatabases(tests: (open: OpenStore) => void): void {
  describe('SQLite', () => tests(openSqlite))

  describe('PostgreSQL', async () => {
    const schemas = postgresSchemas(await useServer('postgres'))
    const { pool, url } = schemas
    afterAll(() => schemas.remove())
    tests(async () => {
      const schema = schemas.fresh()
      return {
        store: await createPostgresStore({ url, schema, maxConnections: 4 }),
        async everything() {
          const tables = 'select table_name as name from information_schema.tables where table_schema = $1'
          const names = namesIn((await pool.query(tables, [schema])).rows)
          const each = names.map(async name => (await pool.query(`select * from "${schema}"."${name}"`)).rows)
          return Buffer.concat((await Promise.all(each)).map(valuesOf))
        },
      }
    })
  })

  describe('MariaDB', async () => {
    const url = new URL(await useServer('mariadb'))
    const pool = createPool(poolConfigOf(url.href, 4))
    afterAll(() => pool.end())
    tests(async () => {
      const schema = `test_${process.pid}_${Math.random().toString(36).slice(2, 8)}`
      await pool.query(`create database ${schema}`)
      onTestFinished(() => pool.query(`drop database ${schema}`))
      const own = new URL(`/${schema}`, url)
      return {
        store: await createMariaStore({ url: own.href, maxConnections: 4 }),
        async everything() {
          const tables = 'select table_name as name from information_schema.tables where table_schema = ?'
          const names = namesIn(await pool.query(tables, [schema]))
          const each = names.map(name => pool.query(`select * from \`${schema}\`.\`${name}\``))
          return Buffer.concat((await Promise.all(each)).map(valuesOf))
        },
      }
    })
  })
}
