import { systemClock } from '@colloquy/core'
import { type CopyableStore, createSequence, storeOver } from '@colloquy/core/store'
import { checkOptions } from './check-options.ts'
import { openDatabase, type SqliteStoreOptions } from './database/database.ts'
import { createSession } from './database/session.ts'
import { createDocuments } from './documents/documents.ts'

/**
 * Keeps everything in one SQLite file. A write that has resolved survives the process and the power; writes of one tick
 * of the event loop share a transaction. Several processes may share a file. Reads run at once and see what is
 * committed.
 *
 * @throws SCHEMA_VALIDATION_FAILED for unknown options (EM4)
 * @throws Error naming the file when it cannot be opened, is another application's, or was written by another version
 * of this package (SQ4)
 */
export function createSqliteStore(options: SqliteStoreOptions): CopyableStore {
  checkOptions(options)
  const session = createSession(openDatabase(options), options.busyTimeout)
  const nextSequence = createSequence(() => performance.timeOrigin + performance.now())
  const documents = createDocuments(session, nextSequence)
  const store = storeOver(documents, { nextSequence, random: Math.random, clock: systemClock }, session.close)
  return { ...store, onCommit: session.onCommit }
}
