import { testDocuments } from '@colloquy/core/testing/contracts'
import { createMemoryDocuments } from '../src/index.ts'

testDocuments('memory', async () => createMemoryDocuments(), 200)
