import { type CopyableStore, groupsOver } from '@colloquy/core/store'
import { checkOptions } from './check-options.ts'
import { conversationWriting, createConversationStore } from './conversations/conversations.ts'
import { createCopyStore } from './copies/copies.ts'
import { type DatabaseOptions, openDatabase } from './database/database.ts'
import { createSession } from './database/session.ts'
import { createDocuments } from './documents/documents.ts'
import { createOutboxKeeper } from './outbox/outbox-keeper.ts'

/** How to keep a store in a SQLite file. */
export type SqliteStoreOptions = DatabaseOptions

/**
 * Keeps everything in one SQLite file. A write that has resolved survives the process and the power; writes of one tick
 * of the event loop share a transaction. Several processes may share a file. Reads run at once and see what is
 * committed.
 *
 * @throws SCHEMA_VALIDATION_FAILED for options that there are not (EM4)
 * @throws Error naming the file when it cannot be opened, is another application's, or was written by another version
 * of this package (SQ4, SQ6, SQ12)
 */
export function createSqliteStore(options: SqliteStoreOptions): CopyableStore {
  checkOptions(options)
  const session = createSession(openDatabase(options), options.busyTimeout)
  const keeper = createOutboxKeeper(session.define)
  const writing = conversationWriting(session, keeper)
  const groups = groupsOver(createDocuments(session, keeper))
  return {
    agents: groups.agents,
    conversations: createConversationStore(session, keeper, writing, groups),
    access: groups.access,
    webhooks: groups.webhooks,
    alerts: groups.alerts,
    audit: groups.audit,
    copies: createCopyStore(session, writing, groups.copies),
    onCommit: session.onCommit,
    async close() {
      const settled = groups.close()
      if (settled !== null) await settled
      await session.close()
    },
  }
}
