import type { Migration } from '../migrate.ts'

/** Voices that accounts have added to their libraries. */
export const voices: Migration = {
  version: 35,
  name: 'voices',
  sql: `
CREATE TABLE voice (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  voice TEXT NOT NULL
) STRICT;
CREATE INDEX voice_of_account ON voice (account_id, created_at, id);
`,
}
