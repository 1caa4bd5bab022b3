import type { Migration } from '../migrate.ts'

/** Calls that agents make. */
export const outboundCalls: Migration = {
  version: 34,
  name: 'outbound-calls',
  sql: `
CREATE TABLE outbound_call (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  call TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX outbound_call_of_agent ON outbound_call (agent_id);
CREATE INDEX outbound_call_due ON outbound_call (due_at);
`,
}
