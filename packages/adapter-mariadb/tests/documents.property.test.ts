import { createSequence, type Documents } from '@colloquy/core/store'
import { testDocuments } from '@colloquy/core/testing/contracts'
import { runs } from '@colloquy/test-support/runs'
import { createPool, type Pool } from 'mariadb'
import { afterAll } from 'vitest'
import { poolConfigOf } from '../src/database/pool.ts'
import { createSession } from '../src/database/session.ts'
import { createDocuments } from '../src/documents/documents.ts'
import { createMariaStore } from '../src/store.ts'
import { describeMaria } from './maria.ts'

// Slow: each batch of the contract is a transaction of a real MariaDB.

describeMaria('MariaDB', ({ empty, fresh }) => {
  const openOn = (url: string) => {
    const pool = createPool(poolConfigOf(url, 8))
    return { url, pool, documents: createDocuments(createSession(pool), createSequence(Date.now)) }
  }
  const others = new WeakMap<Documents, Pool>()
  let made: Promise<ReturnType<typeof openOn>> | null = null
  afterAll(async () => (await made)?.pool.end())

  async function make() {
    const url = await fresh()
    await (await createMariaStore({ url })).close()
    return openOn(url)
  }
  const known = () => {
    made ??= make()
    return made
  }
  const factory = {
    async open() {
      const { documents, url } = await known()
      await empty(url)
      return documents
    },
    async beside() {
      const { documents, pool } = openOn((await known()).url)
      others.set(documents, pool)
      return documents
    },
    async reopen() {
      const { pool, url } = await known()
      await pool.end()
      made = Promise.resolve(openOn(url))
      return (await made).documents
    },
    close: async (documents: Documents) => others.get(documents)?.end(),
  }
  testDocuments('MariaDB', factory, runs(12, 400))
})
