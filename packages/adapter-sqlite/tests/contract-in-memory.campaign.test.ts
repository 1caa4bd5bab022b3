import { testStore } from '@colloquy/core/testing/contracts'
import { createSqliteStore } from '../src/store.ts'

testStore('SQLite in memory', { open: async () => createSqliteStore({ filename: ':memory:' }) })
