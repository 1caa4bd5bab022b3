import { createMariaStore } from '@colloquy/adapter-mariadb'
import { createPostgresStore } from '@colloquy/adapter-postgres'
import { createMemoryDocuments } from '@colloquy/core/memory'
import { ALL_KINDS, createSequence, type Documents } from '@colloquy/core/store'
import { testDocuments } from '@colloquy/core/testing/contracts'
import { postgresSchemas } from '@colloquy/test-support/postgres'
import { useServer } from '@colloquy/test-support/servers'
import fc from 'fast-check'
import { createPool as createMariaPool } from 'mariadb'
import { afterAll, describe, onTestFinished } from 'vitest'
import { poolConfigOf } from '../../../packages/adapter-mariadb/src/database/pool.ts'
import { createSession as createMariaSession } from '../../../packages/adapter-mariadb/src/database/session.ts'
import { createDocuments as createMariaDocuments } from '../../../packages/adapter-mariadb/src/documents/documents.ts'
import { PERMITTED } from '../../../packages/adapter-mariadb/src/documents/tables.ts'
import { createPool } from '../../../packages/adapter-postgres/src/database/pool.ts'
import { createSession as createPostgresSession } from '../../../packages/adapter-postgres/src/database/session.ts'
import { createDocuments as createPostgresDocuments } from '../../../packages/adapter-postgres/src/documents/documents.ts'
import { openDatabase } from '../../../packages/adapter-sqlite/src/database/database.ts'
import { createSession } from '../../../packages/adapter-sqlite/src/database/session.ts'
import { createDocuments } from '../../../packages/adapter-sqlite/src/documents/documents.ts'
import { MUTANTS } from './mutants.ts'

// Not a test: the suite that each mutant fails, and which passes without one.

// That a property fails is enough: nobody reads for which smallest values it does.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })

function testMutants(database: string, open: () => Promise<Documents>, runs: number): void {
  testDocuments(`${database}; none`, { open }, runs)
  for (const [name, mutant] of Object.entries(MUTANTS))
    testDocuments(`${database}; ${name}`, { open: async () => mutant(await open()) }, runs)
}

testMutants('memory', async () => createMemoryDocuments(), 20)

async function openSqlite() {
  const session = createSession(openDatabase({ filename: ':memory:' }))
  onTestFinished(() => session.close())
  return createDocuments(session, createSequence(Date.now))
}
testMutants('SQLite', openSqlite, 20)

describe('PostgreSQL', async () => {
  const schemas = postgresSchemas(await useServer('postgres'))
  const { url } = schemas
  const schema = schemas.fresh()
  const pool = createPool({ url, maxConnections: 8 }, { schema, settings: true })
  const session = createPostgresSession({ pool, own: pool, schema, prepare: true, onClose: () => {} })
  afterAll(async () => {
    await session.close()
    await schemas.remove()
  })
  const options = { nextSequence: createSequence(Date.now), writesPerStatement: 200, committed: () => {} }
  let made: Promise<void> | null = null
  async function open() {
    made ??= createPostgresStore({ url, schema }).then(store => store.close())
    await made
    await schemas.empty(schema)
    return createPostgresDocuments(session, options)
  }
  testMutants('PostgreSQL', open, 20)
})

describe('MariaDB', async () => {
  const server = await useServer('mariadb')
  const name = `mutants_${process.pid}`
  const url = new URL(`/${name}`, server).href
  const root = createMariaPool({ ...poolConfigOf(server, 2), multipleStatements: true })
  const pool = createMariaPool(poolConfigOf(url, 8))
  afterAll(async () => {
    await pool.end()
    await root.query(`drop database if exists ${name}`)
    await root.end()
  })
  async function make(): Promise<void> {
    await root.query(`create database ${name}`)
    await (await createMariaStore({ url })).close()
  }
  let made: Promise<void> | null = null
  const remove = ALL_KINDS.map(kind => `set ${PERMITTED} = '${kind.name}'; delete from ${name}.${kind.name}`)
  async function open() {
    made ??= make()
    await made
    await root.query(`start transaction; ${remove.join('; ')}; commit`)
    return createMariaDocuments(createMariaSession(pool), createSequence(Date.now))
  }
  testMutants('MariaDB', open, 20)
})
