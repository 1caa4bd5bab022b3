import type { Migration } from '../migrate.ts'

/**
 * Conversations that were handed off are found by an id of the integrator's. Those of before have none; a process of an
 * earlier version leaves the columns as they are.
 */
export const sharedIds: Migration = {
  version: 30,
  name: 'shared-ids',
  sql: `
ALTER TABLE conversation ADD COLUMN shared_id TEXT;
ALTER TABLE conversation ADD COLUMN shared_at INTEGER;
CREATE INDEX conversation_shared ON conversation (shared_id, scope, shared_at) WHERE shared_id IS NOT NULL;
`,
}
