import type { Migration } from '../migrate.ts'

/** Phone numbers of agents, each of which a telephony connector may answer. */
export const phoneNumbers: Migration = {
  version: 5,
  name: 'phone-numbers',
  sql: `
create table phone_number (
  number text collate "C" primary key,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  environment text collate "C" not null,
  connector_id text collate "C",
  created_at bigint not null
);
create index phone_number_of_agent on phone_number (agent_id, number);
create index phone_number_of_connector on phone_number (connector_id, number) where connector_id is not null;
`,
}
