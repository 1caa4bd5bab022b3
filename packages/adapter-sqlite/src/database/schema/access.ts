/** Accounts, keys, connectors, and what is known of who did what. */
export const ACCESS = `
CREATE TABLE account (
  id TEXT PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX account_by_time ON account (created_at, id);

CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  name TEXT NOT NULL,
  account_id TEXT,
  agent_id TEXT,
  region TEXT,
  permissions TEXT,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  expires_at INTEGER,
  last_used_at INTEGER
) STRICT;
CREATE INDEX api_key_of_account ON api_key (account_id, created_at, id);
CREATE INDEX api_key_by_time ON api_key (created_at, id);
CREATE INDEX api_key_of_agent ON api_key (agent_id, created_at, id) WHERE agent_id IS NOT NULL;

-- A telephony connector has no token and no hosts: what it has instead stands in speech.
CREATE TABLE connector (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  token_prefix TEXT NOT NULL,
  name TEXT NOT NULL,
  account_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  hosts TEXT NOT NULL,
  variant_id TEXT,
  handoff TEXT NOT NULL,
  speech TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  expires_at INTEGER,
  last_used_at INTEGER,
  context_keys TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX connector_by_token ON connector (token_hash) WHERE kind = 'messaging';
CREATE INDEX connector_of_account ON connector (account_id, created_at, id) WHERE kind = 'messaging';
CREATE INDEX connector_by_time ON connector (created_at, id) WHERE kind = 'messaging';
CREATE INDEX connector_of_agent ON connector (agent_id, created_at, id) WHERE kind = 'messaging';
CREATE INDEX telephony_connector_of_agent ON connector (agent_id, created_at, id) WHERE kind = 'telephony';

CREATE TABLE secret (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE token_key (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  secret TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  verifies_until INTEGER
) STRICT;
CREATE INDEX token_key_end ON token_key (verifies_until) WHERE verifies_until IS NOT NULL;

CREATE TABLE audit_entry (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  actor_type TEXT NOT NULL,
  actor_id TEXT,
  actor_name TEXT NOT NULL,
  action TEXT NOT NULL,
  account_id TEXT,
  agent_id TEXT,
  resource_type TEXT NOT NULL,
  resource_id TEXT,
  details TEXT NOT NULL,
  correlation_id TEXT
) STRICT;
CREATE INDEX audit_entry_by_time ON audit_entry (at);
CREATE INDEX audit_entry_of_account ON audit_entry (account_id, at);
CREATE INDEX audit_entry_of_agent ON audit_entry (agent_id, at);
CREATE INDEX audit_entry_of_action ON audit_entry (action, at);
CREATE INDEX audit_entry_of_resource ON audit_entry (resource_id, at);

-- The moment before which entries may be removed. Holds a row within the transaction that removes them, and none outside
-- of it.
CREATE TABLE audit_removal (before INTEGER NOT NULL) STRICT;
CREATE TRIGGER audit_entry_stands BEFORE UPDATE ON audit_entry BEGIN
  SELECT raise(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER audit_entry_stays BEFORE DELETE ON audit_entry
WHEN old.at >= coalesce((SELECT max(before) FROM audit_removal), old.at) BEGIN
  SELECT raise(ABORT, 'the audit log is append-only');
END;
`
