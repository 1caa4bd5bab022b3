import type { Migration } from '../migrate.ts'

/** Numbers of agents' pools, each of which is reserved for one caller at a time. */
export const pooledNumbers: Migration = {
  version: 10,
  name: 'pooled-numbers',
  sql: `
create table pooled_number (
  number text collate "C" primary key,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  created_at bigint not null,
  free_from bigint not null,
  attributes text
);
create index pooled_number_of_agent on pooled_number (agent_id, number);
create index pooled_number_by_freedom on pooled_number (agent_id, free_from, number);
`,
}
