import type { Migration } from '../migrate.ts'

/** Results of replays go with the conversations that they replay, and are found by them. */
export const replays: Migration = {
  version: 31,
  name: 'replays',
  sql: 'CREATE INDEX test_result_case ON test_result (test_case_id);',
}
