/** Accounts, and what admits to them. */
export const ACCESS = `
create table account (
  id text collate "C" primary key,
  slug text collate "C" not null,
  name text not null,
  created_at bigint not null
);
create index account_by_time on account (created_at, id);

-- An id must not be reachable as another account's slug, nor a slug as another's id.
create table account_name (
  name text collate "C" primary key
);

create table api_key (
  id text collate "C" primary key,
  kind text not null,
  hash text collate "C" not null unique,
  prefix text not null,
  name text not null,
  account_id text collate "C",
  agent_id text collate "C",
  region text,
  permissions text,
  created_at bigint not null,
  revoked_at bigint,
  expires_at bigint,
  last_used_at bigint
);
create index api_key_by_time on api_key (created_at, id);
create index api_key_of_account on api_key (account_id, created_at, id);
create index api_key_of_agent on api_key (agent_id, created_at, id);

create table connector (
  id text collate "C" primary key,
  kind text not null,
  token_hash text collate "C" not null,
  token_prefix text not null,
  name text not null,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  environment text not null,
  hosts text not null,
  variant_id text,
  handoff text not null,
  speech text not null,
  -- JSON of the secrets with which hosts sign context, newest first.
  context_keys text not null,
  created_at bigint not null,
  revoked_at bigint,
  expires_at bigint,
  last_used_at bigint
);
create unique index connector_token on connector (token_hash) where kind = 'messaging';
create index connector_by_time on connector (created_at, id) where kind = 'messaging';
create index connector_of_account on connector (account_id, created_at, id) where kind = 'messaging';
create index connector_of_agent on connector (agent_id, created_at, id) where kind = 'messaging';
create index telephony_connector_of_agent on connector (agent_id, created_at, id) where kind = 'telephony';

create table secret (
  name text collate "C" primary key,
  value text not null
);

create table token_key (
  number integer primary key,
  id text collate "C" not null unique,
  secret text not null,
  created_at bigint not null,
  verifies_until bigint
);
`
