import type { AccountId, AgentId, ConversationId } from '@colloquy/core'
import type { ExternalEventStore } from '@colloquy/core/store'
import { sql } from 'kysely'
import { isViolated } from '../database/failure.ts'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'

type Reserved = { eventId: string; accountId: AccountId; agentId: AgentId }

/** The statements of external events. Each locks the conversation before its events, as appends and removals do. */
const eventStatements = (define: Define) => ({
  expect: define<Reserved & { conversationId: ConversationId }>('reserve an external event id')<{
    readonly same: boolean | null
    readonly added: boolean
  }>(
    (t, p) => sql`
    with known as (
      select conversation_id = ${p('conversationId')} and account_id = ${p('accountId')} and agent_id = ${p('agentId')} as same
      from ${t('external_event')} where event_id = ${p('eventId')}
    ), added as (
      insert into ${t('external_event')} (event_id, conversation, conversation_id, account_id, agent_id)
      select ${p('eventId')}::text, row, id, ${p('accountId')}::text, ${p('agentId')}::text
      from ${t('conversation_head')} where id = ${p('conversationId')} and not exists (select from known)
      for key share returning 1
    )
    select (select same from known) as same, exists (select from added) as added`,
  ),
  accept: define<Reserved & { contentType: string; body: Uint8Array; receivedAt: number }>(
    'accept an external event',
  )<{
    readonly conversationId: ConversationId
    readonly there: boolean
    readonly accepted: boolean
  }>(
    (t, p) => sql`
    with reserved as (
      select conversation, conversation_id from ${t('external_event')}
      where event_id = ${p('eventId')} and account_id = ${p('accountId')} and agent_id = ${p('agentId')}
    ), head as (
      select row, version from ${t('conversation_head')} where row = (select conversation from reserved) for no key update
    ), kept as (
      update ${t('external_event')} as e set content_type = ${p('contentType')}, body = ${p('body')},
        received_at = ${p('receivedAt')}::bigint, pending = head.version + 1
      from head where e.event_id = ${p('eventId')} and e.conversation = head.row and e.received_at is null
      returning head.row
    ), grown as (
      update ${t('conversation_head')} as h set version = h.version + 1 from kept where h.row = kept.row
    ), woken as (
      insert into ${t('conversation_timer')} as timer (conversation, wake_at, claims)
      select row, ${p('receivedAt')}::bigint, 0 from kept
      on conflict (conversation) do update set wake_at = least(timer.wake_at, excluded.wake_at)
    )
    select conversation_id as "conversationId", exists (select from head) as there, exists (select from kept) as accepted
    from reserved`,
  ),
  event: define<{ eventId: string }>('read an external event')<{
    readonly conversation_id: ConversationId
    readonly content_type: string | null
    readonly body: Uint8Array
    readonly received_at: number
  }>(
    (t, p) => sql`
    select conversation_id, content_type, body, received_at from ${t('external_event')}
    where event_id = ${p('eventId')} and received_at is not null`,
  ),
})

/** Event ids that conversations wait for, and what has come for them, in PostgreSQL. */
export function externalEventMethods({ define }: Session): ExternalEventStore {
  const run = eventStatements(define)

  const methods: ExternalEventStore = {
    async expect({ eventId, conversationId, accountId, agentId }) {
      const expected = { eventId, conversationId, accountId, agentId }
      try {
        const found = await run.expect.get(expected)
        if (found?.added || found?.same) return 'expected'
        return found?.same === false ? 'taken' : 'missing'
      } catch (error) {
        // Another one reserved it in between, or the conversation was removed: which, is seen now.
        if (isViolated(error, '23505') || isViolated(error, '23503')) return methods.expect(expected)
        throw error
      }
    },
    async accept({ eventId, accountId, agentId, contentType, body, receivedAt }) {
      const found = await run.accept.get({ eventId, accountId, agentId, contentType, body, receivedAt })
      if (!found?.there) return { status: 'unknown' }
      return { status: found.accepted ? 'accepted' : 'duplicate', conversationId: found.conversationId }
    },
    async find(eventId) {
      const row = await run.event.get({ eventId })
      if (row === undefined) return null
      return {
        eventId,
        conversationId: row.conversation_id,
        contentType: row.content_type ?? '',
        body: new Uint8Array(row.body),
        receivedAt: row.received_at,
      }
    },
  }
  return methods
}
