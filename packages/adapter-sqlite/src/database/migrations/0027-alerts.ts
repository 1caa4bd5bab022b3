import type { Migration } from '../migrate.ts'

/** Alert rules, who evaluates the rules of an account, and the counters by which they are evaluated. */
export const alerts: Migration = {
  version: 27,
  name: 'alerts',
  sql: `
CREATE TABLE alert_rule (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL,
  agent_id TEXT,
  enabled INTEGER NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  rule TEXT NOT NULL
) STRICT;
CREATE INDEX alert_rule_of_account ON alert_rule (account_id, created_at, id);
CREATE INDEX alert_rule_of_agent ON alert_rule (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX alert_rule_enabled ON alert_rule (account_id) WHERE enabled = 1;

-- Until when an account's rules are held by the process that evaluates them.
CREATE TABLE alert_line (
  account_id TEXT PRIMARY KEY,
  held_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What concerns no agent has the agent ''.
CREATE TABLE counter (
  account_id TEXT NOT NULL,
  name TEXT NOT NULL,
  minute INTEGER NOT NULL,
  agent_id TEXT NOT NULL,
  value INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_id, name, minute, agent_id, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX counter_by_minute ON counter (minute);
`,
}
