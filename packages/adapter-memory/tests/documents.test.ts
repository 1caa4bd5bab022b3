import { testDocuments } from '@colloquy/core/testing/contracts'
import { createDocuments } from '../src/documents.ts'
import { holdWebhooks } from '../src/webhooks/held-webhooks.ts'

testDocuments('memory', async () => createDocuments(holdWebhooks()).documents, 200)
