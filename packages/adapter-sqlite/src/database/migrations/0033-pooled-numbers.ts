import type { Migration } from '../migrate.ts'

/** Numbers of agents' pools, each of which is reserved for one caller at a time. */
export const pooledNumbers: Migration = {
  version: 33,
  name: 'pooled-numbers',
  sql: `
CREATE TABLE pooled_number (
  number TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  free_from INTEGER NOT NULL,
  attributes TEXT
) STRICT;
CREATE INDEX pooled_number_of_agent ON pooled_number (agent_id, number);
CREATE INDEX pooled_number_by_freedom ON pooled_number (agent_id, free_from, number);
`,
}
