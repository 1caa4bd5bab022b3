import type { Migration } from '../migrate.ts'

// Agents that were deleted before are known by their conversations alone; when it was is not.
const DELETED_AGENTS = `
CREATE TABLE deleted_agent (
  account_id TEXT NOT NULL,
  id TEXT NOT NULL,
  deleted_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

INSERT INTO deleted_agent (account_id, id, deleted_at)
SELECT DISTINCT scope.account_id, scope.agent_id, unixepoch('now') * 1000
FROM scope
LEFT JOIN agent ON agent.id = scope.agent_id AND agent.account_id = scope.account_id
WHERE agent.row IS NULL;
`

/** Remembers which agents an account had, so that their conversations stay readable. */
export const deletedAgents: Migration = { version: 2, name: 'deleted-agents', sql: DELETED_AGENTS }
