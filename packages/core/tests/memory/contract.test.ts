import { createMemoryStore } from '../../src/memory/store.ts'
import { testStore } from '../../src/testing/contracts/index.ts'

testStore('memory', { open: async () => createMemoryStore() })
