import type { AccountId, AgentId, ConversationId } from '@colloquy/core'
import type { ExternalEventStore } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'
import type { ConversationStatements } from './conversation-statements.ts'
import type { LogErasure } from './log-erasure.ts'

type Expected = { eventId: string; conversationId: ConversationId; accountId: AccountId; agentId: AgentId }

/** The statements of external events, prepared. */
export const eventStatements = (define: Define) => ({
  expect: define<Expected>()((db, p) =>
    db
      .insertInto('external_event')
      .values({
        event_id: p('eventId'),
        conversation_id: p('conversationId'),
        account_id: p('accountId'),
        agent_id: p('agentId'),
      })
      .compile(),
  ),
  expected: define<{ eventId: string; accountId: AccountId; agentId: AgentId }>()((db, p) =>
    db
      .selectFrom('external_event')
      .select(['conversation_id as conversationId', 'received_at as receivedAt'])
      .where('event_id', '=', p('eventId'))
      .where('account_id', '=', p('accountId'))
      .where('agent_id', '=', p('agentId'))
      .compile(),
  ),
  keep: define<{ eventId: string; contentType: string; body: Uint8Array; receivedAt: number }>()((db, p) =>
    db
      .updateTable('external_event')
      .set({ content_type: p('contentType'), body: p('body'), received_at: p('receivedAt') })
      .where('event_id', '=', p('eventId'))
      .compile(),
  ),
  insertPending: define<{ eventId: string; conversationId: ConversationId }>()((db, p) =>
    db
      .insertInto('pending_external_event')
      .values({ event_id: p('eventId'), conversation_id: p('conversationId') })
      .compile(),
  ),
  dropPending: define<{ eventId: string; conversationId: ConversationId }>()((db, p) =>
    db
      .deleteFrom('pending_external_event')
      .where('event_id', '=', p('eventId'))
      .where('conversation_id', '=', p('conversationId'))
      .compile(),
  ),
  drop: define<{ eventId: string }>()((db, p) =>
    db.deleteFrom('external_event').where('event_id', '=', p('eventId')).compile(),
  ),
  event: define<{ eventId: string }>()((db, p) =>
    db
      .selectFrom('external_event')
      .select(['conversation_id', 'content_type', 'body', 'received_at'])
      .where('event_id', '=', p('eventId'))
      .compile(),
  ),
})

/** The port's methods about external events, and what an append needs to hand events over. */
export function externalEvents(
  { define, read, write }: Session,
  run: ConversationStatements,
  logs: LogErasure,
) {
  const own = eventStatements(define)

  const reserve = (expected: Expected): 'expected' | 'taken' | 'missing' => {
    const known = own.event.get(expected)?.conversation_id
    if (known !== undefined && logs.isErasing(known)) {
      own.dropPending.run({ ...expected, conversationId: known })
      own.drop.run(expected)
    } else if (own.expected.get(expected)?.conversationId === expected.conversationId) return 'expected'
    else if (known !== undefined) return 'taken'
    if (run.head.get({ id: expected.conversationId }) === undefined) return 'missing'
    own.expect.run(expected)
    return 'expected'
  }

  /** Makes an accepted event pending, unless its conversation was removed meanwhile. */
  const deliver = (eventId: string, conversationId: ConversationId, receivedAt: number): void => {
    const head = run.head.get({ id: conversationId })
    if (head === undefined) return
    own.insertPending.run({ eventId, conversationId })
    run.growVersion.run({ row: head.row })
    if (head.wake_at === null || head.wake_at > receivedAt)
      run.setWake.run({ row: head.row, wakeAt: receivedAt })
  }

  const methods: ExternalEventStore = {
    async expect({ eventId, conversationId, accountId, agentId }) {
      const expected = { eventId, conversationId, accountId, agentId }
      return write('reserve an external event id', () => reserve(expected))
    },
    async accept({ eventId, accountId, agentId, contentType, body, receivedAt }) {
      const kept = body.slice()
      return write('accept an external event', () => {
        const expected = own.expected.get({ eventId, accountId, agentId })
        if (expected === undefined) return { status: 'unknown' }
        const { conversationId } = expected
        if (logs.isErasing(conversationId)) return { status: 'unknown' }
        if (expected.receivedAt !== null) return { status: 'duplicate', conversationId }
        own.keep.run({ eventId, contentType, body: kept, receivedAt })
        deliver(eventId, conversationId, receivedAt)
        return { status: 'accepted', conversationId }
      })
    },
    find: eventId =>
      read('read an external event', () => {
        const row = own.event.get({ eventId })
        if (row === undefined || row.body === null || row.received_at === null) return null
        if (logs.isErasing(row.conversation_id)) return null
        return {
          eventId,
          conversationId: row.conversation_id,
          contentType: row.content_type ?? '',
          body: new Uint8Array(row.body),
          receivedAt: row.received_at,
        }
      }),
  }

  return {
    methods,
    /** Events that a write hands to the conversation are pending no longer. */
    delivered(conversationId: ConversationId, eventIds: readonly string[]): void {
      for (const eventId of eventIds) own.dropPending.run({ eventId, conversationId })
    },
  }
}
