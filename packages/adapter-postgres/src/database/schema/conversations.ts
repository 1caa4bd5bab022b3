/** Conversations, and what comes to them. */
export const CONVERSATIONS = `
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
  -- An id of the integrator's, by which a conversation that was handed off is found.
  shared_id text collate "C",
  shared_at bigint,
  state text not null,
  -- JSON of a finished conversation's record; null where it is made from the state.
  summary text,
  details text
) with (fillfactor = 85);
create index conversation_listed on conversation (scope, started_at, id) where listed;
create index conversation_active on conversation (scope, span, started_at)
  include (finished_at, variant, place, row) where listed and counted;
create index conversation_open on conversation (scope) where finished_at is null;
create index conversation_shared on conversation (shared_id, scope, shared_at) where shared_id is not null;
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
  -- The conversation's version that it made: the order of acceptance. Null before, and once it was delivered to the
  -- conversation.
  pending bigint
);
create index external_event_of_conversation on external_event (conversation, pending);

-- Which conversation the key of a message stands for.
create table message_key (
  key text collate "C" primary key,
  conversation bigint not null references conversation_head on delete cascade,
  taken_at bigint not null
);
create index message_key_of_conversation on message_key (conversation);
create index message_key_taken on message_key (taken_at);
`
