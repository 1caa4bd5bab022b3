import type { Migration } from '../migrate.ts'

/** Which conversation the key of a message stands for. Keys of before are known in their conversations alone. */
export const messageKeys: Migration = {
  version: 32,
  name: 'message-keys',
  sql: `
CREATE TABLE message_key (
  key TEXT PRIMARY KEY,
  conversation INTEGER NOT NULL REFERENCES conversation_head (row) ON DELETE CASCADE,
  taken_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX message_key_of_conversation ON message_key (conversation);
CREATE INDEX message_key_taken ON message_key (taken_at);
`,
}
