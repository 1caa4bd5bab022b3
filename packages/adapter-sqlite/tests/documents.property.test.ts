import { createSequence, type Documents } from '@colloquy/core/store'
import { testDocuments } from '@colloquy/core/testing/contracts'
import { runs } from '@colloquy/test-support/runs'
import { openDatabase } from '../src/database/database.ts'
import { createSession } from '../src/database/session.ts'
import { createDocuments } from '../src/documents/documents.ts'
import { temporaryStoreFile } from './files.ts'

// Slow: each batch of the contract is an fsync of a file.

const opened = new WeakMap<Documents, { readonly filename: string; close(): Promise<void> }>()

async function openOn(filename: string): Promise<Documents> {
  const session = createSession(openDatabase({ filename }))
  const documents = createDocuments(session, createSequence(Date.now))
  opened.set(documents, { filename, close: session.close })
  return documents
}

const close = async (documents: Documents) => opened.get(documents)?.close()
const beside = (documents: Documents) => openOn(opened.get(documents)?.filename ?? '')

testDocuments('SQLite', { open: () => openOn(':memory:'), close }, runs(40, 400))
testDocuments(
  'SQLite file',
  {
    open: () => openOn(temporaryStoreFile()),
    ...{ beside, close },
    async reopen(documents) {
      await close(documents)
      return beside(documents)
    },
  },
  runs(5, 100),
)
