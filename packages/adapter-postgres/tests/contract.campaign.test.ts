import { testStore } from '@colloquy/core/testing/contracts'
import { describePostgres } from './postgres.ts'

// Slow: each test opens a store of a real PostgreSQL, and empties its tables.

describePostgres('PostgreSQL', stores => {
  testStore('PostgreSQL', { open: stores.open, reopen: stores.openAgain })
})
