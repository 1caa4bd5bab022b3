import { testStore } from '@colloquy/core/testing'
import { createMemoryStore } from '../src/store.ts'

testStore('memory', { open: async () => createMemoryStore() })
