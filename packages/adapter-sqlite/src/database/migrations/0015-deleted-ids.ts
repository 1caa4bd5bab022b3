import type { Migration } from '../migrate.ts'

/** A new agent's id is looked for among those that agents of other accounts had. */
export const deletedIds: Migration = {
  version: 15,
  name: 'deleted-ids',
  sql: 'CREATE INDEX deleted_agent_by_id ON deleted_agent (id);',
}
