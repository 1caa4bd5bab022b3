import { testDocuments } from '@colloquy/core/testing/contracts'
import { createDocuments } from '../src/documents.ts'

testDocuments('memory', async () => createDocuments().documents, 200)
