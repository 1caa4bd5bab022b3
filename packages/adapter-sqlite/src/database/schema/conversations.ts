/** Conversations, their logs, and what is waited for. */
export const CONVERSATIONS = `
-- The three ids that every list and figure is asked for, as one small number.
CREATE TABLE scope (
  row INTEGER PRIMARY KEY,
  agent_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  UNIQUE (agent_id, account_id, environment)
) STRICT;

-- Variants as conversations name them; key is the JSON of both values, because nulls are equal to nothing.
CREATE TABLE variant (
  row INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  id TEXT,
  name TEXT
) STRICT;
CREATE INDEX variant_id ON variant (id);
CREATE INDEX variant_name ON variant (name);

-- What rarely changes. The state comes last: a list reads the columns before it and leaves its pages alone.
-- Listed is 1 in lists and figures, and 2 in lists alone.
CREATE TABLE conversation (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  scope INTEGER NOT NULL REFERENCES scope (row),
  listed INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  variant INTEGER NOT NULL REFERENCES variant (row),
  channel TEXT NOT NULL,
  language TEXT,
  to_number TEXT NOT NULL,
  shared_id TEXT,
  shared_at INTEGER,
  summary TEXT NOT NULL,
  details TEXT NOT NULL,
  turns TEXT,
  state TEXT NOT NULL
) STRICT;
CREATE INDEX conversation_active ON conversation
  (scope, listed, started_at, variant, language, to_number, finished_at) WHERE finished_at IS NULL;
CREATE INDEX conversation_listed ON conversation
  (scope, started_at, id, finished_at, variant, channel) WHERE listed > 0;
-- Conversations for which nothing is to be done any more, the longest finished first: what a removal takes.
CREATE INDEX conversation_over ON conversation (scope, finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX conversation_shared ON conversation (shared_id, scope, shared_at) WHERE shared_id IS NOT NULL;

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
CREATE INDEX conversation_head_due ON conversation_head (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX conversation_head_postponed ON conversation_head (postponed) WHERE postponed = 1;

-- Append-only chains: previous is the row of the conversation's event before this one.
CREATE TABLE event (
  row INTEGER PRIMARY KEY,
  previous INTEGER,
  sequence INTEGER NOT NULL,
  event TEXT NOT NULL
) STRICT;

-- Every 32nd event of a conversation by its sequence: the way into the middle of a chain, which is read backwards from
-- there.
CREATE TABLE event_anchor (
  conversation INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  event INTEGER NOT NULL,
  PRIMARY KEY (conversation, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE turn (
  row INTEGER PRIMARY KEY,
  previous INTEGER,
  conversation INTEGER NOT NULL,
  record TEXT NOT NULL,
  details TEXT NOT NULL
) STRICT;

CREATE TABLE client_event (
  conversation INTEGER NOT NULL,
  client_event_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  PRIMARY KEY (conversation, client_event_id)
) STRICT, WITHOUT ROWID;

-- Which conversation the key of a message stands for.
CREATE TABLE message_key (
  key TEXT PRIMARY KEY,
  conversation INTEGER NOT NULL REFERENCES conversation_head (row) ON DELETE CASCADE,
  taken_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX message_key_of_conversation ON message_key (conversation);
CREATE INDEX message_key_taken ON message_key (taken_at);

CREATE TABLE external_event (
  event_id TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  content_type TEXT,
  body BLOB,
  received_at INTEGER
) STRICT;
CREATE INDEX external_event_of ON external_event (conversation_id);

CREATE TABLE pending_external_event (
  row INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL
) STRICT;
CREATE INDEX pending_external_event_of ON pending_external_event (conversation_id);

-- Logs of conversations that were removed: they are no more, and their rows go in short steps.
CREATE TABLE removed_log (
  conversation INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  last_event INTEGER,
  last_turn INTEGER,
  -- How many words of the last turn are out of the index already.
  words INTEGER NOT NULL,
  -- The conversation's id while some of its external events and webhook events are left.
  id TEXT
) STRICT;
CREATE INDEX removed_log_by_id ON removed_log (id) WHERE id IS NOT NULL;

-- Rows of one account and status stand in it in the order in which they came, which the wall clock cannot change.
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
CREATE INDEX handoff_line ON handoff (status, account_id);

-- How long visitors waited for a live agent.
CREATE TABLE handoff_wait (
  row INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  queue_name TEXT NOT NULL,
  joined_at INTEGER NOT NULL,
  waited INTEGER NOT NULL
) STRICT;
CREATE INDEX handoff_wait_newest ON handoff_wait (account_id, queue_name, joined_at, waited);

-- Until when an account's line is held by the process that announces it.
CREATE TABLE waiting_line (
  account_id TEXT PRIMARY KEY,
  held_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`
