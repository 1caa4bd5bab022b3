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

-- Pairs of numbers that text each other.
create table text_pair (
  ours text collate "C" not null,
  theirs text collate "C" not null,
  agent_id text collate "C" not null,
  version integer not null,
  pair text not null,
  primary key (ours, theirs)
);
create index text_pair_of_agent on text_pair (agent_id);

-- Calls that agents make.
create table outbound_call (
  id text collate "C" primary key,
  agent_id text collate "C" not null,
  due_at bigint not null,
  version integer not null,
  call text not null
);
create index outbound_call_of_agent on outbound_call (agent_id);
create index outbound_call_due on outbound_call (due_at);
`
