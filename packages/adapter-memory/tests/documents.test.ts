import { testDocuments } from '@colloquy/core/testing/contracts'
import { createMemoryDocuments } from '../src/index.ts'

testDocuments('memory', { open: async () => createMemoryDocuments() }, 200)
