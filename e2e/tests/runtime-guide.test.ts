import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { testRuntime } from '@colloquy/core/testing/contracts'
import { createWordForWordRuntime } from '../src/runtime.ts'

testRuntime('the guide’s', {
  make: () => createWordForWordRuntime(),
  openStore: async () => createSqliteStore({ filename: ':memory:' }),
})
