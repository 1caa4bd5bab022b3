import type { Migration } from '../migrate.ts'

/**
 * How long visitors waited for a live agent, and who announces a waiting line. Both begin empty: what was joined before
 * has not kept when that was, and waits are of use for an hour.
 */
export const waitingLines: Migration = {
  version: 3,
  name: 'waiting-lines',
  sql: `
CREATE TABLE handoff_wait (
  row INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  queue_name TEXT NOT NULL,
  joined_at INTEGER NOT NULL,
  waited INTEGER NOT NULL
) STRICT;
CREATE INDEX handoff_wait_newest ON handoff_wait (account_id, queue_name, joined_at, waited);

-- Until when an account's line is held by the process that announces it.
CREATE TABLE waiting_line (
  account_id TEXT PRIMARY KEY,
  held_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX handoff_line ON handoff (status, account_id);
`,
}
