import { createMemoryDocuments } from '../../src/memory/index.ts'
import { testDocuments } from '../../src/testing/contracts/index.ts'

testDocuments('memory', { open: async () => createMemoryDocuments() }, 200)
