import type { ConnectorId, ConversationId } from '../../domain/ids.ts'
import { createLastUsed } from '../shared/last-used.ts'

/** The calls that visitors of this process have named as theirs, those named last. */
export interface CallLinks {
  link(connectorId: ConnectorId, callSid: string, sessionId: ConversationId): void
  find(connectorId: ConnectorId, callSid: string): ConversationId | null
}

/** Calls that are remembered. */
const REMEMBERED = 10_000

export function createCallLinks(): CallLinks {
  const links = createLastUsed<string, ConversationId>(REMEMBERED)
  const keyOf = (connectorId: ConnectorId, callSid: string): string => `${connectorId} ${callSid}`
  return {
    link: (connectorId, callSid, sessionId) => {
      links.set(keyOf(connectorId, callSid), sessionId)
    },
    find: (connectorId, callSid) => links.get(keyOf(connectorId, callSid)) ?? null,
  }
}
