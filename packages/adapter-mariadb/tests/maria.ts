import { ALL_KINDS, type Kind } from '@colloquy/core/store'
import { useServer } from '@colloquy/test-support/servers'
import { createPool, type Pool } from 'mariadb'
import { afterAll, describe } from 'vitest'
import { poolConfigOf } from '../src/database/pool.ts'
import { PERMITTED } from '../src/documents/tables.ts'

/** Databases of a test file. */
export interface TestDatabases {
  /** Of the server's root, to look behind the store's back. */
  readonly pool: Pool
  /** The address of a database that nothing is in. */
  fresh(): Promise<string>
  /** Removes every document. */
  empty(url: string): Promise<void>
}

export const nameIn = (url: string): string => new URL(url).pathname.slice(1)

/** Tests over a server; skipped, with the reason, where there is none. */
export function describeMaria(name: string, tests: (databases: TestDatabases) => void): void {
  describe(name, async () => {
    const url = await useServer('mariadb')
    const pool = createPool({ ...poolConfigOf(url, 4), multipleStatements: true })
    const names: string[] = []
    afterAll(async () => {
      for (const name of names) await pool.query(`drop database if exists ${name}`)
      await pool.end()
    })
    tests({
      pool,
      async fresh() {
        const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 8)}`
        names.push(name)
        await pool.query(`create database ${name}`)
        const own = new URL(url)
        own.pathname = `/${name}`
        return own.href
      },
      async empty(own) {
        const remove = ({ name }: Kind<unknown>) =>
          `set ${PERMITTED} = '${name}'; delete from ${nameIn(own)}.${name}`
        await pool.query(
          `start transaction; ${ALL_KINDS.map(remove).join('; ')}; set ${PERMITTED} = null; commit`,
        )
      },
    })
  })
}
