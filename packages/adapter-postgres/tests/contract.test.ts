import { testStore } from '@colloquy/core/testing/contracts'
import { describePostgres } from './postgres.ts'

describePostgres('PostgreSQL', stores => {
  testStore('PostgreSQL', { open: stores.open, reopen: stores.openAgain })
})
