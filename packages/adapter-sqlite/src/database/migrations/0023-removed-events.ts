import type { Migration } from '../migrate.ts'

/** A removed conversation's webhook events and external events go in steps too, where they are many. */
export const removedEvents: Migration = {
  version: 23,
  name: 'removed-events',
  sql: `
-- The conversation's id while some of them are left.
ALTER TABLE removed_log ADD COLUMN id TEXT;
CREATE INDEX removed_log_by_id ON removed_log (id) WHERE id IS NOT NULL;
`,
}
