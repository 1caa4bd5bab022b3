import { createMemoryStore } from '@colloquy/core/memory'
import { UNFINISHED_COPY } from '@colloquy/core/store'
import { testCopies } from '@colloquy/core/testing/contracts'
import { expect, test } from 'vitest'
import { createSqliteStore } from '../src/store.ts'
import { temporaryFile } from './files.ts'

const open = async () => createSqliteStore({ filename: ':memory:' })

// A store of documents alone.
const openDocuments = async () => createMemoryStore()

testCopies('SQLite', { source: open, target: open })
testCopies('SQLite to documents', { source: open, target: openDocuments })
testCopies('documents to SQLite', { source: openDocuments, target: open })

test('SQ8 a file with a copy that was cut off is opened for a copy alone', async () => {
  const filename = temporaryFile()
  const copy = createSqliteStore({ filename, exclusive: true })
  await copy.copies.take('secret', [{ name: UNFINISHED_COPY, value: 'yes', version: 1 }])
  await copy.close()
  expect(() => createSqliteStore({ filename })).toThrow(
    `${filename} cannot be opened: a copy into it was cut off, or still goes on. Run the same`,
  )
  const again = createSqliteStore({ filename, exclusive: true })
  await again.copies.drop('secret', [[UNFINISHED_COPY]])
  await again.close()
  await createSqliteStore({ filename }).close()
})
