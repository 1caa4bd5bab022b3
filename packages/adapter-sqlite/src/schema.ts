import type { Generated } from 'kysely'

/** The tables as the newest migration leaves them. Times are milliseconds since the epoch; JSON is kept as text. */
export interface Schema {
  accounts: { id: string; slug: string; name: string; created_at: number }
  api_keys: {
    id: string
    hash: string
    account_id: string | null
    created_at: number
    revoked_at: number | null
    value: string
  }
  connectors: { id: string; token_hash: string; account_id: string; created_at: number; value: string }
  secrets: { name: string; value: string }

  agents: { id: string; account_id: string; name: string; created_at: number; updated_at: number }
  revisions: { agent_id: string; number: number; content_hash: string; created_at: number }
  resources: {
    key: Generated<number>
    agent_id: string
    kind: string
    resource_id: string
    revision: number
    name: string | null
    value: string | null
  }
  branches: {
    agent_id: string
    id: string
    name: string
    base_revision: number
    version: number
    created_at: number
    updated_at: number
  }
  branch_changes: {
    agent_id: string
    branch_id: string
    kind: string
    resource_id: string
    value: string | null
  }
  deployments: { agent_id: string; number: number; id: string; environment: string; value: string }

  conversations: {
    key: Generated<number>
    id: string
    account_id: string
    agent_id: string
    environment: string
    listed: number
    started_at: number
    finished_at: number | null
    variant_id: string | null
    variant_name: string | null
    channel: string
    language: string | null
    from_number: string
    to_number: string
    handoff_id: string | null
    handoff_status: string | null
    handoff_queue: string | null
    handoff_since: number | null
    wake_at: number | null
    version: number
    sequence: number
    last_event: number | null
    last_turn: number | null
    state: string
    summary: string
    details: string
    /** The turns as one JSON array, once the conversation has finished. */
    turns: string | null
  }
  events: {
    key: Generated<number>
    previous: number | null
    sequence: number
    id: string
    at: number
    type: string
    payload: string
    custom: string | null
    client_event_id: string | null
  }
  client_events: { conversation: number; client_event_id: string; sequence: number }
  turns: { key: Generated<number>; previous: number | null; record: string; details: string }
  external_events: {
    event_id: string
    conversation_id: string
    account_id: string
    agent_id: string
    content_type: string | null
    body: Uint8Array | null
    received_at: number | null
    /** Order of arrival, of those that were not handed over yet; null otherwise. */
    pending: number | null
  }
}
