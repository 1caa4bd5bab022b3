import type { Store } from '@colloquy/core/store'
import { createAccessStore } from './access/access.ts'
import { createAgentStore } from './agents/agents.ts'
import { createAuditStore } from './audit/audit.ts'
import { checkOptions } from './check-options.ts'
import { createConversationStore } from './conversations/conversations.ts'
import { type DatabaseOptions, openDatabase } from './database/database.ts'
import { createSession } from './database/session.ts'
import { createWebhookStore } from './webhooks/webhooks.ts'

/** How to keep a store in a SQLite file. */
export type SqliteStoreOptions = DatabaseOptions

/**
 * Keeps everything in one SQLite file. A write that has resolved survives the process and the power; writes of one tick of
 * the event loop share a transaction. Several processes may share a file. Reads run at once and see what is committed.
 *
 * @throws SCHEMA_VALIDATION_FAILED for options that there are not (EM4)
 * @throws Error naming the file when it cannot be opened, is another application's, or was written by a newer version of this package (SQ4, SQ6, SQ12)
 */
export function createSqliteStore(options: SqliteStoreOptions): Store {
  checkOptions(options)
  const session = createSession(openDatabase(options), options.busyTimeout)
  const audit = createAuditStore(session)
  const webhooks = createWebhookStore(session, audit.trail)
  return {
    agents: createAgentStore(session, audit.trail),
    conversations: createConversationStore(session, webhooks.outbox, audit.trail),
    access: createAccessStore(session, audit.trail),
    webhooks: webhooks.store,
    audit: audit.store,
    close: session.close,
  }
}
