/** Webhooks. */
export const NOTICES = `
CREATE TABLE webhook_endpoint (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL,
  url TEXT NOT NULL,
  name TEXT NOT NULL,
  event_types TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  disabled_reason TEXT,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  headers TEXT NOT NULL,
  timeout INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_endpoint_of_account ON webhook_endpoint (account_id, created_at, id);

CREATE TABLE webhook_event (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL,
  type TEXT NOT NULL,
  conversation_id TEXT,
  at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX webhook_event_by_time ON webhook_event (at, id);
CREATE INDEX webhook_event_of_conversation ON webhook_event (conversation_id) WHERE conversation_id IS NOT NULL;

-- Exchange, what the newest attempt sent and what came back, stands last: lists are read without it.
CREATE TABLE webhook_delivery (
  row INTEGER PRIMARY KEY,
  endpoint INTEGER NOT NULL REFERENCES webhook_endpoint (row) ON DELETE CASCADE,
  event INTEGER NOT NULL REFERENCES webhook_event (row) ON DELETE CASCADE,
  event_id TEXT NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER,
  in_flight INTEGER NOT NULL,
  last_attempt_at INTEGER,
  last_status INTEGER,
  last_error TEXT,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  exchange TEXT
) STRICT;
CREATE UNIQUE INDEX webhook_delivery_of_event ON webhook_delivery (event, endpoint);
CREATE INDEX webhook_delivery_list ON webhook_delivery (endpoint, created_at, event_id);
CREATE INDEX webhook_delivery_by_status ON webhook_delivery (endpoint, status, created_at, event_id);
-- Holds what is pending alone.
CREATE INDEX webhook_delivery_due ON webhook_delivery (endpoint, due_at, event_id) WHERE due_at IS NOT NULL;
`
