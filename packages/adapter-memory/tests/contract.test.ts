import { testStore } from '@colloquy/core/testing/contracts'
import { createMemoryStore } from '../src/store.ts'

testStore('memory', { open: async () => createMemoryStore() })
