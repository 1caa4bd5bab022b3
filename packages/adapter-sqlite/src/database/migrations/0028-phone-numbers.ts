import type { Migration } from '../migrate.ts'

/** Phone numbers of agents, each of which a telephony connector may answer. */
export const phoneNumbers: Migration = {
  version: 28,
  name: 'phone-numbers',
  sql: `
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
`,
}
