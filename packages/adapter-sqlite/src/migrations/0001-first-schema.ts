/** Accounts, agents and conversations. `performance.md` shows what the layout of the event log is worth. */
export const firstSchema = `
CREATE TABLE accounts (
  id TEXT PRIMARY KEY, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL, created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, account_id TEXT, created_at INTEGER NOT NULL,
  revoked_at INTEGER, value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE connectors (
  id TEXT PRIMARY KEY, token_hash TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, created_at INTEGER NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE agents (
  id TEXT PRIMARY KEY, account_id TEXT NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX agents_by_account ON agents (account_id, created_at, id);
CREATE TABLE revisions (
  agent_id TEXT NOT NULL, number INTEGER NOT NULL, content_hash TEXT NOT NULL, created_at INTEGER NOT NULL,
  PRIMARY KEY (agent_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE resources (
  key INTEGER PRIMARY KEY, agent_id TEXT NOT NULL, kind TEXT NOT NULL, resource_id TEXT NOT NULL,
  revision INTEGER NOT NULL, name TEXT, value TEXT
) STRICT;
CREATE UNIQUE INDEX resource_versions ON resources (agent_id, kind, resource_id, revision);
CREATE INDEX resources_by_revision ON resources (agent_id, revision);
CREATE INDEX resources_by_name ON resources (agent_id, name) WHERE name IS NOT NULL;
CREATE TABLE branches (
  agent_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, base_revision INTEGER NOT NULL,
  version INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  PRIMARY KEY (agent_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE branch_changes (
  agent_id TEXT NOT NULL, branch_id TEXT NOT NULL, kind TEXT NOT NULL, resource_id TEXT NOT NULL, value TEXT,
  PRIMARY KEY (agent_id, branch_id, kind, resource_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE deployments (
  agent_id TEXT NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL, environment TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (agent_id, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX deployments_by_id ON deployments (agent_id, id);
CREATE INDEX deployments_by_environment ON deployments (agent_id, environment, number);

CREATE TABLE conversations (
  key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, agent_id TEXT NOT NULL,
  environment TEXT NOT NULL, listed INTEGER NOT NULL, started_at INTEGER NOT NULL, finished_at INTEGER,
  variant_id TEXT, variant_name TEXT, channel TEXT NOT NULL, language TEXT, from_number TEXT NOT NULL,
  to_number TEXT NOT NULL, handoff_id TEXT, handoff_status TEXT, handoff_queue TEXT, handoff_since INTEGER,
  wake_at INTEGER, version INTEGER NOT NULL, sequence INTEGER NOT NULL, last_event INTEGER, last_turn INTEGER,
  state TEXT NOT NULL, summary TEXT NOT NULL, details TEXT NOT NULL, turns TEXT
) STRICT;
CREATE INDEX conversations_listed ON conversations (account_id, agent_id, environment, started_at, id) WHERE listed = 1;
CREATE INDEX conversations_finished ON conversations (account_id, agent_id, environment, finished_at) WHERE listed = 1;
CREATE INDEX conversations_open ON conversations (agent_id, id) WHERE finished_at IS NULL;
CREATE INDEX conversations_due ON conversations (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX conversations_handoff ON conversations (account_id, handoff_status, handoff_since, id)
  WHERE handoff_status IS NOT NULL;

CREATE TABLE events (
  key INTEGER PRIMARY KEY, previous INTEGER, sequence INTEGER NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL,
  type TEXT NOT NULL, payload TEXT NOT NULL, custom TEXT, client_event_id TEXT
) STRICT;
CREATE TABLE client_events (
  conversation INTEGER NOT NULL, client_event_id TEXT NOT NULL, sequence INTEGER NOT NULL,
  PRIMARY KEY (conversation, client_event_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE turns (
  key INTEGER PRIMARY KEY, previous INTEGER, record TEXT NOT NULL, details TEXT NOT NULL
) STRICT;
CREATE TABLE external_events (
  event_id TEXT PRIMARY KEY, conversation_id TEXT NOT NULL, account_id TEXT NOT NULL, agent_id TEXT NOT NULL,
  content_type TEXT, body BLOB, received_at INTEGER, pending INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX external_events_pending ON external_events (conversation_id, pending) WHERE pending IS NOT NULL;
`
