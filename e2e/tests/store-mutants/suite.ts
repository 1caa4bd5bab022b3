import { createMemoryDocuments } from '@colloquy/adapter-memory'
import { createPostgresStore } from '@colloquy/adapter-postgres'
import { testDocuments } from '@colloquy/core/testing/contracts'
import { onTestFinished } from 'vitest'
import { createPool } from '../../../packages/adapter-postgres/src/database/pool.ts'
import { createSession as createPostgresSession } from '../../../packages/adapter-postgres/src/database/session.ts'
import { createDocuments as createPostgresDocuments } from '../../../packages/adapter-postgres/src/documents/documents.ts'
import { describePostgres } from '../../../packages/adapter-postgres/tests/postgres.ts'
import { openDatabase } from '../../../packages/adapter-sqlite/src/database/database.ts'
import { createSession } from '../../../packages/adapter-sqlite/src/database/session.ts'
import { createDocuments } from '../../../packages/adapter-sqlite/src/documents/documents.ts'
import { createOutboxKeeper } from '../../../packages/adapter-sqlite/src/outbox/outbox-keeper.ts'
import { MUTANTS } from './mutants.ts'

// Not a test: the suite that each mutant fails, and which passes without one.

type Open = Parameters<typeof testDocuments>[1]

function testMutants(database: string, open: Open, runs: number): void {
  testDocuments(`${database}; none`, open, runs)
  for (const [name, mutant] of Object.entries(MUTANTS))
    testDocuments(`${database}; ${name}`, async () => mutant(await open()), runs)
}

testMutants('memory', async () => createMemoryDocuments(), 20)

async function openSqlite() {
  const session = createSession(openDatabase({ filename: ':memory:' }))
  onTestFinished(() => session.close())
  return createDocuments(session, createOutboxKeeper(session.define))
}
testMutants('SQLite', openSqlite, 20)

describePostgres('mutants', ({ schemas }) => {
  const { url } = schemas
  const schema = schemas.fresh()
  const pool = createPool({ url, maxConnections: 8 }, { schema, settings: true })
  const session = createPostgresSession({ pool, own: pool, schema, prepare: true, onClose: () => {} })
  const made = createPostgresStore({ url, schema }).then(store => store.close())
  testMutants(
    'PostgreSQL',
    async () => {
      await made
      await schemas.empty(schema)
      return createPostgresDocuments(session)
    },
    20,
  )
})
