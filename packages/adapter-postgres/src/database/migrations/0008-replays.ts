import type { Migration } from '../migrate.ts'

/** Results of replays go with the conversations that they replay, and are found by them. */
export const replays: Migration = {
  version: 8,
  name: 'replays',
  sql: 'create index test_result_case on test_result (test_case_id);',
}
