import type { Store } from '@colloquy/core'
import { createAccessStore } from './access-store.ts'
import { createAgentStore } from './agent-store.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { createConversationStore } from './conversation-store.ts'

/** What may be set about a SQLite store. */
export type SqliteStoreOptions = ConnectionOptions

/**
 * A durable store in one SQLite file: what a resolved write promised is on disk (`synchronous=FULL`), writes of one
 * event-loop tick share one transaction. Several processes may open the same file.
 * @throws Error when the file cannot be opened, or was written by a newer version
 */
export function createSqliteStore(options: SqliteStoreOptions): Store {
  const connection = openConnection(options)
  return {
    access: createAccessStore(connection),
    agents: createAgentStore(connection),
    conversations: createConversationStore(connection),
    close: () => connection.close(),
  }
}
