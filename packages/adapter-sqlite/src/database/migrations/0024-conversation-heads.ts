import type { Migration } from '../migrate.ts'

// The columns that move stay, unused and under other names: to drop a column is to rewrite the table. A process of an
// earlier version that still has the file open fails, and does not write to what is read no more.
const SQL = `
-- What every write of a conversation changes, in rows that are short: a page holds those of many conversations.
CREATE TABLE conversation_head (
  row INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  last_event INTEGER,
  last_turn INTEGER,
  finished INTEGER NOT NULL,
  -- When it must be woken, and a moment not after that by which it is found: then that is set to this.
  wake_at INTEGER,
  due_at INTEGER,
  postponed INTEGER NOT NULL,
  claims INTEGER NOT NULL,
  -- JSON of what differs from conversation.state.
  changes TEXT
) STRICT;
INSERT INTO conversation_head
  SELECT row, version, sequence, last_event, last_turn, finished_at IS NOT NULL, wake_at, wake_at, 0, claims, NULL
  FROM conversation;
CREATE INDEX conversation_head_due ON conversation_head (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX conversation_head_postponed ON conversation_head (postponed) WHERE postponed = 1;

DROP INDEX conversation_wake;
DROP INDEX conversation_over;
CREATE INDEX conversation_over ON conversation (scope, finished_at) WHERE finished_at IS NOT NULL;
ALTER TABLE conversation RENAME COLUMN version TO former_version;
ALTER TABLE conversation RENAME COLUMN sequence TO former_sequence;
ALTER TABLE conversation RENAME COLUMN last_event TO former_last_event;
ALTER TABLE conversation RENAME COLUMN last_turn TO former_last_turn;
ALTER TABLE conversation RENAME COLUMN wake_at TO former_wake_at;
ALTER TABLE conversation RENAME COLUMN claims TO former_claims;
`

/** What every write of a conversation changes, apart from the state that it rarely writes whole. */
export const conversationHeads: Migration = { version: 24, name: 'conversation-heads', sql: SQL }
