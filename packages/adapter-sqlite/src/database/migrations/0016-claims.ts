import type { Migration } from '../migrate.ts'

/**
 * How often a conversation was claimed for waking since its last write: what cannot be woken is claimed ever more
 * rarely.
 */
export const claims: Migration = {
  version: 16,
  name: 'claims',
  sql: 'ALTER TABLE conversation ADD COLUMN claims INTEGER NOT NULL DEFAULT 0',
}
