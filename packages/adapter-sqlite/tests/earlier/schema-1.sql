CREATE TABLE schema_migration (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT;
INSERT INTO schema_migration (version, name, applied_at) VALUES (1, 'initial', 1795244345000);
CREATE TABLE agent (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
INSERT INTO agent (row, id, account_id, name, created_at, updated_at) VALUES (1, 'PROJECT-s00000000002', 'ws-s00000000001', 'Front desk', 1767225600000, 1767225600000);
CREATE TABLE revision (
  agent INTEGER NOT NULL REFERENCES agent (row) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (agent, number)
) STRICT, WITHOUT ROWID;
INSERT INTO revision (agent, number, content_hash, created_at) VALUES (1, 1, '46ef5e52e90ce18bce91b6ee799e3e6c12990b87fa7ee2b8e6ea4aba9794aa17', 1767225600000);
CREATE TABLE resource (
  row INTEGER PRIMARY KEY,
  agent INTEGER NOT NULL REFERENCES agent (row) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT,
  value TEXT
) STRICT;
INSERT INTO resource (row, agent, kind, id, revision, name, value) VALUES (1, 1, 'behavior', '', 1, NULL, '{"behavior":""}');
INSERT INTO resource (row, agent, kind, id, revision, name, value) VALUES (2, 1, 'response_settings', '', 1, NULL, '{"greeting":"Welcome.","languageCode":"en-GB","voiceId":null,"modelId":null}');
INSERT INTO resource (row, agent, kind, id, revision, name, value) VALUES (3, 1, 'variants', 'VARIANT-s00000000003', 1, 'default', '{"name":"default","isDefault":true,"attributeValues":{}}');
CREATE TABLE branch (
  row INTEGER PRIMARY KEY,
  agent INTEGER NOT NULL REFERENCES agent (row) ON DELETE CASCADE,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  base_revision INTEGER NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (agent, id)
) STRICT;
INSERT INTO branch (row, agent, id, name, base_revision, version, created_at, updated_at) VALUES (1, 1, 'main', 'main', 1, 1, 1767225600000, 1767225600000);
CREATE TABLE branch_change (
  row INTEGER PRIMARY KEY,
  branch INTEGER NOT NULL REFERENCES branch (row) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  value TEXT,
  UNIQUE (branch, kind, id)
) STRICT;
CREATE TABLE deployment (
  agent INTEGER NOT NULL REFERENCES agent (row) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  revision INTEGER NOT NULL,
  version TEXT NOT NULL,
  type TEXT NOT NULL,
  message TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (agent, number),
  UNIQUE (agent, id)
) STRICT, WITHOUT ROWID;
INSERT INTO deployment (agent, number, id, account_id, environment, revision, version, type, message, created_by, created_at) VALUES (1, 1, 'DEPLOYMENT-s00000000004', 'ws-s00000000001', 'live', 1, '46ef5e52e90ce18bce91b6ee799e3e6c12990b87fa7ee2b8e6ea4aba9794aa17', 'publish', '', 'library', 1767225600000);
CREATE TABLE scope (
  row INTEGER PRIMARY KEY,
  agent_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  UNIQUE (agent_id, account_id, environment)
) STRICT;
INSERT INTO scope (row, agent_id, account_id, environment) VALUES (1, 'PROJECT-s00000000002', 'ws-s00000000001', 'live');
CREATE TABLE variant (
  row INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  id TEXT,
  name TEXT
) STRICT;
INSERT INTO variant (row, key, id, name) VALUES (1, '["VARIANT-s00000000003","default"]', 'VARIANT-s00000000003', 'default');
CREATE TABLE conversation (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  last_event INTEGER,
  last_turn INTEGER,
  wake_at INTEGER,
  scope INTEGER NOT NULL REFERENCES scope (row),
  listed INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  span INTEGER NOT NULL,
  variant INTEGER NOT NULL REFERENCES variant (row),
  channel TEXT NOT NULL,
  language TEXT,
  to_number TEXT NOT NULL,
  summary TEXT NOT NULL,
  details TEXT NOT NULL,
  turns TEXT,
  state TEXT NOT NULL
) STRICT;
INSERT INTO conversation (row, id, version, sequence, last_event, last_turn, wake_at, scope, listed, started_at, finished_at, span, variant, channel, language, to_number, summary, details, turns, state) VALUES (1, '00000000-0000-4000-8000-000000000003', 1, 1, 1, NULL, 1767226200000, 1, 1, 1767225600000, NULL, -1, 1, 'CHAT', 'en-GB', '', '{"id":"00000000-0000-4000-8000-000000000003","account_id":"ws-s00000000001","project_id":"PROJECT-s00000000002","variant_id":"VARIANT-s00000000003","variant_name":"default","environment":"live","started_at":"2026-01-01T00:00:00.000Z","channel":"CHAT","from_number":"","to_number":"","in_progress":true,"num_turns":0,"total_duration":0,"ai_duration":0,"handoff":false,"handoff_reason":"","handoff_destination":"","num_silences":0,"num_ood":0,"metrics":{},"state":{}}', '{"finished_at":null,"language":"en-GB","deployment_id":"DEPLOYMENT-s00000000004","direction":"inbound"}', NULL, '{"id":"00000000-0000-4000-8000-000000000003","kind":"messaging","accountId":"ws-s00000000001","agentId":"PROJECT-s00000000002","environment":"live","connectorId":"CONNECTOR-s00000000005","tokenHash":"0919f08128d14ae96367fb03c73eb4beaa19e94b38a95727e0d5ae6bf37ec88d","startedAt":1767225600000,"endedAt":null,"endReason":null,"sequence":1,"owner":"unassigned","greeted":false,"streaming":false,"deploymentId":"DEPLOYMENT-s00000000004","revision":1,"agentName":"Front desk","idleTimeout":600000,"seenAt":1767225600000,"turn":null,"queue":[],"failure":null,"handoffSettings":{"mode":"server","queueName":"reception","timeoutSeconds":300},"handoffs":0,"handoff":null,"deliveries":[],"deliveryNumber":0,"deliveryUntil":null,"awaiting":[],"externalCheckAt":null,"variables":{},"metrics":{},"integrationAttributes":{},"asrLanguage":null,"ttsLanguage":null,"record":{"channel":"CHAT","direction":"inbound","language":"en-GB","fromNumber":"","toNumber":"","variantId":"VARIANT-s00000000003","variantName":"default","turns":0,"silences":0,"outOfDomain":0,"handoff":false,"handoffReason":"","handoffDestination":"","aiDuration":0,"aiSince":null}}');
INSERT INTO conversation (row, id, version, sequence, last_event, last_turn, wake_at, scope, listed, started_at, finished_at, span, variant, channel, language, to_number, summary, details, turns, state) VALUES (2, '00000000-0000-4000-8000-000000000009', 5, 6, 7, 2, 1767226200000, 1, 1, 1767225600000, NULL, -1, 1, 'CHAT', 'en-GB', '', '{"id":"00000000-0000-4000-8000-000000000009","account_id":"ws-s00000000001","project_id":"PROJECT-s00000000002","variant_id":"VARIANT-s00000000003","variant_name":"default","environment":"live","started_at":"2026-01-01T00:00:00.000Z","channel":"CHAT","from_number":"","to_number":"","in_progress":true,"num_turns":2,"total_duration":0,"ai_duration":0,"handoff":false,"handoff_reason":"","handoff_destination":"","num_silences":0,"num_ood":0,"metrics":{},"state":{}}', '{"finished_at":null,"language":"en-GB","deployment_id":"DEPLOYMENT-s00000000004","direction":"inbound"}', NULL, '{"id":"00000000-0000-4000-8000-000000000009","kind":"messaging","accountId":"ws-s00000000001","agentId":"PROJECT-s00000000002","environment":"live","connectorId":"CONNECTOR-s00000000005","tokenHash":"61a64babb577c3a0912e28b61a32d1c9387fede4ce77ad1fb14b63e01ba39aad","startedAt":1767225600000,"endedAt":null,"endReason":null,"sequence":6,"owner":"ai_agent","greeted":true,"streaming":false,"deploymentId":"DEPLOYMENT-s00000000004","revision":1,"agentName":"Front desk","idleTimeout":600000,"seenAt":1767225600000,"turn":null,"queue":[],"failure":null,"handoffSettings":{"mode":"server","queueName":"reception","timeoutSeconds":300},"handoffs":0,"handoff":null,"deliveries":[],"deliveryNumber":0,"deliveryUntil":null,"awaiting":[],"externalCheckAt":null,"variables":{},"metrics":{},"integrationAttributes":{},"asrLanguage":null,"ttsLanguage":null,"record":{"channel":"CHAT","direction":"inbound","language":"en-GB","fromNumber":"","toNumber":"","variantId":"VARIANT-s00000000003","variantName":"default","turns":2,"silences":0,"outOfDomain":0,"handoff":false,"handoffReason":"","handoffDestination":"","aiDuration":0,"aiSince":1767225600000}}');
INSERT INTO conversation (row, id, version, sequence, last_event, last_turn, wake_at, scope, listed, started_at, finished_at, span, variant, channel, language, to_number, summary, details, turns, state) VALUES (3, '00000000-0000-4000-8000-000000000028', 4, 5, 12, 3, 1767225615000, 1, 1, 1767225600000, NULL, -1, 1, 'CHAT', 'en-GB', '', '{"id":"00000000-0000-4000-8000-000000000028","account_id":"ws-s00000000001","project_id":"PROJECT-s00000000002","variant_id":"VARIANT-s00000000003","variant_name":"default","environment":"live","started_at":"2026-01-01T00:00:00.000Z","channel":"CHAT","from_number":"","to_number":"","in_progress":true,"num_turns":1,"total_duration":0,"ai_duration":0,"handoff":false,"handoff_reason":"","handoff_destination":"","num_silences":0,"num_ood":0,"metrics":{},"state":{}}', '{"finished_at":null,"language":"en-GB","deployment_id":"DEPLOYMENT-s00000000004","direction":"inbound"}', NULL, '{"id":"00000000-0000-4000-8000-000000000028","kind":"messaging","accountId":"ws-s00000000001","agentId":"PROJECT-s00000000002","environment":"live","connectorId":"CONNECTOR-s00000000005","tokenHash":"19d78eedd3e1a6935aaeeb49608b053737788fb7ca50d1d4a36dc31d1d41ebf3","startedAt":1767225600000,"endedAt":null,"endReason":null,"sequence":5,"owner":"ai_agent","greeted":true,"streaming":false,"deploymentId":"DEPLOYMENT-s00000000004","revision":1,"agentName":"Front desk","idleTimeout":600000,"seenAt":1767225600000,"turn":{"id":"00000000-0000-4000-8000-000000000039","generation":1,"input":{"type":"message","turnId":"00000000-0000-4000-8000-000000000039","messageId":"00000000-0000-4000-8000-000000000039","sequence":5,"receivedAt":1767225600000,"sender":"00000000-0000-4000-8000-000000000030"},"startedAt":1767225600000,"leaseUntil":1767225615000},"queue":[],"failure":null,"handoffSettings":{"mode":"server","queueName":"reception","timeoutSeconds":300},"handoffs":0,"handoff":null,"deliveries":[],"deliveryNumber":0,"deliveryUntil":null,"awaiting":[],"externalCheckAt":null,"variables":{},"metrics":{},"integrationAttributes":{},"asrLanguage":null,"ttsLanguage":null,"record":{"channel":"CHAT","direction":"inbound","language":"en-GB","fromNumber":"","toNumber":"","variantId":"VARIANT-s00000000003","variantName":"default","turns":1,"silences":0,"outOfDomain":0,"handoff":false,"handoffReason":"","handoffDestination":"","aiDuration":0,"aiSince":1767225600000}}');
INSERT INTO conversation (row, id, version, sequence, last_event, last_turn, wake_at, scope, listed, started_at, finished_at, span, variant, channel, language, to_number, summary, details, turns, state) VALUES (4, '00000000-0000-4000-8000-000000000045', 8, 10, 22, 5, 1767225900000, 1, 1, 1767225600000, NULL, -1, 1, 'CHAT', 'en-GB', '', '{"id":"00000000-0000-4000-8000-000000000045","account_id":"ws-s00000000001","project_id":"PROJECT-s00000000002","variant_id":"VARIANT-s00000000003","variant_name":"default","environment":"live","started_at":"2026-01-01T00:00:00.000Z","channel":"CHAT","from_number":"","to_number":"","in_progress":true,"num_turns":2,"total_duration":0,"ai_duration":0,"handoff":true,"handoff_reason":"asked","handoff_destination":"reception","num_silences":0,"num_ood":0,"metrics":{},"state":{}}', '{"finished_at":null,"language":"en-GB","deployment_id":"DEPLOYMENT-s00000000004","direction":"inbound"}', NULL, '{"id":"00000000-0000-4000-8000-000000000045","kind":"messaging","accountId":"ws-s00000000001","agentId":"PROJECT-s00000000002","environment":"live","connectorId":"CONNECTOR-s00000000005","tokenHash":"6b9cc49b182895a70dcfb161920c4589bf81916a316ef681774969d22b20980c","startedAt":1767225600000,"endedAt":null,"endReason":null,"sequence":10,"owner":"queue","greeted":true,"streaming":false,"deploymentId":"DEPLOYMENT-s00000000004","revision":1,"agentName":"Front desk","idleTimeout":600000,"seenAt":1767225600000,"turn":null,"queue":[],"failure":null,"handoffSettings":{"mode":"server","queueName":"reception","timeoutSeconds":300},"handoffs":1,"handoff":{"id":"00000000-0000-4000-8000-000000000045.1","status":"waiting","queueName":"reception","reason":"asked","destination":"reception","requestedAt":1767225600000,"timeoutAt":1767225900000,"liveAgent":null},"deliveries":[{"number":2,"handoffId":"00000000-0000-4000-8000-000000000045.1","call":{"type":"forward","messageId":"00000000-0000-4000-8000-000000000069","sequence":10,"sender":"00000000-0000-4000-8000-000000000047"}}],"deliveryNumber":2,"deliveryUntil":null,"awaiting":[],"externalCheckAt":null,"variables":{},"metrics":{},"integrationAttributes":{},"asrLanguage":null,"ttsLanguage":null,"record":{"channel":"CHAT","direction":"inbound","language":"en-GB","fromNumber":"","toNumber":"","variantId":"VARIANT-s00000000003","variantName":"default","turns":2,"silences":0,"outOfDomain":0,"handoff":true,"handoffReason":"asked","handoffDestination":"reception","aiDuration":0,"aiSince":null}}');
INSERT INTO conversation (row, id, version, sequence, last_event, last_turn, wake_at, scope, listed, started_at, finished_at, span, variant, channel, language, to_number, summary, details, turns, state) VALUES (5, '00000000-0000-4000-8000-000000000073', 13, 13, 35, 7, 1767226200000, 1, 1, 1767225600000, NULL, -1, 1, 'CHAT', 'en-GB', '', '{"id":"00000000-0000-4000-8000-000000000073","account_id":"ws-s00000000001","project_id":"PROJECT-s00000000002","variant_id":"VARIANT-s00000000003","variant_name":"default","environment":"live","started_at":"2026-01-01T00:00:00.000Z","channel":"CHAT","from_number":"","to_number":"","in_progress":true,"num_turns":2,"total_duration":0,"ai_duration":0,"handoff":true,"handoff_reason":"asked","handoff_destination":"reception","num_silences":0,"num_ood":0,"metrics":{},"state":{}}', '{"finished_at":null,"language":"en-GB","deployment_id":"DEPLOYMENT-s00000000004","direction":"inbound"}', NULL, '{"id":"00000000-0000-4000-8000-000000000073","kind":"messaging","accountId":"ws-s00000000001","agentId":"PROJECT-s00000000002","environment":"live","connectorId":"CONNECTOR-s00000000005","tokenHash":"1cc6920a1fe446b6cde79aebe28cfd1d4da1a236b2aa9ed38f5801c049fa1e60","startedAt":1767225600000,"endedAt":null,"endReason":null,"sequence":13,"owner":"live_agent","greeted":true,"streaming":false,"deploymentId":"DEPLOYMENT-s00000000004","revision":1,"agentName":"Front desk","idleTimeout":600000,"seenAt":1767225600000,"turn":null,"queue":[],"failure":null,"handoffSettings":{"mode":"server","queueName":"reception","timeoutSeconds":300},"handoffs":1,"handoff":{"id":"00000000-0000-4000-8000-000000000073.1","status":"active","queueName":"reception","reason":"asked","destination":"reception","requestedAt":1767225600000,"timeoutAt":1767225900000,"liveAgent":{"id":"a1","name":"Ada","avatarUrl":""}},"deliveries":[],"deliveryNumber":3,"deliveryUntil":null,"awaiting":[],"externalCheckAt":null,"variables":{},"metrics":{},"integrationAttributes":{},"asrLanguage":null,"ttsLanguage":null,"record":{"channel":"CHAT","direction":"inbound","language":"en-GB","fromNumber":"","toNumber":"","variantId":"VARIANT-s00000000003","variantName":"default","turns":2,"silences":0,"outOfDomain":0,"handoff":true,"handoffReason":"asked","handoffDestination":"reception","aiDuration":0,"aiSince":null}}');
INSERT INTO conversation (row, id, version, sequence, last_event, last_turn, wake_at, scope, listed, started_at, finished_at, span, variant, channel, language, to_number, summary, details, turns, state) VALUES (6, '00000000-0000-4000-8000-000000000114', 9, 12, 47, 9, NULL, 1, 1, 1767225600000, 1767225600000, 0, 1, 'CHAT', 'en-GB', '', '{"id":"00000000-0000-4000-8000-000000000114","account_id":"ws-s00000000001","project_id":"PROJECT-s00000000002","variant_id":"VARIANT-s00000000003","variant_name":"default","environment":"live","started_at":"2026-01-01T00:00:00.000Z","channel":"CHAT","from_number":"","to_number":"","in_progress":false,"num_turns":2,"total_duration":0,"ai_duration":0,"handoff":true,"handoff_reason":"asked","handoff_destination":"reception","num_silences":0,"num_ood":0,"metrics":{},"state":{}}', '{"finished_at":"2026-01-01T00:00:00.000Z","language":"en-GB","deployment_id":"DEPLOYMENT-s00000000004","direction":"inbound"}', '[{"user_input":"","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"Welcome.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false},{"user_input":"person","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"One moment.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}]', '{"id":"00000000-0000-4000-8000-000000000114","kind":"messaging","accountId":"ws-s00000000001","agentId":"PROJECT-s00000000002","environment":"live","connectorId":"CONNECTOR-s00000000005","tokenHash":"c38997dfde6dc8533a75588fddb5636ef5ee7d2581efcdf30ad371a42c6ff591","startedAt":1767225600000,"endedAt":1767225600000,"endReason":"REASON_NATURAL_END","sequence":12,"owner":"nobody","greeted":true,"streaming":false,"deploymentId":"DEPLOYMENT-s00000000004","revision":1,"agentName":"Front desk","idleTimeout":600000,"seenAt":1767225600000,"turn":null,"queue":[],"failure":null,"handoffSettings":{"mode":"server","queueName":"reception","timeoutSeconds":300},"handoffs":1,"handoff":{"id":"00000000-0000-4000-8000-000000000114.1","status":"over","queueName":"reception","reason":"asked","destination":"reception","requestedAt":1767225600000,"timeoutAt":1767225900000,"liveAgent":{"id":"a1","name":"Ada","avatarUrl":""}},"deliveries":[],"deliveryNumber":1,"deliveryUntil":null,"awaiting":[],"externalCheckAt":null,"variables":{},"metrics":{},"integrationAttributes":{},"asrLanguage":null,"ttsLanguage":null,"record":{"channel":"CHAT","direction":"inbound","language":"en-GB","fromNumber":"","toNumber":"","variantId":"VARIANT-s00000000003","variantName":"default","turns":2,"silences":0,"outOfDomain":0,"handoff":true,"handoffReason":"asked","handoffDestination":"reception","aiDuration":0,"aiSince":null}}');
CREATE TABLE event (
  row INTEGER PRIMARY KEY,
  previous INTEGER,
  sequence INTEGER NOT NULL,
  event TEXT NOT NULL
) STRICT;
INSERT INTO event (row, previous, sequence, event) VALUES (1, NULL, 1, '{"id":"00000000-0000-4000-8000-000000000004","at":1767225600000,"type":"SESSION_START","payload":{"capabilities":{"streaming":false,"max_message_size_bytes":131072,"max_reconnect_attempts":5,"heartbeat_interval_seconds":30}},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (2, NULL, 1, '{"id":"00000000-0000-4000-8000-000000000010","at":1767225600000,"type":"SESSION_START","payload":{"capabilities":{"streaming":false,"max_message_size_bytes":131072,"max_reconnect_attempts":5,"heartbeat_interval_seconds":30}},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (3, 2, 2, '{"id":"00000000-0000-4000-8000-000000000014","at":1767225600000,"type":"REQUEST_AI_AGENT_JOIN","payload":{},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (4, 3, 3, '{"id":"00000000-0000-4000-8000-000000000015","at":1767225600000,"type":"AI_AGENT_JOINED","payload":{"agent_name":"Front desk","agent_avatar_url":"","avatar":""},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (5, 4, 4, '{"id":"00000000-0000-4000-8000-000000000019","at":1767225600000,"type":"AI_AGENT_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000017","attachments":[],"response_suggestions":[],"text":"Welcome."},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (6, 5, 5, '{"id":"00000000-0000-4000-8000-000000000021","at":1767225600000,"type":"USER_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000020","text":"hello"},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (7, 6, 6, '{"id":"00000000-0000-4000-8000-000000000025","at":1767225600000,"type":"AI_AGENT_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000023","attachments":[],"response_suggestions":[],"text":"Certainly."},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (8, NULL, 1, '{"id":"00000000-0000-4000-8000-000000000029","at":1767225600000,"type":"SESSION_START","payload":{"capabilities":{"streaming":false,"max_message_size_bytes":131072,"max_reconnect_attempts":5,"heartbeat_interval_seconds":30}},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (9, 8, 2, '{"id":"00000000-0000-4000-8000-000000000033","at":1767225600000,"type":"REQUEST_AI_AGENT_JOIN","payload":{},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (10, 9, 3, '{"id":"00000000-0000-4000-8000-000000000034","at":1767225600000,"type":"AI_AGENT_JOINED","payload":{"agent_name":"Front desk","agent_avatar_url":"","avatar":""},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (11, 10, 4, '{"id":"00000000-0000-4000-8000-000000000038","at":1767225600000,"type":"AI_AGENT_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000036","attachments":[],"response_suggestions":[],"text":"Welcome."},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (12, 11, 5, '{"id":"00000000-0000-4000-8000-000000000040","at":1767225600000,"type":"USER_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000039","text":"slow"},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (13, NULL, 1, '{"id":"00000000-0000-4000-8000-000000000046","at":1767225600000,"type":"SESSION_START","payload":{"capabilities":{"streaming":false,"max_message_size_bytes":131072,"max_reconnect_attempts":5,"heartbeat_interval_seconds":30}},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (14, 13, 2, '{"id":"00000000-0000-4000-8000-000000000050","at":1767225600000,"type":"REQUEST_AI_AGENT_JOIN","payload":{},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (15, 14, 3, '{"id":"00000000-0000-4000-8000-000000000051","at":1767225600000,"type":"AI_AGENT_JOINED","payload":{"agent_name":"Front desk","agent_avatar_url":"","avatar":""},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (16, 15, 4, '{"id":"00000000-0000-4000-8000-000000000055","at":1767225600000,"type":"AI_AGENT_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000053","attachments":[],"response_suggestions":[],"text":"Welcome."},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (17, 16, 5, '{"id":"00000000-0000-4000-8000-000000000057","at":1767225600000,"type":"USER_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000056","text":"person"},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (18, 17, 6, '{"id":"00000000-0000-4000-8000-000000000061","at":1767225600000,"type":"AI_AGENT_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000059","attachments":[],"response_suggestions":[],"text":"One moment."},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (19, 18, 7, '{"id":"00000000-0000-4000-8000-000000000062","at":1767225600000,"type":"AI_AGENT_TRIGGERED_HANDOFF","payload":{},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (20, 19, 8, '{"id":"00000000-0000-4000-8000-000000000063","at":1767225600000,"type":"AI_AGENT_LEFT","payload":{},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (21, 20, 9, '{"id":"00000000-0000-4000-8000-000000000065","at":1767225600000,"type":"HANDOFF_ACCEPTED","payload":{"queue_name":"reception"},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (22, 21, 10, '{"id":"00000000-0000-4000-8000-000000000070","at":1767225600000,"type":"USER_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000069","text":"anybody?"},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (23, NULL, 1, '{"id":"00000000-0000-4000-8000-000000000074","at":1767225600000,"type":"SESSION_START","payload":{"capabilities":{"streaming":false,"max_message_size_bytes":131072,"max_reconnect_attempts":5,"heartbeat_interval_seconds":30}},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (24, 23, 2, '{"id":"00000000-0000-4000-8000-000000000078","at":1767225600000,"type":"REQUEST_AI_AGENT_JOIN","payload":{},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (25, 24, 3, '{"id":"00000000-0000-4000-8000-000000000079","at":1767225600000,"type":"AI_AGENT_JOINED","payload":{"agent_name":"Front desk","agent_avatar_url":"","avatar":""},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (26, 25, 4, '{"id":"00000000-0000-4000-8000-000000000083","at":1767225600000,"type":"AI_AGENT_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000081","attachments":[],"response_suggestions":[],"text":"Welcome."},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (27, 26, 5, '{"id":"00000000-0000-4000-8000-000000000085","at":1767225600000,"type":"USER_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000084","text":"person"},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (28, 27, 6, '{"id":"00000000-0000-4000-8000-000000000089","at":1767225600000,"type":"AI_AGENT_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000087","attachments":[],"response_suggestions":[],"text":"One moment."},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (29, 28, 7, '{"id":"00000000-0000-4000-8000-000000000090","at":1767225600000,"type":"AI_AGENT_TRIGGERED_HANDOFF","payload":{},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (30, 29, 8, '{"id":"00000000-0000-4000-8000-000000000091","at":1767225600000,"type":"AI_AGENT_LEFT","payload":{},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (31, 30, 9, '{"id":"00000000-0000-4000-8000-000000000093","at":1767225600000,"type":"HANDOFF_ACCEPTED","payload":{"queue_name":"reception"},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (32, 31, 10, '{"id":"00000000-0000-4000-8000-000000000100","at":1767225600000,"type":"USER_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000099","text":"anybody?"},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (33, 32, 11, '{"id":"00000000-0000-4000-8000-000000000102","at":1767225600000,"type":"LIVE_AGENT_JOINED","payload":{"agent":{"id":"a1","name":"Ada","avatar_url":""}},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (34, 33, 12, '{"id":"00000000-0000-4000-8000-000000000108","at":1767225600000,"type":"LIVE_AGENT_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000106","text":"Ada here.","attachments":[],"response_suggestions":[],"agent_id":"a1"},"custom":null,"clientEventId":"live:00000000-0000-4000-8000-000000000106"}');
INSERT INTO event (row, previous, sequence, event) VALUES (35, 34, 13, '{"id":"00000000-0000-4000-8000-000000000110","at":1767225600000,"type":"USER_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000109","text":"Hi Ada"},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (36, NULL, 1, '{"id":"00000000-0000-4000-8000-000000000115","at":1767225600000,"type":"SESSION_START","payload":{"capabilities":{"streaming":false,"max_message_size_bytes":131072,"max_reconnect_attempts":5,"heartbeat_interval_seconds":30}},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (37, 36, 2, '{"id":"00000000-0000-4000-8000-000000000119","at":1767225600000,"type":"REQUEST_AI_AGENT_JOIN","payload":{},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (38, 37, 3, '{"id":"00000000-0000-4000-8000-000000000120","at":1767225600000,"type":"AI_AGENT_JOINED","payload":{"agent_name":"Front desk","agent_avatar_url":"","avatar":""},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (39, 38, 4, '{"id":"00000000-0000-4000-8000-000000000124","at":1767225600000,"type":"AI_AGENT_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000122","attachments":[],"response_suggestions":[],"text":"Welcome."},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (40, 39, 5, '{"id":"00000000-0000-4000-8000-000000000126","at":1767225600000,"type":"USER_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000125","text":"person"},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (41, 40, 6, '{"id":"00000000-0000-4000-8000-000000000130","at":1767225600000,"type":"AI_AGENT_MESSAGE","payload":{"message_id":"00000000-0000-4000-8000-000000000128","attachments":[],"response_suggestions":[],"text":"One moment."},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (42, 41, 7, '{"id":"00000000-0000-4000-8000-000000000131","at":1767225600000,"type":"AI_AGENT_TRIGGERED_HANDOFF","payload":{},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (43, 42, 8, '{"id":"00000000-0000-4000-8000-000000000132","at":1767225600000,"type":"AI_AGENT_LEFT","payload":{},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (44, 43, 9, '{"id":"00000000-0000-4000-8000-000000000134","at":1767225600000,"type":"HANDOFF_ACCEPTED","payload":{"queue_name":"reception"},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (45, 44, 10, '{"id":"00000000-0000-4000-8000-000000000141","at":1767225600000,"type":"LIVE_AGENT_JOINED","payload":{"agent":{"id":"a1","name":"Ada","avatar_url":""}},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (46, 45, 11, '{"id":"00000000-0000-4000-8000-000000000145","at":1767225600000,"type":"LIVE_AGENT_LEFT","payload":{},"custom":null,"clientEventId":null}');
INSERT INTO event (row, previous, sequence, event) VALUES (47, 46, 12, '{"id":"00000000-0000-4000-8000-000000000146","at":1767225600000,"type":"SESSION_END","payload":{"reason":"REASON_NATURAL_END"},"custom":null,"clientEventId":null}');
CREATE TABLE turn (
  row INTEGER PRIMARY KEY,
  previous INTEGER,
  record TEXT NOT NULL,
  details TEXT NOT NULL
) STRICT;
INSERT INTO turn (row, previous, record, details) VALUES (1, NULL, '{"user_input":"","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"Welcome.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}', '{"turn_id":"00000000-0000-4000-8000-000000000013","deployment_id":"DEPLOYMENT-s00000000004","input_type":"greeting","delayed":false,"retrieved_topics":[],"retrieved_sources":[],"cited_topic":"","node_trace":[],"function_events":[],"llm_requests":[],"handoff_destination":"","ends":false}');
INSERT INTO turn (row, previous, record, details) VALUES (2, 1, '{"user_input":"hello","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"Certainly.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}', '{"turn_id":"00000000-0000-4000-8000-000000000020","deployment_id":"DEPLOYMENT-s00000000004","input_type":"message","delayed":false,"retrieved_topics":[],"retrieved_sources":[],"cited_topic":"","node_trace":[],"function_events":[],"llm_requests":[],"handoff_destination":"","ends":false}');
INSERT INTO turn (row, previous, record, details) VALUES (3, NULL, '{"user_input":"","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"Welcome.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}', '{"turn_id":"00000000-0000-4000-8000-000000000032","deployment_id":"DEPLOYMENT-s00000000004","input_type":"greeting","delayed":false,"retrieved_topics":[],"retrieved_sources":[],"cited_topic":"","node_trace":[],"function_events":[],"llm_requests":[],"handoff_destination":"","ends":false}');
INSERT INTO turn (row, previous, record, details) VALUES (4, NULL, '{"user_input":"","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"Welcome.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}', '{"turn_id":"00000000-0000-4000-8000-000000000049","deployment_id":"DEPLOYMENT-s00000000004","input_type":"greeting","delayed":false,"retrieved_topics":[],"retrieved_sources":[],"cited_topic":"","node_trace":[],"function_events":[],"llm_requests":[],"handoff_destination":"","ends":false}');
INSERT INTO turn (row, previous, record, details) VALUES (5, 4, '{"user_input":"person","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"One moment.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}', '{"turn_id":"00000000-0000-4000-8000-000000000056","deployment_id":"DEPLOYMENT-s00000000004","input_type":"message","delayed":false,"retrieved_topics":[],"retrieved_sources":[],"cited_topic":"","node_trace":[],"function_events":[],"llm_requests":[],"handoff_destination":"reception","ends":false}');
INSERT INTO turn (row, previous, record, details) VALUES (6, NULL, '{"user_input":"","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"Welcome.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}', '{"turn_id":"00000000-0000-4000-8000-000000000077","deployment_id":"DEPLOYMENT-s00000000004","input_type":"greeting","delayed":false,"retrieved_topics":[],"retrieved_sources":[],"cited_topic":"","node_trace":[],"function_events":[],"llm_requests":[],"handoff_destination":"","ends":false}');
INSERT INTO turn (row, previous, record, details) VALUES (7, 6, '{"user_input":"person","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"One moment.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}', '{"turn_id":"00000000-0000-4000-8000-000000000084","deployment_id":"DEPLOYMENT-s00000000004","input_type":"message","delayed":false,"retrieved_topics":[],"retrieved_sources":[],"cited_topic":"","node_trace":[],"function_events":[],"llm_requests":[],"handoff_destination":"reception","ends":false}');
INSERT INTO turn (row, previous, record, details) VALUES (8, NULL, '{"user_input":"","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"Welcome.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}', '{"turn_id":"00000000-0000-4000-8000-000000000118","deployment_id":"DEPLOYMENT-s00000000004","input_type":"greeting","delayed":false,"retrieved_topics":[],"retrieved_sources":[],"cited_topic":"","node_trace":[],"function_events":[],"llm_requests":[],"handoff_destination":"","ends":false}');
INSERT INTO turn (row, previous, record, details) VALUES (9, 8, '{"user_input":"person","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"One moment.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}', '{"turn_id":"00000000-0000-4000-8000-000000000125","deployment_id":"DEPLOYMENT-s00000000004","input_type":"message","delayed":false,"retrieved_topics":[],"retrieved_sources":[],"cited_topic":"","node_trace":[],"function_events":[],"llm_requests":[],"handoff_destination":"reception","ends":false}');
CREATE TABLE client_event (
  conversation INTEGER NOT NULL,
  client_event_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  PRIMARY KEY (conversation, client_event_id)
) STRICT, WITHOUT ROWID;
INSERT INTO client_event (conversation, client_event_id, sequence) VALUES (5, 'live:00000000-0000-4000-8000-000000000106', 12);
CREATE TABLE record_count (
  scope INTEGER NOT NULL,
  width INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  records INTEGER NOT NULL,
  PRIMARY KEY (scope, width, bucket)
) STRICT, WITHOUT ROWID;
INSERT INTO record_count (scope, width, bucket, records) VALUES (1, 60000, 29453760, 6);
INSERT INTO record_count (scope, width, bucket, records) VALUES (1, 86400000, 20454, 6);
CREATE TABLE handoff (
  conversation INTEGER PRIMARY KEY,
  conversation_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  handoff_id TEXT NOT NULL,
  status TEXT NOT NULL,
  queue_name TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT;
INSERT INTO handoff (conversation, conversation_id, account_id, handoff_id, status, queue_name, since) VALUES (4, '00000000-0000-4000-8000-000000000045', 'ws-s00000000001', '00000000-0000-4000-8000-000000000045.1', 'waiting', 'reception', 1767225600000);
INSERT INTO handoff (conversation, conversation_id, account_id, handoff_id, status, queue_name, since) VALUES (5, '00000000-0000-4000-8000-000000000073', 'ws-s00000000001', '00000000-0000-4000-8000-000000000073.1', 'active', 'reception', 1767225600000);
CREATE TABLE external_event (
  event_id TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  content_type TEXT,
  body BLOB,
  received_at INTEGER
) STRICT;
CREATE TABLE pending_external_event (
  row INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL
) STRICT;
CREATE TABLE account (
  id TEXT PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO account (id, slug, name, created_at) VALUES ('ws-s00000000001', 'acme', 'Acme', 1767225600000);
CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  name TEXT NOT NULL,
  account_id TEXT,
  agent_id TEXT,
  region TEXT,
  permissions TEXT,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE TABLE connector (
  id TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  token_prefix TEXT NOT NULL,
  name TEXT NOT NULL,
  account_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  hosts TEXT NOT NULL,
  variant_id TEXT,
  handoff TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
INSERT INTO connector (id, token_hash, token_prefix, name, account_id, agent_id, environment, hosts, variant_id, handoff, created_at, revoked_at) VALUES ('CONNECTOR-s00000000005', 'e04eb010ebf423d1a554902195b75d7d843557065632bcc357dfe4e14248d30e', 'connecto', '', 'ws-s00000000001', 'PROJECT-s00000000002', 'live', '["example.com"]', NULL, '{"mode":"server","queueName":"reception","timeoutSeconds":300}', 1767225600000, NULL);
CREATE TABLE secret (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO secret (name, value) VALUES ('token-secret', 'secret-00000000000000000000000000000001');
CREATE INDEX agent_of_account ON agent (account_id, created_at, id);
CREATE UNIQUE INDEX resource_version ON resource (agent, kind, id, revision);
CREATE INDEX resource_change ON resource (agent, revision);
CREATE INDEX resource_name ON resource (agent, name, revision) WHERE name IS NOT NULL;
CREATE INDEX deployment_of_environment ON deployment (agent, environment, number);
CREATE INDEX variant_id ON variant (id);
CREATE INDEX variant_name ON variant (name);
CREATE INDEX conversation_wake ON conversation (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX conversation_open ON conversation (scope) WHERE finished_at IS NULL;
CREATE INDEX conversation_list ON conversation
  (scope, started_at, id, finished_at, variant, channel) WHERE listed = 1;
CREATE INDEX conversation_interval ON conversation
  (scope, span, started_at, finished_at, variant, language, to_number) WHERE listed = 1;
CREATE INDEX handoff_waiting ON handoff (account_id, status, since, conversation_id);
CREATE INDEX pending_external_event_of ON pending_external_event (conversation_id);
CREATE INDEX api_key_of_account ON api_key (account_id, created_at, id);
CREATE INDEX connector_of_account ON connector (account_id, created_at, id);
