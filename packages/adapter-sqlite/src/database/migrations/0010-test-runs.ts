import type { Migration } from '../migrate.ts'

const TEST_RUNS = `
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
`

/** Runs of agents' test cases against deployments, and what each case came to. */
export const testRuns: Migration = { version: 10, name: 'test-runs', sql: TEST_RUNS }
