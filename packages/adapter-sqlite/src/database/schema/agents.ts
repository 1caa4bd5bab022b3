/** Agents, their content, and what is released of it. */
export const AGENTS = `
CREATE TABLE agent (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX agent_of_account ON agent (account_id, created_at, id);

-- Which agents an account had, so that their conversations stay readable and their ids are not given again.
CREATE TABLE deleted_agent (
  account_id TEXT NOT NULL,
  id TEXT NOT NULL,
  deleted_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deleted_agent_by_id ON deleted_agent (id);

CREATE TABLE revision (
  agent INTEGER NOT NULL REFERENCES agent (row) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  content_bytes INTEGER NOT NULL,
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

-- Variables and schema are JSON; a null schema: any variables fit.
CREATE TABLE real_time_config (
  row INTEGER PRIMARY KEY,
  agent INTEGER NOT NULL REFERENCES agent (row) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  variables TEXT NOT NULL,
  schema TEXT,
  UNIQUE (agent, environment)
) STRICT;

-- A run as JSON, and what it is looked for by. lease_until is null once it is not running any more.
CREATE TABLE test_run (
  row INTEGER PRIMARY KEY,
  agent INTEGER NOT NULL REFERENCES agent (row) ON DELETE CASCADE,
  id TEXT NOT NULL,
  deployment_id TEXT NOT NULL,
  version TEXT NOT NULL,
  status TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  lease_until INTEGER,
  writes INTEGER NOT NULL,
  run TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX test_run_id ON test_run (agent, id);
CREATE INDEX test_run_list ON test_run (agent, started_at, id);
CREATE INDEX test_run_due ON test_run (lease_until, id) WHERE lease_until IS NOT NULL;

CREATE TABLE test_result (
  row INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES test_run (row) ON DELETE CASCADE,
  test_case_id TEXT NOT NULL,
  result TEXT NOT NULL,
  UNIQUE (run, test_case_id)
) STRICT;
CREATE INDEX test_result_case ON test_result (test_case_id);
`
