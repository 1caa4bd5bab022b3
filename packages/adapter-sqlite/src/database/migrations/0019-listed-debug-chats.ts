import type { Migration } from '../migrate.ts'

/**
 * Lists also hold conversations that count in no figure: `listed` is 2 for them. What is read for figures goes on
 * reading 1.
 */
export const listedDebugChats: Migration = {
  version: 19,
  name: 'listed-debug-chats',
  sql: `
DROP INDEX conversation_list;
CREATE INDEX conversation_listed ON conversation
  (scope, started_at, id, finished_at, variant, channel) WHERE listed > 0;
`,
}
