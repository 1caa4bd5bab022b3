/** What is searched by meaning. */
export const VECTORS = `
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
