import type { Migration } from '../migrate.ts'

const SQL = `
-- Every 32nd event of a conversation by its sequence: the way into the middle of a chain, which is read backwards from there.
CREATE TABLE event_anchor (
  conversation INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  event INTEGER NOT NULL,
  PRIMARY KEY (conversation, sequence)
) STRICT, WITHOUT ROWID;

WITH RECURSIVE chain (conversation, sequence, event, previous) AS (
  SELECT conversation.row, event.sequence, event.row, event.previous
  FROM conversation CROSS JOIN event ON event.row = conversation.last_event
  WHERE conversation.sequence >= 32
  UNION ALL
  SELECT chain.conversation, event.sequence, event.row, event.previous
  FROM chain CROSS JOIN event ON event.row = chain.previous
)
INSERT INTO event_anchor SELECT conversation, sequence, event FROM chain WHERE sequence % 32 = 0;
`

/** Long logs are read from any place in them, page by page. */
export const eventAnchors: Migration = { version: 14, name: 'event-anchors', sql: SQL }
