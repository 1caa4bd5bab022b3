import { createSqliteStore } from '@colloquy/adapter-sqlite'
import type { CopyableStore } from '@colloquy/core/store'
import { testCopies } from '@colloquy/core/testing/contracts'
import { describePooled, describePostgres } from './postgres.ts'

const openFile = async (): Promise<CopyableStore> => createSqliteStore({ filename: ':memory:' })

describePostgres('PostgreSQL', stores => {
  testCopies('SQLite to PostgreSQL', { source: openFile, target: stores.open })
  testCopies('PostgreSQL to SQLite', { source: stores.open, target: openFile })
  testCopies('PostgreSQL to another schema', { source: stores.open, target: stores.open })
})

describePooled('PG46 PostgreSQL through PgBouncer in transaction mode', stores => {
  testCopies('SQLite to PostgreSQL, pooled', { source: openFile, target: stores.open })
})
