/** What is known of who did what. */
export const AUDIT = `
CREATE TABLE audit_entry (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  actor_type TEXT NOT NULL,
  actor_id TEXT,
  actor_name TEXT NOT NULL,
  action TEXT NOT NULL,
  account_id TEXT,
  agent_id TEXT,
  resource_type TEXT NOT NULL,
  resource_id TEXT,
  details TEXT NOT NULL,
  correlation_id TEXT
) STRICT;
CREATE INDEX audit_entry_by_time ON audit_entry (at);
CREATE INDEX audit_entry_of_account ON audit_entry (account_id, at);
CREATE INDEX audit_entry_of_agent ON audit_entry (agent_id, at);
CREATE INDEX audit_entry_of_action ON audit_entry (action, at);
CREATE INDEX audit_entry_of_resource ON audit_entry (resource_id, at);

-- The moment before which entries may be removed. Holds a row within the transaction that removes them, and none outside
-- of it.
CREATE TABLE audit_removal (before INTEGER NOT NULL) STRICT;
CREATE TRIGGER audit_entry_stands BEFORE UPDATE ON audit_entry BEGIN
  SELECT raise(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER audit_entry_stays BEFORE DELETE ON audit_entry
WHEN old.at >= coalesce((SELECT max(before) FROM audit_removal), old.at) BEGIN
  SELECT raise(ABORT, 'the audit log is append-only');
END;
`
