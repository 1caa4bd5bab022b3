import type { AccountId, ConversationId, WebhookEndpoint } from '@colloquy/core'
import {
  AUDIT_ENTRY,
  createSequence,
  type Outbox,
  outboxDocuments,
  rowOf,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  WEBHOOK_EVENT,
} from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import type { Define } from '../database/statements.ts'
import { ownedStatements } from '../documents/owned.ts'
import { documentStatements, parametersOf } from '../documents/statements.ts'

/** What writes need to keep what they tell of themselves. */
export interface OutboxKeeper {
  /**
   * Reads all of it now, if there is any. What comes back keeps it, and is to be called inside the write that it tells
   * of.
   */
  keeping(outbox: Outbox | undefined): () => void
  /**
   * Removes what goes with the log of a conversation, as far as the units allow (see `UNITS_OF_A_STEP`), and returns
   * how many are left: 0 when something may be left. To be called inside a write.
   */
  forget(conversationId: ConversationId, units: number): number
}

const keepNothing = (): void => {}

/** Keeps entries in the audit log, and events with the webhooks. */
export function createOutboxKeeper(define: Define): OutboxKeeper {
  const byKind = new Map(
    [AUDIT_ENTRY, WEBHOOK_EVENT, WEBHOOK_DELIVERY].map(kind => [kind.name, documentStatements(define, kind)]),
  )
  const endpoints = documentStatements(define, WEBHOOK_ENDPOINT)
  const nextSequence = createSequence(() => performance.timeOrigin + performance.now())

  function enabledOf(accountId: AccountId): readonly WebhookEndpoint[] {
    const range = { prefix: [accountId] }
    const rows = endpoints.list('enabled', range).rows.all({ ...parametersOf(range), limit: -1, skip: 0 })
    return rows.map(({ body }) => fromJson<WebhookEndpoint>(body))
  }

  return {
    keeping({ audit, webhooks = [] } = {}) {
      if (audit === undefined && webhooks.length === 0) return keepNothing
      const kept = structuredClone({ webhooks, ...(audit && { audit }) })
      return () => {
        for (const { kind, value } of outboxDocuments(kept, { nextSequence, enabledOf }))
          byKind.get(kind.name)?.put.run(rowOf(kind, value))
      }
    },
    forget: ownedStatements(define).dropLog,
  }
}
