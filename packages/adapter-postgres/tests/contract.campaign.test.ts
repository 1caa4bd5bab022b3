import { testStore } from '@colloquy/core/testing/contracts'
import { describePooled, describePostgres } from './postgres.ts'

describePostgres('PostgreSQL', stores => {
  testStore('PostgreSQL', { open: stores.open, reopen: stores.openAgain })
})

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
