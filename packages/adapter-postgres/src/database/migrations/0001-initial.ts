import type { Migration } from '../migrate.ts'

const ACCESS = `
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

const AUDIT = `
create table audit_entry (
  sequence bigint generated always as identity primary key,
  id text not null,
  at bigint not null,
  actor_type text not null,
  actor_id text,
  actor_name text not null,
  action text collate "C" not null,
  account_id text collate "C",
  agent_id text collate "C",
  resource_type text not null,
  resource_id text collate "C",
  details text not null,
  correlation_id text
);
create index audit_entry_by_time on audit_entry (at, sequence);
create index audit_entry_of_account on audit_entry (account_id, at, sequence);
create index audit_entry_of_agent on audit_entry (agent_id, at, sequence);
create index audit_entry_of_action on audit_entry (action, at, sequence);
create index audit_entry_of_resource on audit_entry (resource_id, at, sequence);

-- Append-only for everybody: a removal says before what moment it removes, for its own transaction.
create function keep_audit_entry() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < coalesce(nullif(current_setting('colloquy.audit_removal', true), ''), '-1')::bigint then
      return old;
    end if;
    raise exception 'Entries of the audit log are removed only by its purge.';
  end if;
  raise exception 'Entries of the audit log never change.';
end $$;
create trigger keep_audit_entry before update or delete on audit_entry
  for each row execute function keep_audit_entry();
`

const AGENTS = `
-- An id belongs to its first account for good; deleted_at is that of the newest deletion.
create table agent_id (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  deleted_at bigint
);

create table agent (
  row bigint generated always as identity primary key,
  id text collate "C" not null unique,
  account_id text collate "C" not null,
  name text not null,
  created_at bigint not null,
  updated_at bigint not null,
  -- Numbers of the newest revision and of the newest deployment.
  revision integer not null,
  deployment integer not null
);
create index agent_of_account on agent (account_id, created_at, id);

create table revision (
  agent bigint not null references agent on delete cascade,
  number integer not null,
  content_hash text not null,
  content_bytes bigint not null,
  created_at bigint not null,
  primary key (agent, number)
);

create table resource (
  agent bigint not null references agent on delete cascade,
  kind text collate "C" not null,
  id text collate "C" not null,
  revision integer not null,
  name text collate "C",
  value text,
  primary key (agent, kind, id, revision)
);
create index resource_change on resource (agent, revision);
create index resource_named on resource (agent, name) where name is not null;

create table branch (
  row bigint generated always as identity primary key,
  agent bigint not null references agent on delete cascade,
  id text collate "C" not null,
  name text not null,
  base_revision integer not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  unique (agent, id)
);

create table branch_change (
  branch bigint not null references branch on delete cascade,
  kind text collate "C" not null,
  id text collate "C" not null,
  value text,
  primary key (branch, kind, id)
);

create table deployment (
  agent bigint not null references agent on delete cascade,
  number integer not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  environment text collate "C" not null,
  revision integer not null,
  version text not null,
  type text not null,
  message text not null,
  created_by text not null,
  created_at bigint not null,
  primary key (agent, number),
  unique (agent, id)
);
create index deployment_of_environment on deployment (agent, environment, number);

create table real_time_config (
  agent bigint not null references agent on delete cascade,
  environment text collate "C" not null,
  version integer not null,
  updated_at bigint not null,
  variables text not null,
  schema text,
  primary key (agent, environment)
);

create table test_run (
  row bigint generated always as identity primary key,
  agent bigint not null references agent on delete cascade,
  id text collate "C" not null,
  deployment_id text collate "C" not null,
  version text not null,
  status text not null,
  started_at bigint not null,
  lease_until bigint not null,
  attempts integer not null,
  writes integer not null,
  run text not null,
  unique (agent, id)
);
create index test_run_list on test_run (agent, started_at, id);
create index test_run_due on test_run (lease_until, id) where status = 'running';

create table test_result (
  run bigint not null references test_run on delete cascade,
  test_case_id text collate "C" not null,
  result text not null,
  primary key (run, test_case_id)
);
`

const CONVERSATIONS = `
create table scope (
  row integer generated always as identity primary key,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  environment text collate "C" not null,
  unique (agent_id, account_id, environment)
);

create table variant (
  row integer generated always as identity primary key,
  id text collate "C",
  name text collate "C",
  key text collate "C" not null unique
);

-- What every write changes: short, and nothing of it is indexed, so that an update stays on its page.
create table conversation_head (
  row bigint generated always as identity primary key,
  id text collate "C" not null unique,
  version integer not null,
  -- Of the newest event; 0 before the first.
  sequence integer not null,
  turns integer not null,
  -- UTF-8 bytes of the turns' records, and one for each.
  turn_bytes bigint not null,
  finished boolean not null,
  -- The conversation's, for the words of its turns.
  scope integer not null,
  -- JSON of what differs from the conversation's state, null for nothing.
  changes text
) with (fillfactor = 70);

-- Where lists and figures find a conversation, and its state as it was written whole last.
create table conversation (
  row bigint primary key,
  id text collate "C" not null,
  scope integer not null,
  listed boolean not null,
  counted boolean not null,
  started_at bigint not null,
  finished_at bigint,
  -- The class of its duration.
  span smallint not null,
  variant integer not null,
  channel text collate "C" not null,
  language text collate "C",
  to_number text collate "C" not null,
  -- The transaction that wrote the columns above.
  place bigint not null default pg_current_xact_id()::text::bigint,
  state text not null,
  -- JSON of a finished conversation's record; null where it is made from the state.
  summary text,
  details text
) with (fillfactor = 85);
create index conversation_listed on conversation (scope, started_at, id) where listed;
create index conversation_active on conversation (scope, span, started_at)
  include (finished_at, variant, place, row) where listed and counted;
create index conversation_open on conversation (scope) where finished_at is null;
create index conversation_finished on conversation (scope, finished_at, id) where finished_at is not null;

create table conversation_timer (
  conversation bigint primary key,
  wake_at bigint not null,
  -- How often it was claimed since the last write.
  claims integer not null
) with (fillfactor = 70);
create index conversation_timer_due on conversation_timer (wake_at);

create table event (
  conversation bigint not null,
  sequence integer not null,
  -- JSON of the event without its payload.
  head text not null,
  -- JSON.
  payload text not null,
  primary key (conversation, sequence)
);

create table client_event (
  conversation bigint not null,
  client_event_id text collate "C" not null,
  sequence integer not null,
  primary key (conversation, client_event_id)
);

create table turn (
  row bigint generated always as identity primary key,
  conversation bigint not null,
  number integer not null,
  record text not null,
  details text not null,
  -- Each word with the scope and the side it was said on: see search-words.ts.
  words text[] collate "C" not null,
  unique (conversation, number)
);
create index turn_words on turn using gin (words);

create table handoff (
  conversation bigint primary key,
  -- In the order in which handoffs came.
  place bigint generated by default as identity,
  conversation_id text not null,
  account_id text collate "C" not null,
  handoff_id text not null,
  status text not null,
  queue_name text not null,
  since bigint not null
);
create index handoff_list on handoff (account_id, status, place);

create table handoff_wait (
  row bigint generated always as identity primary key,
  account_id text collate "C" not null,
  queue_name text collate "C" not null,
  joined_at bigint not null,
  waited bigint not null
);
create index handoff_wait_of_queue on handoff_wait (account_id, queue_name, joined_at);

create table waiting_line (
  account_id text collate "C" primary key,
  held_until bigint not null
);

create table external_event (
  event_id text collate "C" primary key,
  conversation bigint not null references conversation_head on delete cascade,
  conversation_id text not null,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  content_type text,
  body bytea,
  -- Null until something came for the id.
  received_at bigint,
  -- The conversation's version that it made: the order of acceptance. Null before, and once it was delivered to the conversation.
  pending bigint
);
create index external_event_of_conversation on external_event (conversation, pending);

create table embedder (
  row bigint generated always as identity primary key,
  id text collate "C" not null unique,
  claim bigint not null,
  claimed_first bigint,
  claimed_last bigint,
  held_until bigint not null,
  used_at bigint not null
);

create table embedded_turns (
  embedder bigint not null references embedder on delete cascade,
  first bigint not null,
  last bigint not null,
  primary key (embedder, first)
);

create table turn_vector (
  embedder bigint not null,
  turn bigint not null,
  conversation bigint not null,
  "user" bytea,
  agent bytea,
  primary key (embedder, turn)
);
create index turn_vector_of_conversation on turn_vector (conversation, embedder, turn);
`

const WEBHOOKS = `
-- How many endpoints an account has: the row is what two that add one wait for.
create table webhook_account (
  account_id text collate "C" primary key,
  endpoints integer not null
);

create table webhook_endpoint (
  row bigint generated always as identity primary key,
  id text collate "C" not null unique,
  account_id text collate "C" not null,
  name text not null,
  url text not null,
  event_types text[] not null,
  headers text not null,
  timeout bigint not null,
  enabled boolean not null,
  disabled_reason text,
  secret text not null,
  previous_secret text,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index webhook_endpoint_of_account on webhook_endpoint (account_id, created_at, id);

create table webhook_event (
  row bigint generated always as identity primary key,
  id text collate "C" not null unique,
  account_id text collate "C" not null,
  type text not null,
  conversation_id text collate "C",
  at bigint not null,
  body text not null
);
create index webhook_event_of_conversation on webhook_event (conversation_id) where conversation_id is not null;
create index webhook_event_by_time on webhook_event (at, id);

create table webhook_delivery (
  event bigint not null references webhook_event on delete cascade,
  endpoint bigint not null references webhook_endpoint on delete cascade,
  event_id text collate "C" not null,
  status text collate "C" not null,
  attempts integer not null,
  due_at bigint,
  in_flight boolean not null,
  last_attempt_at bigint,
  last_status integer,
  last_error text,
  version integer not null,
  created_at bigint not null,
  primary key (event, endpoint)
);
create index webhook_delivery_due on webhook_delivery (endpoint, due_at, event_id) where due_at is not null;
create index webhook_delivery_list on webhook_delivery (endpoint, created_at, event_id);
create index webhook_delivery_by_status on webhook_delivery (endpoint, status, created_at, event_id);
`

/** The whole schema of the first release. */
export const initial: Migration = {
  version: 1,
  name: 'initial',
  sql: [ACCESS, AUDIT, AGENTS, CONVERSATIONS, WEBHOOKS].join('\n'),
}
