import type { Migration } from '../migrate.ts'

// Keys and connectors of before never end, and nobody knows when they were used. A file of before has no token key: the
// first one that is made takes over the secret `token-secret`, so that the tokens that it has signed stay good.
const CREDENTIALS = `
ALTER TABLE api_key ADD COLUMN expires_at INTEGER;
ALTER TABLE api_key ADD COLUMN last_used_at INTEGER;
ALTER TABLE connector ADD COLUMN expires_at INTEGER;
ALTER TABLE connector ADD COLUMN last_used_at INTEGER;

CREATE TABLE token_key (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  secret TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  verifies_until INTEGER
) STRICT;
CREATE INDEX token_key_end ON token_key (verifies_until) WHERE verifies_until IS NOT NULL;
`

/** When keys and connectors end and were used, and the keys that sign access tokens. */
export const credentials: Migration = { version: 9, name: 'credentials', sql: CREDENTIALS }
