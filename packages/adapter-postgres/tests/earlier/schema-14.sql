SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA earlier;
CREATE FUNCTION earlier.forget_interval_block() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'earlier'
    AS $$
begin
  if tg_op <> 'INSERT' then
    delete from interval_block where scope = old.scope and span = old.span and stretch = old.started_at / 14400000;
  end if;
  if tg_op <> 'DELETE' then
    delete from interval_block where scope = new.scope and span = new.span and stretch = new.started_at / 14400000;
  end if;
  return null;
end $$;
CREATE FUNCTION earlier.keep_audit_entry() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'DELETE' then
    if old.at < coalesce(nullif(current_setting('colloquy.audit_removal', true), ''), '-1')::bigint then
      return old;
    end if;
    raise exception 'Entries of the audit log are removed only by its purge.';
  end if;
  raise exception 'Entries of the audit log never change.';
end $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE earlier.account (
    id text NOT NULL COLLATE pg_catalog."C",
    slug text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE earlier.account_name (
    name text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE earlier.agent (
    "row" bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    revision integer NOT NULL,
    deployment integer NOT NULL
);
CREATE TABLE earlier.agent_id (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    deleted_at bigint
);
ALTER TABLE earlier.agent ALTER COLUMN "row" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME earlier.agent_row_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE earlier.alert_account (
    account_id text NOT NULL COLLATE pg_catalog."C",
    rules integer NOT NULL,
    held_until bigint NOT NULL
);
CREATE TABLE earlier.alert_rule (
    "row" bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    agent_id text COLLATE pg_catalog."C",
    enabled boolean NOT NULL,
    version integer NOT NULL,
    created_at bigint NOT NULL,
    rule text NOT NULL
);
ALTER TABLE earlier.alert_rule ALTER COLUMN "row" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME earlier.alert_rule_row_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE earlier.api_key (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    hash text NOT NULL COLLATE pg_catalog."C",
    prefix text NOT NULL,
    name text NOT NULL,
    account_id text COLLATE pg_catalog."C",
    agent_id text COLLATE pg_catalog."C",
    region text,
    permissions text,
    created_at bigint NOT NULL,
    revoked_at bigint,
    expires_at bigint,
    last_used_at bigint
);
CREATE TABLE earlier.audit_entry (
    sequence bigint NOT NULL,
    id text NOT NULL,
    at bigint NOT NULL,
    actor_type text NOT NULL,
    actor_id text,
    actor_name text NOT NULL,
    action text NOT NULL COLLATE pg_catalog."C",
    account_id text COLLATE pg_catalog."C",
    agent_id text COLLATE pg_catalog."C",
    resource_type text NOT NULL,
    resource_id text COLLATE pg_catalog."C",
    details text NOT NULL,
    correlation_id text
);
ALTER TABLE earlier.audit_entry ALTER COLUMN sequence ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME earlier.audit_entry_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE earlier.branch (
    "row" bigint NOT NULL,
    agent bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    base_revision integer NOT NULL,
    version integer NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE earlier.branch_change (
    branch bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    value text
);
ALTER TABLE earlier.branch ALTER COLUMN "row" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME earlier.branch_row_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE earlier.cached_audio (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    agent_id text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    cached_at bigint NOT NULL,
    used_at bigint NOT NULL,
    hit_count bigint NOT NULL,
    milliseconds bigint NOT NULL,
    bytes bigint NOT NULL,
    entry text NOT NULL,
    audio bytea NOT NULL
);
CREATE TABLE earlier.client_event (
    conversation bigint NOT NULL,
    client_event_id text NOT NULL COLLATE pg_catalog."C",
    sequence integer NOT NULL
);
CREATE TABLE earlier.connector (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    token_hash text NOT NULL COLLATE pg_catalog."C",
    token_prefix text NOT NULL,
    name text NOT NULL,
    account_id text NOT NULL COLLATE pg_catalog."C",
    agent_id text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL,
    hosts text NOT NULL,
    variant_id text,
    handoff text NOT NULL,
    speech text NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint,
    expires_at bigint,
    last_used_at bigint,
    context_keys text DEFAULT '[]'::text NOT NULL
);
CREATE TABLE earlier.conversation (
    "row" bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    scope integer NOT NULL,
    listed boolean NOT NULL,
    counted boolean NOT NULL,
    started_at bigint NOT NULL,
    finished_at bigint,
    span smallint NOT NULL,
    variant integer NOT NULL,
    channel text NOT NULL COLLATE pg_catalog."C",
    language text COLLATE pg_catalog."C",
    to_number text NOT NULL COLLATE pg_catalog."C",
    place bigint DEFAULT ((pg_current_xact_id())::text)::bigint NOT NULL,
    state text NOT NULL,
    summary text,
    details text,
    shared_id text COLLATE pg_catalog."C",
    shared_at bigint
)
WITH (fillfactor='85');
CREATE TABLE earlier.conversation_head (
    "row" bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    sequence integer NOT NULL,
    turns integer NOT NULL,
    turn_bytes bigint NOT NULL,
    finished boolean NOT NULL,
    scope integer NOT NULL,
    changes text
)
WITH (fillfactor='70');
ALTER TABLE earlier.conversation_head ALTER COLUMN "row" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME earlier.conversation_head_row_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE earlier.conversation_timer (
    conversation bigint NOT NULL,
    wake_at bigint NOT NULL,
    claims integer NOT NULL
)
WITH (fillfactor='70');
CREATE TABLE earlier.counter (
    account_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    minute bigint NOT NULL,
    agent_id text NOT NULL COLLATE pg_catalog."C",
    value bigint NOT NULL,
    count bigint NOT NULL
);
CREATE TABLE earlier.deployment (
    agent bigint NOT NULL,
    number integer NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    revision integer NOT NULL,
    version text NOT NULL,
    type text NOT NULL,
    message text NOT NULL,
    created_by text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE earlier.embedded_turns (
    embedder bigint NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL
);
CREATE TABLE earlier.embedder (
    "row" bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    claim bigint NOT NULL,
    claimed_first bigint,
    claimed_last bigint,
    held_until bigint NOT NULL,
    used_at bigint NOT NULL
);
ALTER TABLE earlier.embedder ALTER COLUMN "row" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME earlier.embedder_row_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE earlier.event (
    conversation bigint NOT NULL,
    sequence integer NOT NULL,
    head text NOT NULL,
    payload text NOT NULL
);
CREATE TABLE earlier.external_event (
    event_id text NOT NULL COLLATE pg_catalog."C",
    conversation bigint NOT NULL,
    conversation_id text NOT NULL,
    account_id text NOT NULL COLLATE pg_catalog."C",
    agent_id text NOT NULL COLLATE pg_catalog."C",
    content_type text,
    body bytea,
    received_at bigint,
    pending bigint
);
CREATE TABLE earlier.handoff (
    conversation bigint NOT NULL,
    place bigint NOT NULL,
    conversation_id text NOT NULL,
    account_id text NOT NULL COLLATE pg_catalog."C",
    handoff_id text NOT NULL,
    status text NOT NULL,
    queue_name text NOT NULL,
    since bigint NOT NULL
);
ALTER TABLE earlier.handoff ALTER COLUMN place ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME earlier.handoff_place_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE earlier.handoff_wait (
    "row" bigint NOT NULL,
    account_id text NOT NULL COLLATE pg_catalog."C",
    queue_name text NOT NULL COLLATE pg_catalog."C",
    joined_at bigint NOT NULL,
    waited bigint NOT NULL
);
ALTER TABLE earlier.handoff_wait ALTER COLUMN "row" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME earlier.handoff_wait_row_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE earlier.interval_block (
    "row" bigint NOT NULL,
    scope integer NOT NULL,
    span smallint NOT NULL,
    stretch integer NOT NULL,
    first_start bigint,
    last_end bigint,
    intervals integer,
    variants integer[],
    packed text,
    languages text[],
    numbers text[],
    pairs text
);
ALTER TABLE ONLY earlier.interval_block ALTER COLUMN packed SET STORAGE EXTERNAL;
ALTER TABLE earlier.interval_block ALTER COLUMN "row" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME earlier.interval_block_row_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE earlier.message_key (
    key text NOT NULL COLLATE pg_catalog."C",
    conversation bigint NOT NULL,
    taken_at bigint NOT NULL
);
CREATE TABLE earlier.outbound_call (
    id text NOT NULL COLLATE pg_catalog."C",
    agent_id text NOT NULL COLLATE pg_catalog."C",
    due_at bigint NOT NULL,
    version integer NOT NULL,
    call text NOT NULL
);
CREATE TABLE earlier.phone_number (
    number text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    agent_id text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    connector_id text COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE earlier.pooled_number (
    number text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    agent_id text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    free_from bigint NOT NULL,
    attributes text
);
CREATE TABLE earlier.real_time_config (
    agent bigint NOT NULL,
    environment text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    updated_at bigint NOT NULL,
    variables text NOT NULL,
    schema text
);
CREATE TABLE earlier.resource (
    agent bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    revision integer NOT NULL,
    name text COLLATE pg_catalog."C",
    value text
);
CREATE TABLE earlier.revision (
    agent bigint NOT NULL,
    number integer NOT NULL,
    content_hash text NOT NULL,
    content_bytes bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE earlier.schema_migration (
    version integer NOT NULL,
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE earlier.scope (
    "row" integer NOT NULL,
    account_id text NOT NULL COLLATE pg_catalog."C",
    agent_id text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE earlier.scope ALTER COLUMN "row" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME earlier.scope_row_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE earlier.secret (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL
);
CREATE TABLE earlier.test_result (
    run bigint NOT NULL,
    test_case_id text NOT NULL COLLATE pg_catalog."C",
    result text NOT NULL
);
CREATE TABLE earlier.test_run (
    "row" bigint NOT NULL,
    agent bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    deployment_id text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL,
    status text NOT NULL,
    started_at bigint NOT NULL,
    lease_until bigint NOT NULL,
    attempts integer NOT NULL,
    writes integer NOT NULL,
    run text NOT NULL
);
ALTER TABLE earlier.test_run ALTER COLUMN "row" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME earlier.test_run_row_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE earlier.text_pair (
    ours text NOT NULL COLLATE pg_catalog."C",
    theirs text NOT NULL COLLATE pg_catalog."C",
    agent_id text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    pair text NOT NULL
);
CREATE TABLE earlier.token_key (
    number integer NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    secret text NOT NULL,
    created_at bigint NOT NULL,
    verifies_until bigint
);
CREATE TABLE earlier.turn (
    "row" bigint NOT NULL,
    conversation bigint NOT NULL,
    number integer NOT NULL,
    record text NOT NULL,
    details text NOT NULL,
    words text[] NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE earlier.turn ALTER COLUMN "row" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME earlier.turn_row_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE earlier.turn_vector (
    embedder bigint NOT NULL,
    turn bigint NOT NULL,
    conversation bigint NOT NULL,
    "user" bytea,
    agent bytea
);
CREATE TABLE earlier.variant (
    "row" integer NOT NULL,
    id text COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE earlier.variant ALTER COLUMN "row" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME earlier.variant_row_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE earlier.voice (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    created_at bigint NOT NULL,
    voice text NOT NULL
);
CREATE TABLE earlier.waiting_line (
    account_id text NOT NULL COLLATE pg_catalog."C",
    held_until bigint NOT NULL
);
CREATE TABLE earlier.webhook_account (
    account_id text NOT NULL COLLATE pg_catalog."C",
    endpoints integer NOT NULL
);
CREATE TABLE earlier.webhook_delivery (
    event bigint NOT NULL,
    endpoint bigint NOT NULL,
    event_id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    attempts integer NOT NULL,
    due_at bigint,
    in_flight boolean NOT NULL,
    last_attempt_at bigint,
    last_status integer,
    last_error text,
    version integer NOT NULL,
    created_at bigint NOT NULL,
    exchange text
);
CREATE TABLE earlier.webhook_endpoint (
    "row" bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    url text NOT NULL,
    event_types text[] NOT NULL,
    headers text NOT NULL,
    timeout bigint NOT NULL,
    enabled boolean NOT NULL,
    disabled_reason text,
    secret text NOT NULL,
    previous_secret text,
    version integer NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
ALTER TABLE earlier.webhook_endpoint ALTER COLUMN "row" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME earlier.webhook_endpoint_row_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE earlier.webhook_event (
    "row" bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    conversation_id text COLLATE pg_catalog."C",
    at bigint NOT NULL,
    body text NOT NULL
);
ALTER TABLE earlier.webhook_event ALTER COLUMN "row" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME earlier.webhook_event_row_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
INSERT INTO earlier.account VALUES ('ws-s00000000001', 'acme', 'Acme', 1767225600000);
INSERT INTO earlier.account_name VALUES ('acme');
INSERT INTO earlier.account_name VALUES ('ws-s00000000001');
INSERT INTO earlier.agent OVERRIDING SYSTEM VALUE VALUES (1, 'PROJECT-s00000000004', 'ws-s00000000001', 'Front desk', 1767225600000, 1767225600000, 1, 1);
INSERT INTO earlier.agent_id VALUES ('PROJECT-s00000000004', 'ws-s00000000001', NULL);
INSERT INTO earlier.audit_entry OVERRIDING SYSTEM VALUE VALUES (1, 'AUDIT-s00000000002', 1767225600000, 'library', NULL, '', 'account.created', 'ws-s00000000001', NULL, 'account', 'ws-s00000000001', '{"slug":"acme","name":"Acme"}', NULL);
INSERT INTO earlier.audit_entry OVERRIDING SYSTEM VALUE VALUES (2, 'AUDIT-s00000000005', 1767225600000, 'library', NULL, '', 'agent.created', 'ws-s00000000001', 'PROJECT-s00000000004', 'agent', 'PROJECT-s00000000004', '{"name":"Front desk"}', NULL);
INSERT INTO earlier.audit_entry OVERRIDING SYSTEM VALUE VALUES (3, 'AUDIT-s00000000007', 1767225600000, 'library', NULL, '', 'deployment.published', 'ws-s00000000001', 'PROJECT-s00000000004', 'deployment', 'DEPLOYMENT-s00000000006', '{"environment":"live","revision":1,"version":"46ef5e52e90ce18bce91b6ee799e3e6c12990b87fa7ee2b8e6ea4aba9794aa17"}', NULL);
INSERT INTO earlier.audit_entry OVERRIDING SYSTEM VALUE VALUES (4, 'AUDIT-s00000000009', 1767225600000, 'library', NULL, '', 'connector.created', 'ws-s00000000001', 'PROJECT-s00000000004', 'connector', 'CONNECTOR-s00000000008', '{"name":"","environment":"live","hosts":["example.com"],"variantId":null,"expiresAt":null,"handoff":{"mode":"server","queueName":"reception","timeoutSeconds":300}}', NULL);
INSERT INTO earlier.branch OVERRIDING SYSTEM VALUE VALUES (1, 1, 'main', 'main', 1, 1, 1767225600000, 1767225600000);
INSERT INTO earlier.connector VALUES ('CONNECTOR-s00000000008', 'messaging', 'e04eb010ebf423d1a554902195b75d7d843557065632bcc357dfe4e14248d30e', 'connecto', '', 'ws-s00000000001', 'PROJECT-s00000000004', 'live', '["example.com"]', NULL, '{"mode":"server","queueName":"reception","timeoutSeconds":300}', '{}', 1767225600000, NULL, NULL, 1767225600000, '[]');
INSERT INTO earlier.conversation VALUES (1, '00000000-0000-4000-8000-000000000003', 1, true, true, 1767225600000, NULL, 3, 1, 'CHAT', 'en-GB', '', 6854, '{"id":"00000000-0000-4000-8000-000000000003","kind":"messaging","accountId":"ws-s00000000001","agentId":"PROJECT-s00000000004","environment":"live","listed":true,"connectorId":"CONNECTOR-s00000000008","testCaseId":null,"tokenHash":"dbb102dd9a7f7ad0f8d434aa0f7e8556c0a8d8ead97cabe05a08b8f5e014efba","startedAt":1767225600000,"lastAt":1767225600000,"endedAt":null,"endReason":null,"sequence":1,"bytes":197,"owner":"unassigned","greeted":false,"streaming":false,"deploymentId":"DEPLOYMENT-s00000000006","revision":1,"agentName":"Front desk","agentAvatarUrl":"","idleTimeout":600000,"idleWarning":60000,"idleWarned":false,"seenAt":1767225600000,"turn":null,"pending":[],"chat":null,"text":null,"failure":null,"handoffSettings":{"mode":"server","queueName":"reception","timeoutSeconds":300},"handoffs":0,"handoff":null,"handedOff":null,"deliveries":[],"deliveryNumber":0,"deliveryUntil":null,"awaiting":[],"externalCheckAt":null,"variables":{},"metrics":{},"integrationAttributes":{},"visitor":null,"verifiedContext":null,"setAttributes":{},"asrLanguage":null,"ttsLanguage":null,"record":{"channel":"CHAT","direction":"inbound","language":"en-GB","fromNumber":"","toNumber":"","variantId":"VARIANT-s00000000003","variantName":"default","turns":0,"silences":0,"outOfDomain":0,"handoff":false,"handoffReason":"","handoffDestination":"","aiDuration":0,"aiSince":null}}', NULL, NULL, NULL, NULL);
INSERT INTO earlier.conversation VALUES (2, '00000000-0000-4000-8000-000000000008', 1, true, true, 1767225600000, NULL, 3, 1, 'CHAT', 'en-GB', '', 6855, '{"id":"00000000-0000-4000-8000-000000000008","kind":"messaging","accountId":"ws-s00000000001","agentId":"PROJECT-s00000000004","environment":"live","listed":true,"connectorId":"CONNECTOR-s00000000008","testCaseId":null,"tokenHash":"0a217368f75ae46e91607bf24b80ea8da2f4ccb069a85cb2c176493ea36a504e","startedAt":1767225600000,"lastAt":1767225600000,"endedAt":null,"endReason":null,"sequence":1,"bytes":197,"owner":"unassigned","greeted":false,"streaming":false,"deploymentId":"DEPLOYMENT-s00000000006","revision":1,"agentName":"Front desk","agentAvatarUrl":"","idleTimeout":600000,"idleWarning":60000,"idleWarned":false,"seenAt":1767225600000,"turn":null,"pending":[],"chat":null,"text":null,"failure":null,"handoffSettings":{"mode":"server","queueName":"reception","timeoutSeconds":300},"handoffs":0,"handoff":null,"handedOff":null,"deliveries":[],"deliveryNumber":0,"deliveryUntil":null,"awaiting":[],"externalCheckAt":null,"variables":{},"metrics":{},"integrationAttributes":{},"visitor":null,"verifiedContext":null,"setAttributes":{},"asrLanguage":null,"ttsLanguage":null,"record":{"channel":"CHAT","direction":"inbound","language":"en-GB","fromNumber":"","toNumber":"","variantId":"VARIANT-s00000000003","variantName":"default","turns":0,"silences":0,"outOfDomain":0,"handoff":false,"handoffReason":"","handoffDestination":"","aiDuration":0,"aiSince":null}}', NULL, NULL, NULL, NULL);
INSERT INTO earlier.conversation VALUES (3, '00000000-0000-4000-8000-000000000027', 1, true, true, 1767225600000, NULL, 3, 1, 'CHAT', 'en-GB', '', 6865, '{"id":"00000000-0000-4000-8000-000000000027","kind":"messaging","accountId":"ws-s00000000001","agentId":"PROJECT-s00000000004","environment":"live","listed":true,"connectorId":"CONNECTOR-s00000000008","testCaseId":null,"tokenHash":"b334f2eaefc8b456b10c19ee0aecc20231cc094f8ffb340817a289322ee1f839","startedAt":1767225600000,"lastAt":1767225600000,"endedAt":null,"endReason":null,"sequence":1,"bytes":197,"owner":"unassigned","greeted":false,"streaming":false,"deploymentId":"DEPLOYMENT-s00000000006","revision":1,"agentName":"Front desk","agentAvatarUrl":"","idleTimeout":600000,"idleWarning":60000,"idleWarned":false,"seenAt":1767225600000,"turn":null,"pending":[],"chat":null,"text":null,"failure":null,"handoffSettings":{"mode":"server","queueName":"reception","timeoutSeconds":300},"handoffs":0,"handoff":null,"handedOff":null,"deliveries":[],"deliveryNumber":0,"deliveryUntil":null,"awaiting":[],"externalCheckAt":null,"variables":{},"metrics":{},"integrationAttributes":{},"visitor":null,"verifiedContext":null,"setAttributes":{},"asrLanguage":null,"ttsLanguage":null,"record":{"channel":"CHAT","direction":"inbound","language":"en-GB","fromNumber":"","toNumber":"","variantId":"VARIANT-s00000000003","variantName":"default","turns":0,"silences":0,"outOfDomain":0,"handoff":false,"handoffReason":"","handoffDestination":"","aiDuration":0,"aiSince":null}}', NULL, NULL, NULL, NULL);
INSERT INTO earlier.conversation VALUES (4, '00000000-0000-4000-8000-000000000054', 1, true, true, 1767225600000, 1767225600000, 0, 1, 'CHAT', 'en-GB', '', 6872, '{"id":"00000000-0000-4000-8000-000000000054","kind":"messaging","accountId":"ws-s00000000001","agentId":"PROJECT-s00000000004","environment":"live","listed":true,"connectorId":"CONNECTOR-s00000000008","testCaseId":null,"tokenHash":"17848da3225125b478719a6729180129c0c98dfe6c7db7b668686db80b81398b","startedAt":1767225600000,"lastAt":1767225600000,"endedAt":1767225600000,"endReason":"REASON_USER_END","sequence":8,"bytes":2004,"owner":"nobody","greeted":true,"streaming":false,"deploymentId":"DEPLOYMENT-s00000000006","revision":1,"agentName":"Front desk","agentAvatarUrl":"","idleTimeout":600000,"idleWarning":60000,"idleWarned":false,"seenAt":1767225600000,"turn":null,"pending":[],"chat":null,"text":null,"failure":null,"handoffSettings":{"mode":"server","queueName":"reception","timeoutSeconds":300},"handoffs":0,"handoff":null,"handedOff":null,"deliveries":[],"deliveryNumber":0,"deliveryUntil":null,"awaiting":[],"externalCheckAt":null,"variables":{},"metrics":{},"integrationAttributes":{},"visitor":null,"verifiedContext":null,"setAttributes":{},"asrLanguage":null,"ttsLanguage":null,"record":{"channel":"CHAT","direction":"inbound","language":"en-GB","fromNumber":"","toNumber":"","variantId":"VARIANT-s00000000003","variantName":"default","turns":2,"silences":0,"outOfDomain":0,"handoff":false,"handoffReason":"","handoffDestination":"","aiDuration":0,"aiSince":null}}', '{"id":"00000000-0000-4000-8000-000000000054","account_id":"ws-s00000000001","project_id":"PROJECT-s00000000004","variant_id":"VARIANT-s00000000003","variant_name":"default","environment":"live","started_at":"2026-01-01T00:00:00.000Z","channel":"CHAT","from_number":"","to_number":"","in_progress":false,"num_turns":2,"total_duration":0,"ai_duration":0,"handoff":false,"handoff_reason":"","handoff_destination":"","num_silences":0,"num_ood":0,"metrics":{},"state":{}}', '{"finished_at":"2026-01-01T00:00:00.000Z","language":"en-GB","deployment_id":"DEPLOYMENT-s00000000006","direction":"inbound"}', NULL, NULL);
INSERT INTO earlier.conversation_head OVERRIDING SYSTEM VALUE VALUES (1, '00000000-0000-4000-8000-000000000003', 1, 1, 0, 0, false, 1, NULL);
INSERT INTO earlier.conversation_head OVERRIDING SYSTEM VALUE VALUES (2, '00000000-0000-4000-8000-000000000008', 5, 6, 2, 595, false, 1, '{"sequence":6,"bytes":1837,"owner":"ai_agent","greeted":true,"record":{"turns":2,"aiSince":1767225600000}}');
INSERT INTO earlier.conversation_head OVERRIDING SYSTEM VALUE VALUES (4, '00000000-0000-4000-8000-000000000054', 6, 8, 2, 593, true, 1, NULL);
INSERT INTO earlier.conversation_head OVERRIDING SYSTEM VALUE VALUES (3, '00000000-0000-4000-8000-000000000027', 7, 9, 2, 603, false, 1, '{"sequence":9,"bytes":2143,"owner":"queue","greeted":true,"handoffs":1,"handoff":{"id":"00000000-0000-4000-8000-000000000027.1","status":"waiting","queueName":"reception","reason":"Asked for.","destination":"reception","requestedAt":1767225600000,"timeoutAt":1767225900000,"liveAgent":null,"acceptedBy":null,"attendedUntil":null},"handedOff":{"data":{"destination":"reception","reason":"Asked for."},"sharedId":null,"at":1767225600000},"deliveryNumber":1,"record":{"turns":2,"handoff":true,"handoffReason":"Asked for.","handoffDestination":"reception"}}');
INSERT INTO earlier.conversation_timer VALUES (1, 1767226140000, 0);
INSERT INTO earlier.conversation_timer VALUES (2, 1767226140000, 0);
INSERT INTO earlier.conversation_timer VALUES (3, 1767225900000, 0);
INSERT INTO earlier.deployment VALUES (1, 1, 'DEPLOYMENT-s00000000006', 'ws-s00000000001', 'live', 1, '46ef5e52e90ce18bce91b6ee799e3e6c12990b87fa7ee2b8e6ea4aba9794aa17', 'publish', '', 'library', 1767225600000);
INSERT INTO earlier.event VALUES (1, 1, '{"id":"00000000-0000-4000-8000-000000000004","at":1767225600000,"type":"SESSION_START","custom":null,"clientEventId":null}', '{"capabilities":{"streaming":false,"max_message_size_bytes":131072,"max_reconnect_attempts":5,"heartbeat_interval_seconds":30}}');
INSERT INTO earlier.event VALUES (2, 1, '{"id":"00000000-0000-4000-8000-000000000009","at":1767225600000,"type":"SESSION_START","custom":null,"clientEventId":null}', '{"capabilities":{"streaming":false,"max_message_size_bytes":131072,"max_reconnect_attempts":5,"heartbeat_interval_seconds":30}}');
INSERT INTO earlier.event VALUES (2, 2, '{"id":"00000000-0000-4000-8000-000000000013","at":1767225600000,"type":"REQUEST_AI_AGENT_JOIN","custom":null,"clientEventId":null}', '{}');
INSERT INTO earlier.event VALUES (2, 3, '{"id":"00000000-0000-4000-8000-000000000014","at":1767225600000,"type":"AI_AGENT_JOINED","custom":null,"clientEventId":null}', '{"agent_name":"Front desk","agent_avatar_url":"","avatar":""}');
INSERT INTO earlier.event VALUES (2, 4, '{"id":"00000000-0000-4000-8000-000000000018","at":1767225600000,"type":"AI_AGENT_MESSAGE","custom":null,"clientEventId":null}', '{"message_id":"00000000-0000-4000-8000-000000000016","attachments":[],"response_suggestions":[],"text":"Welcome.","agent_name":"Front desk"}');
INSERT INTO earlier.event VALUES (2, 5, '{"id":"00000000-0000-4000-8000-000000000020","at":1767225600000,"type":"USER_MESSAGE","custom":null,"clientEventId":null}', '{"message_id":"00000000-0000-4000-8000-000000000019","text":"hello"}');
INSERT INTO earlier.event VALUES (2, 6, '{"id":"00000000-0000-4000-8000-000000000024","at":1767225600000,"type":"AI_AGENT_MESSAGE","custom":null,"clientEventId":null}', '{"message_id":"00000000-0000-4000-8000-000000000022","attachments":[],"response_suggestions":[],"text":"Yes.","agent_name":"Front desk"}');
INSERT INTO earlier.event VALUES (3, 1, '{"id":"00000000-0000-4000-8000-000000000028","at":1767225600000,"type":"SESSION_START","custom":null,"clientEventId":null}', '{"capabilities":{"streaming":false,"max_message_size_bytes":131072,"max_reconnect_attempts":5,"heartbeat_interval_seconds":30}}');
INSERT INTO earlier.event VALUES (3, 2, '{"id":"00000000-0000-4000-8000-000000000032","at":1767225600000,"type":"REQUEST_AI_AGENT_JOIN","custom":null,"clientEventId":null}', '{}');
INSERT INTO earlier.event VALUES (3, 3, '{"id":"00000000-0000-4000-8000-000000000033","at":1767225600000,"type":"AI_AGENT_JOINED","custom":null,"clientEventId":null}', '{"agent_name":"Front desk","agent_avatar_url":"","avatar":""}');
INSERT INTO earlier.event VALUES (3, 4, '{"id":"00000000-0000-4000-8000-000000000037","at":1767225600000,"type":"AI_AGENT_MESSAGE","custom":null,"clientEventId":null}', '{"message_id":"00000000-0000-4000-8000-000000000035","attachments":[],"response_suggestions":[],"text":"Welcome.","agent_name":"Front desk"}');
INSERT INTO earlier.event VALUES (3, 5, '{"id":"00000000-0000-4000-8000-000000000039","at":1767225600000,"type":"USER_MESSAGE","custom":null,"clientEventId":null}', '{"message_id":"00000000-0000-4000-8000-000000000038","text":"person"}');
INSERT INTO earlier.event VALUES (3, 6, '{"id":"00000000-0000-4000-8000-000000000043","at":1767225600000,"type":"AI_AGENT_MESSAGE","custom":null,"clientEventId":null}', '{"message_id":"00000000-0000-4000-8000-000000000041","attachments":[],"response_suggestions":[],"text":"One moment.","agent_name":"Front desk"}');
INSERT INTO earlier.event VALUES (3, 7, '{"id":"00000000-0000-4000-8000-000000000044","at":1767225600000,"type":"AI_AGENT_TRIGGERED_HANDOFF","custom":null,"clientEventId":null}', '{}');
INSERT INTO earlier.event VALUES (3, 8, '{"id":"00000000-0000-4000-8000-000000000045","at":1767225600000,"type":"AI_AGENT_LEFT","custom":null,"clientEventId":null}', '{}');
INSERT INTO earlier.event VALUES (3, 9, '{"id":"00000000-0000-4000-8000-000000000048","at":1767225600000,"type":"HANDOFF_ACCEPTED","custom":null,"clientEventId":null}', '{"queue_name":"reception"}');
INSERT INTO earlier.event VALUES (4, 1, '{"id":"00000000-0000-4000-8000-000000000055","at":1767225600000,"type":"SESSION_START","custom":null,"clientEventId":null}', '{"capabilities":{"streaming":false,"max_message_size_bytes":131072,"max_reconnect_attempts":5,"heartbeat_interval_seconds":30}}');
INSERT INTO earlier.event VALUES (4, 2, '{"id":"00000000-0000-4000-8000-000000000059","at":1767225600000,"type":"REQUEST_AI_AGENT_JOIN","custom":null,"clientEventId":null}', '{}');
INSERT INTO earlier.event VALUES (4, 3, '{"id":"00000000-0000-4000-8000-000000000060","at":1767225600000,"type":"AI_AGENT_JOINED","custom":null,"clientEventId":null}', '{"agent_name":"Front desk","agent_avatar_url":"","avatar":""}');
INSERT INTO earlier.event VALUES (4, 4, '{"id":"00000000-0000-4000-8000-000000000064","at":1767225600000,"type":"AI_AGENT_MESSAGE","custom":null,"clientEventId":null}', '{"message_id":"00000000-0000-4000-8000-000000000062","attachments":[],"response_suggestions":[],"text":"Welcome.","agent_name":"Front desk"}');
INSERT INTO earlier.event VALUES (4, 5, '{"id":"00000000-0000-4000-8000-000000000066","at":1767225600000,"type":"USER_MESSAGE","custom":null,"clientEventId":null}', '{"message_id":"00000000-0000-4000-8000-000000000065","text":"bye"}');
INSERT INTO earlier.event VALUES (4, 6, '{"id":"00000000-0000-4000-8000-000000000070","at":1767225600000,"type":"AI_AGENT_MESSAGE","custom":null,"clientEventId":null}', '{"message_id":"00000000-0000-4000-8000-000000000068","attachments":[],"response_suggestions":[],"text":"Yes.","agent_name":"Front desk"}');
INSERT INTO earlier.event VALUES (4, 7, '{"id":"00000000-0000-4000-8000-000000000072","at":1767225600000,"type":"USER_END_SESSION","custom":null,"clientEventId":null}', '{}');
INSERT INTO earlier.event VALUES (4, 8, '{"id":"00000000-0000-4000-8000-000000000073","at":1767225600000,"type":"SESSION_END","custom":null,"clientEventId":null}', '{"reason":"REASON_USER_END"}');
INSERT INTO earlier.handoff VALUES (3, 1, '00000000-0000-4000-8000-000000000027', 'ws-s00000000001', '00000000-0000-4000-8000-000000000027.1', 'waiting', 'reception', 1767225600000);
INSERT INTO earlier.resource VALUES (1, 'behavior', '', 1, NULL, '{"behavior":""}');
INSERT INTO earlier.resource VALUES (1, 'response_settings', '', 1, NULL, '{"greeting":"Welcome.","languageCode":"en-GB","voiceId":null,"modelId":null}');
INSERT INTO earlier.resource VALUES (1, 'variants', 'VARIANT-s00000000003', 1, 'default', '{"name":"default","isDefault":true,"attributeValues":{}}');
INSERT INTO earlier.revision VALUES (1, 1, '46ef5e52e90ce18bce91b6ee799e3e6c12990b87fa7ee2b8e6ea4aba9794aa17', 147, 1767225600000);
INSERT INTO earlier.schema_migration VALUES (1, 'initial', '2026-11-27 23:40:11.483128+00');
INSERT INTO earlier.schema_migration VALUES (2, 'interval-blocks', '2026-11-27 23:40:11.978448+00');
INSERT INTO earlier.schema_migration VALUES (3, 'context-keys', '2026-11-27 23:40:12.001444+00');
INSERT INTO earlier.schema_migration VALUES (4, 'alerts', '2026-11-27 23:40:12.005462+00');
INSERT INTO earlier.schema_migration VALUES (5, 'phone-numbers', '2026-11-27 23:40:12.057291+00');
INSERT INTO earlier.schema_migration VALUES (6, 'text-pairs', '2026-11-27 23:40:12.077438+00');
INSERT INTO earlier.schema_migration VALUES (7, 'shared-ids', '2026-11-27 23:40:12.101439+00');
INSERT INTO earlier.schema_migration VALUES (8, 'replays', '2026-11-27 23:40:12.109356+00');
INSERT INTO earlier.schema_migration VALUES (9, 'message-keys', '2026-11-27 23:40:12.120586+00');
INSERT INTO earlier.schema_migration VALUES (10, 'pooled-numbers', '2026-11-27 23:40:12.165711+00');
INSERT INTO earlier.schema_migration VALUES (11, 'outbound-calls', '2026-11-27 23:40:12.185413+00');
INSERT INTO earlier.schema_migration VALUES (12, 'voices', '2026-11-27 23:40:12.209444+00');
INSERT INTO earlier.schema_migration VALUES (13, 'cached-audio', '2026-11-27 23:40:12.225779+00');
INSERT INTO earlier.schema_migration VALUES (14, 'webhook-exchanges', '2026-11-27 23:40:12.249379+00');
INSERT INTO earlier.scope OVERRIDING SYSTEM VALUE VALUES (1, 'ws-s00000000001', 'PROJECT-s00000000004', 'live');
INSERT INTO earlier.secret VALUES ('token-secret', 'secret-00000000000000000000000000000001');
INSERT INTO earlier.token_key VALUES (1, 's00000000010', 'secret-00000000000000000000000000000001', 1767225600000, NULL);
INSERT INTO earlier.turn OVERRIDING SYSTEM VALUE VALUES (1, 2, 1, '{"user_input":"","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"Welcome.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}', '{"turn_id":"00000000-0000-4000-8000-000000000012","deployment_id":"DEPLOYMENT-s00000000006","input_type":"greeting"}', '{1:awelcome}');
INSERT INTO earlier.turn OVERRIDING SYSTEM VALUE VALUES (2, 2, 2, '{"user_input":"hello","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"Yes.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}', '{"turn_id":"00000000-0000-4000-8000-000000000019","deployment_id":"DEPLOYMENT-s00000000006","input_type":"message"}', '{1:uhello,1:ayes}');
INSERT INTO earlier.turn OVERRIDING SYSTEM VALUE VALUES (3, 3, 1, '{"user_input":"","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"Welcome.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}', '{"turn_id":"00000000-0000-4000-8000-000000000031","deployment_id":"DEPLOYMENT-s00000000006","input_type":"greeting"}', '{1:awelcome}');
INSERT INTO earlier.turn OVERRIDING SYSTEM VALUE VALUES (4, 3, 2, '{"user_input":"person","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"One moment.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}', '{"turn_id":"00000000-0000-4000-8000-000000000038","deployment_id":"DEPLOYMENT-s00000000006","input_type":"message","handoff_destination":"reception"}', '{1:uperson,1:aone,1:amoment}');
INSERT INTO earlier.turn OVERRIDING SYSTEM VALUE VALUES (5, 4, 1, '{"user_input":"","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"Welcome.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}', '{"turn_id":"00000000-0000-4000-8000-000000000058","deployment_id":"DEPLOYMENT-s00000000006","input_type":"greeting"}', '{1:awelcome}');
INSERT INTO earlier.turn OVERRIDING SYSTEM VALUE VALUES (6, 4, 2, '{"user_input":"bye","user_input_dtmf":"","user_input_datetime":"2026-01-01T00:00:00.000Z","agent_response":"Yes.","agent_response_datetime":"2026-01-01T00:00:00.000Z","latency":0,"translated_user_input":"","english_agent_response":"","intents":[],"entities":[],"is_ood":false,"is_silence":false}', '{"turn_id":"00000000-0000-4000-8000-000000000065","deployment_id":"DEPLOYMENT-s00000000006","input_type":"message"}', '{1:ubye,1:ayes}');
INSERT INTO earlier.variant OVERRIDING SYSTEM VALUE VALUES (1, 'VARIANT-s00000000003', 'default', '["VARIANT-s00000000003","default"]');
SELECT pg_catalog.setval('earlier.agent_row_seq', 1, true);
SELECT pg_catalog.setval('earlier.alert_rule_row_seq', 1, false);
SELECT pg_catalog.setval('earlier.audit_entry_sequence_seq', 4, true);
SELECT pg_catalog.setval('earlier.branch_row_seq', 1, true);
SELECT pg_catalog.setval('earlier.conversation_head_row_seq', 4, true);
SELECT pg_catalog.setval('earlier.embedder_row_seq', 1, false);
SELECT pg_catalog.setval('earlier.handoff_place_seq', 1, true);
SELECT pg_catalog.setval('earlier.handoff_wait_row_seq', 1, false);
SELECT pg_catalog.setval('earlier.interval_block_row_seq', 1, false);
SELECT pg_catalog.setval('earlier.scope_row_seq', 1, true);
SELECT pg_catalog.setval('earlier.test_run_row_seq', 1, false);
SELECT pg_catalog.setval('earlier.turn_row_seq', 6, true);
SELECT pg_catalog.setval('earlier.variant_row_seq', 1, true);
SELECT pg_catalog.setval('earlier.webhook_endpoint_row_seq', 1, false);
SELECT pg_catalog.setval('earlier.webhook_event_row_seq', 1, false);
ALTER TABLE ONLY earlier.account_name
    ADD CONSTRAINT account_name_pkey PRIMARY KEY (name);
ALTER TABLE ONLY earlier.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);
ALTER TABLE ONLY earlier.agent
    ADD CONSTRAINT agent_id_key UNIQUE (id);
ALTER TABLE ONLY earlier.agent_id
    ADD CONSTRAINT agent_id_pkey PRIMARY KEY (id);
ALTER TABLE ONLY earlier.agent
    ADD CONSTRAINT agent_pkey PRIMARY KEY ("row");
ALTER TABLE ONLY earlier.alert_account
    ADD CONSTRAINT alert_account_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY earlier.alert_rule
    ADD CONSTRAINT alert_rule_id_key UNIQUE (id);
ALTER TABLE ONLY earlier.alert_rule
    ADD CONSTRAINT alert_rule_pkey PRIMARY KEY ("row");
ALTER TABLE ONLY earlier.api_key
    ADD CONSTRAINT api_key_hash_key UNIQUE (hash);
ALTER TABLE ONLY earlier.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY earlier.audit_entry
    ADD CONSTRAINT audit_entry_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY earlier.branch
    ADD CONSTRAINT branch_agent_id_key UNIQUE (agent, id);
ALTER TABLE ONLY earlier.branch_change
    ADD CONSTRAINT branch_change_pkey PRIMARY KEY (branch, kind, id);
ALTER TABLE ONLY earlier.branch
    ADD CONSTRAINT branch_pkey PRIMARY KEY ("row");
ALTER TABLE ONLY earlier.cached_audio
    ADD CONSTRAINT cached_audio_pkey PRIMARY KEY (id);
ALTER TABLE ONLY earlier.client_event
    ADD CONSTRAINT client_event_pkey PRIMARY KEY (conversation, client_event_id);
ALTER TABLE ONLY earlier.connector
    ADD CONSTRAINT connector_pkey PRIMARY KEY (id);
ALTER TABLE ONLY earlier.conversation_head
    ADD CONSTRAINT conversation_head_id_key UNIQUE (id);
ALTER TABLE ONLY earlier.conversation_head
    ADD CONSTRAINT conversation_head_pkey PRIMARY KEY ("row");
ALTER TABLE ONLY earlier.conversation
    ADD CONSTRAINT conversation_pkey PRIMARY KEY ("row");
ALTER TABLE ONLY earlier.conversation_timer
    ADD CONSTRAINT conversation_timer_pkey PRIMARY KEY (conversation);
ALTER TABLE ONLY earlier.counter
    ADD CONSTRAINT counter_pkey PRIMARY KEY (account_id, name, minute, agent_id, value);
ALTER TABLE ONLY earlier.deployment
    ADD CONSTRAINT deployment_agent_id_key UNIQUE (agent, id);
ALTER TABLE ONLY earlier.deployment
    ADD CONSTRAINT deployment_pkey PRIMARY KEY (agent, number);
ALTER TABLE ONLY earlier.embedded_turns
    ADD CONSTRAINT embedded_turns_pkey PRIMARY KEY (embedder, first);
ALTER TABLE ONLY earlier.embedder
    ADD CONSTRAINT embedder_id_key UNIQUE (id);
ALTER TABLE ONLY earlier.embedder
    ADD CONSTRAINT embedder_pkey PRIMARY KEY ("row");
ALTER TABLE ONLY earlier.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (conversation, sequence);
ALTER TABLE ONLY earlier.external_event
    ADD CONSTRAINT external_event_pkey PRIMARY KEY (event_id);
ALTER TABLE ONLY earlier.handoff
    ADD CONSTRAINT handoff_pkey PRIMARY KEY (conversation);
ALTER TABLE ONLY earlier.handoff_wait
    ADD CONSTRAINT handoff_wait_pkey PRIMARY KEY ("row");
ALTER TABLE ONLY earlier.interval_block
    ADD CONSTRAINT interval_block_pkey PRIMARY KEY ("row");
ALTER TABLE ONLY earlier.interval_block
    ADD CONSTRAINT interval_block_scope_span_stretch_key UNIQUE (scope, span, stretch);
ALTER TABLE ONLY earlier.message_key
    ADD CONSTRAINT message_key_pkey PRIMARY KEY (key);
ALTER TABLE ONLY earlier.outbound_call
    ADD CONSTRAINT outbound_call_pkey PRIMARY KEY (id);
ALTER TABLE ONLY earlier.phone_number
    ADD CONSTRAINT phone_number_pkey PRIMARY KEY (number);
ALTER TABLE ONLY earlier.pooled_number
    ADD CONSTRAINT pooled_number_pkey PRIMARY KEY (number);
ALTER TABLE ONLY earlier.real_time_config
    ADD CONSTRAINT real_time_config_pkey PRIMARY KEY (agent, environment);
ALTER TABLE ONLY earlier.resource
    ADD CONSTRAINT resource_pkey PRIMARY KEY (agent, kind, id, revision);
ALTER TABLE ONLY earlier.revision
    ADD CONSTRAINT revision_pkey PRIMARY KEY (agent, number);
ALTER TABLE ONLY earlier.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (version);
ALTER TABLE ONLY earlier.scope
    ADD CONSTRAINT scope_agent_id_account_id_environment_key UNIQUE (agent_id, account_id, environment);
ALTER TABLE ONLY earlier.scope
    ADD CONSTRAINT scope_pkey PRIMARY KEY ("row");
ALTER TABLE ONLY earlier.secret
    ADD CONSTRAINT secret_pkey PRIMARY KEY (name);
ALTER TABLE ONLY earlier.test_result
    ADD CONSTRAINT test_result_pkey PRIMARY KEY (run, test_case_id);
ALTER TABLE ONLY earlier.test_run
    ADD CONSTRAINT test_run_agent_id_key UNIQUE (agent, id);
ALTER TABLE ONLY earlier.test_run
    ADD CONSTRAINT test_run_pkey PRIMARY KEY ("row");
ALTER TABLE ONLY earlier.text_pair
    ADD CONSTRAINT text_pair_pkey PRIMARY KEY (ours, theirs);
ALTER TABLE ONLY earlier.token_key
    ADD CONSTRAINT token_key_id_key UNIQUE (id);
ALTER TABLE ONLY earlier.token_key
    ADD CONSTRAINT token_key_pkey PRIMARY KEY (number);
ALTER TABLE ONLY earlier.turn
    ADD CONSTRAINT turn_conversation_number_key UNIQUE (conversation, number);
ALTER TABLE ONLY earlier.turn
    ADD CONSTRAINT turn_pkey PRIMARY KEY ("row");
ALTER TABLE ONLY earlier.turn_vector
    ADD CONSTRAINT turn_vector_pkey PRIMARY KEY (embedder, turn);
ALTER TABLE ONLY earlier.variant
    ADD CONSTRAINT variant_key_key UNIQUE (key);
ALTER TABLE ONLY earlier.variant
    ADD CONSTRAINT variant_pkey PRIMARY KEY ("row");
ALTER TABLE ONLY earlier.voice
    ADD CONSTRAINT voice_pkey PRIMARY KEY (id);
ALTER TABLE ONLY earlier.waiting_line
    ADD CONSTRAINT waiting_line_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY earlier.webhook_account
    ADD CONSTRAINT webhook_account_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY earlier.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (event, endpoint);
ALTER TABLE ONLY earlier.webhook_endpoint
    ADD CONSTRAINT webhook_endpoint_id_key UNIQUE (id);
ALTER TABLE ONLY earlier.webhook_endpoint
    ADD CONSTRAINT webhook_endpoint_pkey PRIMARY KEY ("row");
ALTER TABLE ONLY earlier.webhook_event
    ADD CONSTRAINT webhook_event_id_key UNIQUE (id);
ALTER TABLE ONLY earlier.webhook_event
    ADD CONSTRAINT webhook_event_pkey PRIMARY KEY ("row");
CREATE INDEX account_by_time ON earlier.account USING btree (created_at, id);
CREATE INDEX agent_of_account ON earlier.agent USING btree (account_id, created_at, id);
CREATE INDEX alert_rule_of_account ON earlier.alert_rule USING btree (account_id, created_at, id);
CREATE INDEX alert_rule_of_agent ON earlier.alert_rule USING btree (agent_id) WHERE (agent_id IS NOT NULL);
CREATE INDEX api_key_by_time ON earlier.api_key USING btree (created_at, id);
CREATE INDEX api_key_of_account ON earlier.api_key USING btree (account_id, created_at, id);
CREATE INDEX api_key_of_agent ON earlier.api_key USING btree (agent_id, created_at, id);
CREATE INDEX audit_entry_by_time ON earlier.audit_entry USING btree (at, sequence);
CREATE INDEX audit_entry_of_account ON earlier.audit_entry USING btree (account_id, at, sequence);
CREATE INDEX audit_entry_of_action ON earlier.audit_entry USING btree (action, at, sequence);
CREATE INDEX audit_entry_of_agent ON earlier.audit_entry USING btree (agent_id, at, sequence);
CREATE INDEX audit_entry_of_resource ON earlier.audit_entry USING btree (resource_id, at, sequence);
CREATE INDEX cached_audio_by_time ON earlier.cached_audio USING btree (agent_id, cached_at, id);
CREATE INDEX cached_audio_of_account ON earlier.cached_audio USING btree (account_id, used_at, id);
CREATE INDEX connector_by_time ON earlier.connector USING btree (created_at, id) WHERE (kind = 'messaging'::text);
CREATE INDEX connector_of_account ON earlier.connector USING btree (account_id, created_at, id) WHERE (kind = 'messaging'::text);
CREATE INDEX connector_of_agent ON earlier.connector USING btree (agent_id, created_at, id) WHERE (kind = 'messaging'::text);
CREATE UNIQUE INDEX connector_token ON earlier.connector USING btree (token_hash) WHERE (kind = 'messaging'::text);
CREATE INDEX conversation_active ON earlier.conversation USING btree (scope, span, started_at) INCLUDE (finished_at, variant, place, "row") WHERE (listed AND counted);
CREATE INDEX conversation_finished ON earlier.conversation USING btree (scope, finished_at, id) WHERE (finished_at IS NOT NULL);
CREATE INDEX conversation_listed ON earlier.conversation USING btree (scope, started_at, id) WHERE listed;
CREATE INDEX conversation_open ON earlier.conversation USING btree (scope) WHERE (finished_at IS NULL);
CREATE INDEX conversation_shared ON earlier.conversation USING btree (shared_id, scope, shared_at) WHERE (shared_id IS NOT NULL);
CREATE INDEX conversation_timer_due ON earlier.conversation_timer USING btree (wake_at);
CREATE INDEX counter_by_minute ON earlier.counter USING btree (minute);
CREATE INDEX deployment_of_environment ON earlier.deployment USING btree (agent, environment, number);
CREATE INDEX external_event_of_conversation ON earlier.external_event USING btree (conversation, pending);
CREATE INDEX handoff_list ON earlier.handoff USING btree (account_id, status, place);
CREATE INDEX handoff_wait_of_queue ON earlier.handoff_wait USING btree (account_id, queue_name, joined_at);
CREATE INDEX message_key_of_conversation ON earlier.message_key USING btree (conversation);
CREATE INDEX message_key_taken ON earlier.message_key USING btree (taken_at);
CREATE INDEX outbound_call_due ON earlier.outbound_call USING btree (due_at);
CREATE INDEX outbound_call_of_agent ON earlier.outbound_call USING btree (agent_id);
CREATE INDEX phone_number_of_agent ON earlier.phone_number USING btree (agent_id, number);
CREATE INDEX phone_number_of_connector ON earlier.phone_number USING btree (connector_id, number) WHERE (connector_id IS NOT NULL);
CREATE INDEX pooled_number_by_freedom ON earlier.pooled_number USING btree (agent_id, free_from, number);
CREATE INDEX pooled_number_of_agent ON earlier.pooled_number USING btree (agent_id, number);
CREATE INDEX resource_change ON earlier.resource USING btree (agent, revision);
CREATE INDEX resource_named ON earlier.resource USING btree (agent, name) WHERE (name IS NOT NULL);
CREATE INDEX telephony_connector_of_agent ON earlier.connector USING btree (agent_id, created_at, id) WHERE (kind = 'telephony'::text);
CREATE INDEX test_result_case ON earlier.test_result USING btree (test_case_id);
CREATE INDEX test_run_due ON earlier.test_run USING btree (lease_until, id) WHERE (status = 'running'::text);
CREATE INDEX test_run_list ON earlier.test_run USING btree (agent, started_at, id);
CREATE INDEX text_pair_of_agent ON earlier.text_pair USING btree (agent_id);
CREATE INDEX turn_vector_of_conversation ON earlier.turn_vector USING btree (conversation, embedder, turn);
CREATE INDEX turn_words ON earlier.turn USING gin (words);
CREATE INDEX voice_of_account ON earlier.voice USING btree (account_id, created_at, id);
CREATE INDEX webhook_delivery_by_status ON earlier.webhook_delivery USING btree (endpoint, status, created_at, event_id);
CREATE INDEX webhook_delivery_due ON earlier.webhook_delivery USING btree (endpoint, due_at, event_id) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_delivery_list ON earlier.webhook_delivery USING btree (endpoint, created_at, event_id);
CREATE INDEX webhook_endpoint_of_account ON earlier.webhook_endpoint USING btree (account_id, created_at, id);
CREATE INDEX webhook_event_by_time ON earlier.webhook_event USING btree (at, id);
CREATE INDEX webhook_event_of_conversation ON earlier.webhook_event USING btree (conversation_id) WHERE (conversation_id IS NOT NULL);
CREATE TRIGGER interval_added AFTER INSERT ON earlier.conversation FOR EACH ROW WHEN ((new.listed AND new.counted AND (new.span < 3))) EXECUTE FUNCTION earlier.forget_interval_block();
CREATE TRIGGER interval_changed AFTER UPDATE ON earlier.conversation FOR EACH ROW WHEN ((((old.listed AND old.counted AND (old.span < 3)) OR (new.listed AND new.counted AND (new.span < 3))) AND ((old.scope IS DISTINCT FROM new.scope) OR (old.listed IS DISTINCT FROM new.listed) OR (old.counted IS DISTINCT FROM new.counted) OR (old.span IS DISTINCT FROM new.span) OR (old.started_at IS DISTINCT FROM new.started_at) OR (old.finished_at IS DISTINCT FROM new.finished_at) OR (old.variant IS DISTINCT FROM new.variant) OR (old.language IS DISTINCT FROM new.language) OR (old.to_number IS DISTINCT FROM new.to_number)))) EXECUTE FUNCTION earlier.forget_interval_block();
CREATE TRIGGER interval_removed AFTER DELETE ON earlier.conversation FOR EACH ROW WHEN ((old.listed AND old.counted AND (old.span < 3))) EXECUTE FUNCTION earlier.forget_interval_block();
CREATE TRIGGER keep_audit_entry BEFORE DELETE OR UPDATE ON earlier.audit_entry FOR EACH ROW EXECUTE FUNCTION earlier.keep_audit_entry();
ALTER TABLE ONLY earlier.branch
    ADD CONSTRAINT branch_agent_fkey FOREIGN KEY (agent) REFERENCES earlier.agent("row") ON DELETE CASCADE;
ALTER TABLE ONLY earlier.branch_change
    ADD CONSTRAINT branch_change_branch_fkey FOREIGN KEY (branch) REFERENCES earlier.branch("row") ON DELETE CASCADE;
ALTER TABLE ONLY earlier.deployment
    ADD CONSTRAINT deployment_agent_fkey FOREIGN KEY (agent) REFERENCES earlier.agent("row") ON DELETE CASCADE;
ALTER TABLE ONLY earlier.embedded_turns
    ADD CONSTRAINT embedded_turns_embedder_fkey FOREIGN KEY (embedder) REFERENCES earlier.embedder("row") ON DELETE CASCADE;
ALTER TABLE ONLY earlier.external_event
    ADD CONSTRAINT external_event_conversation_fkey FOREIGN KEY (conversation) REFERENCES earlier.conversation_head("row") ON DELETE CASCADE;
ALTER TABLE ONLY earlier.message_key
    ADD CONSTRAINT message_key_conversation_fkey FOREIGN KEY (conversation) REFERENCES earlier.conversation_head("row") ON DELETE CASCADE;
ALTER TABLE ONLY earlier.real_time_config
    ADD CONSTRAINT real_time_config_agent_fkey FOREIGN KEY (agent) REFERENCES earlier.agent("row") ON DELETE CASCADE;
ALTER TABLE ONLY earlier.resource
    ADD CONSTRAINT resource_agent_fkey FOREIGN KEY (agent) REFERENCES earlier.agent("row") ON DELETE CASCADE;
ALTER TABLE ONLY earlier.revision
    ADD CONSTRAINT revision_agent_fkey FOREIGN KEY (agent) REFERENCES earlier.agent("row") ON DELETE CASCADE;
ALTER TABLE ONLY earlier.test_result
    ADD CONSTRAINT test_result_run_fkey FOREIGN KEY (run) REFERENCES earlier.test_run("row") ON DELETE CASCADE;
ALTER TABLE ONLY earlier.test_run
    ADD CONSTRAINT test_run_agent_fkey FOREIGN KEY (agent) REFERENCES earlier.agent("row") ON DELETE CASCADE;
ALTER TABLE ONLY earlier.webhook_delivery
    ADD CONSTRAINT webhook_delivery_endpoint_fkey FOREIGN KEY (endpoint) REFERENCES earlier.webhook_endpoint("row") ON DELETE CASCADE;
ALTER TABLE ONLY earlier.webhook_delivery
    ADD CONSTRAINT webhook_delivery_event_fkey FOREIGN KEY (event) REFERENCES earlier.webhook_event("row") ON DELETE CASCADE;
