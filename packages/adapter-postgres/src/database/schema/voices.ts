/** What agents have said. */
export const VOICES = `
-- What agents have said, to be said again.
create table cached_audio (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  version int not null,
  cached_at bigint not null,
  used_at bigint not null,
  hit_count bigint not null,
  milliseconds bigint not null,
  bytes bigint not null,
  entry text not null,
  audio bytea not null
);
create index cached_audio_of_account on cached_audio (account_id, used_at, id);
create index cached_audio_by_time on cached_audio (agent_id, cached_at, id);
`
