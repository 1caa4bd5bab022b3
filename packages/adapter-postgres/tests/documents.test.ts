import { KINDS } from '@colloquy/core/store'
import { testDocuments } from '@colloquy/core/testing/contracts'
import { afterAll, expect, it } from 'vitest'
import { createPool } from '../src/database/pool.ts'
import { createSession } from '../src/database/session.ts'
import { createDocuments } from '../src/documents/documents.ts'
import { createPostgresStore } from '../src/store.ts'
import { describePostgres } from './postgres.ts'

// Slow: each batch of the contract is a transaction of a real PostgreSQL.

for (const prepare of [true, false])
  describePostgres(`prepare: ${prepare}`, ({ schemas }) => {
    const { url } = schemas
    const schema = schemas.fresh()
    const pool = createPool({ url, maxConnections: 8 }, { schema, settings: prepare })
    const session = createSession({ pool, own: pool, schema, prepare, onClose: () => {} })
    afterAll(() => session.close())
    let made: Promise<void> | null = null
    const open = async () => {
      made ??= createPostgresStore({ url, schema }).then(store => store.close())
      await made
      await schemas.empty(schema)
      return createDocuments(session)
    }
    testDocuments('PostgreSQL', open, 12)

    it('SX200 texts are ordered by code points, whatever the locale of the database', async () => {
      await open()
      const { rows } = await schemas.pool.query(
        `select table_name, column_name from information_schema.columns
         where table_schema = $1 and table_name = any ($2) and data_type = 'text' and column_name <> 'body'
           and collation_name is distinct from 'C'`,
        [schema, KINDS.map(({ name }) => name)],
      )
      expect(rows).toEqual([])
    })
  })
