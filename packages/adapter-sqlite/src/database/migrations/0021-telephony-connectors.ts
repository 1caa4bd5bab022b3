import type { Migration } from '../migrate.ts'

/**
 * One table of connectors of two kinds; those of before are for messaging. A telephony connector has no token and no
 * hosts: what it has instead stands in `speech`. Tokens are told apart among those that have one.
 */
export const telephonyConnectors: Migration = {
  version: 21,
  name: 'telephony-connectors',
  sql: `
DROP INDEX connector_of_account;
DROP INDEX connector_by_time;
DROP INDEX connector_of_agent;
ALTER TABLE connector RENAME TO connector_before;
CREATE TABLE connector (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  token_hash TEXT NOT NULL DEFAULT '',
  token_prefix TEXT NOT NULL DEFAULT '',
  name TEXT NOT NULL,
  account_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  hosts TEXT NOT NULL DEFAULT '[]',
  variant_id TEXT,
  handoff TEXT NOT NULL DEFAULT '{}',
  speech TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  expires_at INTEGER,
  last_used_at INTEGER
) STRICT;
INSERT INTO connector (id, kind, token_hash, token_prefix, name, account_id, agent_id, environment, hosts, variant_id, handoff,
  created_at, revoked_at, expires_at, last_used_at)
SELECT id, 'messaging', token_hash, token_prefix, name, account_id, agent_id, environment, hosts, variant_id, handoff,
  created_at, revoked_at, expires_at, last_used_at FROM connector_before;
DROP TABLE connector_before;
CREATE UNIQUE INDEX connector_by_token ON connector (token_hash) WHERE kind = 'messaging';
CREATE INDEX connector_of_account ON connector (account_id, created_at, id) WHERE kind = 'messaging';
CREATE INDEX connector_by_time ON connector (created_at, id) WHERE kind = 'messaging';
CREATE INDEX connector_of_agent ON connector (agent_id, created_at, id) WHERE kind = 'messaging';
CREATE INDEX telephony_connector_of_agent ON connector (agent_id, created_at, id) WHERE kind = 'telephony';
`,
}
