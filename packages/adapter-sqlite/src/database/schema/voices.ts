/** What agents have said. */
export const VOICES = `
-- To be said again. The sound stands last, so that the rest is read without it.
CREATE TABLE cached_audio (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  cached_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  hit_count INTEGER NOT NULL,
  milliseconds INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  entry TEXT NOT NULL,
  audio BLOB NOT NULL
) STRICT;
CREATE INDEX cached_audio_of_account ON cached_audio (account_id, used_at, id, bytes);
CREATE INDEX cached_audio_by_time ON cached_audio (agent_id, cached_at, id);
`
