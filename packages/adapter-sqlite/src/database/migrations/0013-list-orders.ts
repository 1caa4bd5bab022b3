import type { Migration } from '../migrate.ts'

/** Accounts, keys and connectors are read page by page, and those of an agent without a look at the others. */
export const listOrders: Migration = {
  version: 13,
  name: 'list-orders',
  sql: `
CREATE INDEX account_by_time ON account (created_at, id);
CREATE INDEX api_key_by_time ON api_key (created_at, id);
CREATE INDEX api_key_of_agent ON api_key (agent_id, created_at, id) WHERE agent_id IS NOT NULL;
CREATE INDEX connector_by_time ON connector (created_at, id);
CREATE INDEX connector_of_agent ON connector (agent_id, created_at, id);
`,
}
