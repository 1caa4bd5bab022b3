/** Phone numbers, and what agents have said. */
export const TELEPHONY = `
CREATE TABLE phone_number (
  number TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  connector_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX phone_number_of_agent ON phone_number (agent_id, number);
CREATE INDEX phone_number_of_connector ON phone_number (connector_id, number) WHERE connector_id IS NOT NULL;

-- Numbers of agents' pools, each of which is reserved for one caller at a time.
CREATE TABLE pooled_number (
  number TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  free_from INTEGER NOT NULL,
  attributes TEXT
) STRICT;
CREATE INDEX pooled_number_of_agent ON pooled_number (agent_id, number);
CREATE INDEX pooled_number_by_freedom ON pooled_number (agent_id, free_from, number);

-- What agents have said, to be said again. The sound stands last, so that the rest is read without it.
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
