import type { Migration } from '../migrate.ts'

const SQL = `
-- Conversations for which nothing is to be done any more, the longest finished first: what a removal takes.
CREATE INDEX conversation_over ON conversation (scope, finished_at)
  WHERE finished_at IS NOT NULL AND wake_at IS NULL;
CREATE INDEX external_event_of ON external_event (conversation_id);
`

/** Finds what a removal takes, and what goes with it, without reading through tables. */
export const removals: Migration = { version: 4, name: 'removals', sql: SQL }
