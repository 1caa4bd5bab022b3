/** Phone numbers, texts and calls. */
export const TELEPHONY = `
-- Numbers of agents, each of which a telephony connector may answer.
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

-- Numbers of agents' pools, each of which is reserved for one caller at a time.
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

`
