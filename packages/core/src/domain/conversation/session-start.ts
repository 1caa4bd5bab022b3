import type { MachineRules } from './draft.ts'
import type { EventPayloads } from './event-payloads.ts'
import type { ConversationState } from './state.ts'

/** Returns the payload of a conversation's `SESSION_START`: what it can do. */
export const startPayload = (
  { kind, streaming }: Pick<ConversationState, 'kind' | 'streaming'>,
  { files, heartbeatSeconds, messageBytes }: MachineRules,
): EventPayloads['SESSION_START'] => ({
  capabilities: {
    streaming,
    max_message_size_bytes: messageBytes,
    max_reconnect_attempts: 5,
    heartbeat_interval_seconds: heartbeatSeconds,
    ...(files != null && kind === 'messaging' ? { files } : {}),
  },
})
