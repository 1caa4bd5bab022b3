import type { Migration } from '../migrate.ts'

const REAL_TIME_CONFIG = `
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
`

/** Values that an agent's conversations read at every turn, by environment. */
export const realTimeConfig: Migration = { version: 5, name: 'real-time-config', sql: REAL_TIME_CONFIG }
