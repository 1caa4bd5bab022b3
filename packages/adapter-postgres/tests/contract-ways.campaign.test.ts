import { testStore } from '@colloquy/core/testing/contracts'
import { describePooled, describePostgres } from './postgres.ts'

// Slow: each test opens a store of a real PostgreSQL, and empties its tables.

describePostgres(
  'PostgreSQL without prepared statements',
  stores => {
    testStore('PostgreSQL, prepare: false', { open: stores.open, reopen: stores.openAgain })
  },
  { prepare: false },
)

describePooled('PG46 PostgreSQL through PgBouncer in transaction mode', stores => {
  testStore('PostgreSQL, pooled', { open: stores.open, reopen: stores.openAgain })
})
