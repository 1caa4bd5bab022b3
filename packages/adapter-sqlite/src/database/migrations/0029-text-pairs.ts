import type { Migration } from '../migrate.ts'

/** Pairs of numbers that text each other. */
export const textPairs: Migration = {
  version: 29,
  name: 'text-pairs',
  sql: `
CREATE TABLE text_pair (
  ours TEXT NOT NULL,
  theirs TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  pair TEXT NOT NULL,
  PRIMARY KEY (ours, theirs)
) STRICT, WITHOUT ROWID;
CREATE INDEX text_pair_of_agent ON text_pair (agent_id);
`,
}
