import type { Migration } from '../migrate.ts'

/** Voices that accounts have added to their libraries. */
export const voices: Migration = {
  version: 12,
  name: 'voices',
  sql: `
create table voice (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  version int not null,
  created_at bigint not null,
  voice text not null
);
create index voice_of_account on voice (account_id, created_at, id);
`,
}
