import type { Migration } from '../migrate.ts'

const AGENTS = `
CREATE TABLE agent (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX agent_of_account ON agent (account_id, created_at, id);

CREATE TABLE revision (
  agent INTEGER NOT NULL REFERENCES agent (row) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (agent, number)
) STRICT, WITHOUT ROWID;

-- One row for each change that main saw. A null value: the resource was removed in that revision.
CREATE TABLE resource (
  row INTEGER PRIMARY KEY,
  agent INTEGER NOT NULL REFERENCES agent (row) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT,
  value TEXT
) STRICT;
CREATE UNIQUE INDEX resource_version ON resource (agent, kind, id, revision);
CREATE INDEX resource_change ON resource (agent, revision);
CREATE INDEX resource_name ON resource (agent, name, revision) WHERE name IS NOT NULL;

CREATE TABLE branch (
  row INTEGER PRIMARY KEY,
  agent INTEGER NOT NULL REFERENCES agent (row) ON DELETE CASCADE,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  base_revision INTEGER NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (agent, id)
) STRICT;

CREATE TABLE branch_change (
  row INTEGER PRIMARY KEY,
  branch INTEGER NOT NULL REFERENCES branch (row) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  value TEXT,
  UNIQUE (branch, kind, id)
) STRICT;

CREATE TABLE deployment (
  agent INTEGER NOT NULL REFERENCES agent (row) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  revision INTEGER NOT NULL,
  version TEXT NOT NULL,
  type TEXT NOT NULL,
  message TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (agent, number),
  UNIQUE (agent, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deployment_of_environment ON deployment (agent, environment, number);
`

const CONVERSATIONS = `
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

-- The state comes last: a list reads the columns before it and leaves its pages alone.
CREATE TABLE conversation (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  last_event INTEGER,
  last_turn INTEGER,
  wake_at INTEGER,
  scope INTEGER NOT NULL REFERENCES scope (row),
  listed INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  span INTEGER NOT NULL,
  variant INTEGER NOT NULL REFERENCES variant (row),
  channel TEXT NOT NULL,
  language TEXT,
  to_number TEXT NOT NULL,
  summary TEXT NOT NULL,
  details TEXT NOT NULL,
  turns TEXT,
  state TEXT NOT NULL
) STRICT;
CREATE INDEX conversation_wake ON conversation (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX conversation_open ON conversation (scope) WHERE finished_at IS NULL;
CREATE INDEX conversation_list ON conversation
  (scope, started_at, id, finished_at, variant, channel) WHERE listed = 1;
CREATE INDEX conversation_interval ON conversation
  (scope, span, started_at, finished_at, variant, language, to_number) WHERE listed = 1;

-- Append-only chains: previous is the row of the conversation's event before this one.
CREATE TABLE event (
  row INTEGER PRIMARY KEY,
  previous INTEGER,
  sequence INTEGER NOT NULL,
  event TEXT NOT NULL
) STRICT;
CREATE TABLE turn (
  row INTEGER PRIMARY KEY,
  previous INTEGER,
  record TEXT NOT NULL,
  details TEXT NOT NULL
) STRICT;

CREATE TABLE client_event (
  conversation INTEGER NOT NULL,
  client_event_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  PRIMARY KEY (conversation, client_event_id)
) STRICT, WITHOUT ROWID;

-- How many listed conversations started in a stretch of time: how a page deep in a list is found.
CREATE TABLE record_count (
  scope INTEGER NOT NULL,
  width INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  records INTEGER NOT NULL,
  PRIMARY KEY (scope, width, bucket)
) STRICT, WITHOUT ROWID;

CREATE TABLE handoff (
  conversation INTEGER PRIMARY KEY,
  conversation_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  handoff_id TEXT NOT NULL,
  status TEXT NOT NULL,
  queue_name TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT;
CREATE INDEX handoff_waiting ON handoff (account_id, status, since, conversation_id);

CREATE TABLE external_event (
  event_id TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  content_type TEXT,
  body BLOB,
  received_at INTEGER
) STRICT;
CREATE TABLE pending_external_event (
  row INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL
) STRICT;
CREATE INDEX pending_external_event_of ON pending_external_event (conversation_id);
`

const ACCESS = `
CREATE TABLE account (
  id TEXT PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

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
  revoked_at INTEGER
) STRICT;
CREATE INDEX api_key_of_account ON api_key (account_id, created_at, id);

CREATE TABLE connector (
  id TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  token_prefix TEXT NOT NULL,
  name TEXT NOT NULL,
  account_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  hosts TEXT NOT NULL,
  variant_id TEXT,
  handoff TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX connector_of_account ON connector (account_id, created_at, id);

CREATE TABLE secret (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`

/** Everything that the first version keeps. */
export const initial: Migration = { version: 1, name: 'initial', sql: AGENTS + CONVERSATIONS + ACCESS }
