import { createSequence } from '@colloquy/core/store'
import { testDocuments } from '@colloquy/core/testing/contracts'
import { onTestFinished } from 'vitest'
import { openDatabase } from '../src/database/database.ts'
import { createSession } from '../src/database/session.ts'
import { createDocuments } from '../src/documents/documents.ts'

testDocuments('SQLite', async () => {
  const session = createSession(openDatabase({ filename: ':memory:' }))
  onTestFinished(() => session.close())
  return createDocuments(session, createSequence(Date.now))
})
