import type { Migration } from '../migrate.ts'

/** Connectors have secrets with which hosts sign context, newest first, as JSON. Those of before have none. */
export const contextKeys: Migration = {
  version: 26,
  name: 'context-keys',
  sql: `ALTER TABLE connector ADD COLUMN context_keys TEXT NOT NULL DEFAULT '[]';`,
}
