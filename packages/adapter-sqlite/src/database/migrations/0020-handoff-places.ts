import type { Migration } from '../migrate.ts'

/** Handoffs have rows in the order in which they came, which the wall clock cannot change. */
export const handoffPlaces: Migration = {
  version: 20,
  name: 'handoff-places',
  sql: `
ALTER TABLE handoff RENAME TO handoff_by_conversation;
DROP INDEX handoff_waiting;
DROP INDEX handoff_line;
CREATE TABLE handoff (
  row INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  handoff_id TEXT NOT NULL,
  status TEXT NOT NULL,
  queue_name TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT;
INSERT INTO handoff (conversation, conversation_id, account_id, handoff_id, status, queue_name, since)
  SELECT conversation, conversation_id, account_id, handoff_id, status, queue_name, since
  FROM handoff_by_conversation ORDER BY since, conversation_id;
DROP TABLE handoff_by_conversation;
-- Rows of one account and status stand in it in their order.
CREATE INDEX handoff_line ON handoff (status, account_id);
`,
}
