import type { Migration } from '../migrate.ts'

/**
 * Conversations that were handed off are found by an id of the integrator's. Those of before have none; a process of an
 * earlier version leaves the columns as they are.
 */
export const sharedIds: Migration = {
  version: 7,
  name: 'shared-ids',
  sql: `
alter table conversation add column shared_id text collate "C", add column shared_at bigint;
create index conversation_shared on conversation (shared_id, scope, shared_at) where shared_id is not null;
`,
}
