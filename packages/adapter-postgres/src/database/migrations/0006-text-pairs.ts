import type { Migration } from '../migrate.ts'

/** Pairs of numbers that text each other. */
export const textPairs: Migration = {
  version: 6,
  name: 'text-pairs',
  sql: `
create table text_pair (
  ours text collate "C" not null,
  theirs text collate "C" not null,
  agent_id text collate "C" not null,
  version integer not null,
  pair text not null,
  primary key (ours, theirs)
);
create index text_pair_of_agent on text_pair (agent_id);
`,
}
