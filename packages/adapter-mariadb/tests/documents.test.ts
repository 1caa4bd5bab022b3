import { createSequence } from '@colloquy/core/store'
import { testDocuments } from '@colloquy/core/testing/contracts'
import { createPool } from 'mariadb'
import { afterAll } from 'vitest'
import { poolConfigOf } from '../src/database/pool.ts'
import { createSession } from '../src/database/session.ts'
import { createDocuments } from '../src/documents/documents.ts'
import { createMariaStore } from '../src/store.ts'
import { describeMaria } from './maria.ts'

// Slow: each batch of the contract is a transaction of a real MariaDB.

describeMaria('MariaDB', ({ empty, fresh }) => {
  let close = async (): Promise<void> => {}
  afterAll(() => close())

  async function made() {
    const url = await fresh()
    await (await createMariaStore({ url })).close()
    const pool = createPool(poolConfigOf(url, 8))
    close = () => pool.end()
    return { url, documents: createDocuments(createSession(pool), createSequence(Date.now)) }
  }
  let known: ReturnType<typeof made> | null = null
  const open = async () => {
    known ??= made()
    const { documents, url } = await known
    await empty(url)
    return documents
  }
  testDocuments('MariaDB', open, 12)
})
