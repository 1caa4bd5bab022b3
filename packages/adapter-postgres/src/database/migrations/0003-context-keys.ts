import type { Migration } from '../migrate.ts'

/**
 * Connectors have secrets with which hosts sign context, newest first, as JSON. Those of before have none; a process of
 * an earlier version leaves the column as it is.
 */
export const contextKeys: Migration = {
  version: 3,
  name: 'context-keys',
  sql: `alter table connector add column context_keys text not null default '[]';`,
}
