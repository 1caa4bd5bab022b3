import { testCopies } from '@colloquy/core/testing/contracts'
import { createSqliteStore } from '../src/store.ts'

const open = async () => createSqliteStore({ filename: ':memory:' })

testCopies('SQLite', { source: open, target: open })
