/** Webhook endpoints, and what goes to them. */
export const WEBHOOKS = `
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
  -- JSON of what the newest attempt sent where, and what came back.
  exchange text,
  version integer not null,
  created_at bigint not null,
  primary key (event, endpoint)
);
create index webhook_delivery_due on webhook_delivery (endpoint, due_at, event_id) where due_at is not null;
create index webhook_delivery_list on webhook_delivery (endpoint, created_at, event_id);
create index webhook_delivery_by_status on webhook_delivery (endpoint, status, created_at, event_id);
`
