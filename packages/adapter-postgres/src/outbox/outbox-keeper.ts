import type { AuditEntry } from '@colloquy/core'
import type { Outbox } from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import type { Placeholder, Tables } from '../database/statements.ts'

/** Outboxes of numbered writes, as parameters of the statement that makes the writes. */
export type OutboxParameters = {
  entryWrite: readonly number[]
  entryId: readonly string[]
  entryAt: readonly number[]
  entryActorType: readonly string[]
  entryActorId: readonly (string | null)[]
  entryActorName: readonly string[]
  entryAction: readonly string[]
  entryAccount: readonly (string | null)[]
  entryAgent: readonly (string | null)[]
  entryResourceType: readonly string[]
  entryResourceId: readonly (string | null)[]
  entryDetails: readonly string[]
  entryCorrelation: readonly (string | null)[]
  hookWrite: readonly number[]
  hookId: readonly string[]
  hookAccount: readonly string[]
  hookType: readonly string[]
  hookConversation: readonly (string | null)[]
  hookAt: readonly number[]
  hookBody: readonly string[]
}

/** An outbox of the write of that number. */
interface NumberedOutbox {
  readonly write: number
  readonly outbox: Outbox | undefined
}

/** Reads all of them now. */
export function outboxesOf(given: readonly NumberedOutbox[]): OutboxParameters {
  const entries = given.flatMap(({ write, outbox }) =>
    outbox?.audit === undefined ? [] : [{ write, entry: outbox.audit }],
  )
  const hooks = given.flatMap(({ write, outbox }) =>
    (outbox?.webhooks ?? []).map(event => ({ write, event })),
  )
  const ofEntries = <Value>(pick: (entry: AuditEntry) => Value): Value[] =>
    entries.map(({ entry }) => pick(entry))
  return {
    entryWrite: entries.map(({ write }) => write),
    entryId: ofEntries(({ id }) => id),
    entryAt: ofEntries(({ at }) => at),
    entryActorType: ofEntries(({ actor }) => actor.type),
    entryActorId: ofEntries(({ actor }) => actor.id),
    entryActorName: ofEntries(({ actor }) => actor.name),
    entryAction: ofEntries(({ action }) => action),
    entryAccount: ofEntries(({ accountId }) => accountId),
    entryAgent: ofEntries(({ agentId }) => agentId),
    entryResourceType: ofEntries(({ resource }) => resource.type),
    entryResourceId: ofEntries(({ resource }) => resource.id),
    entryDetails: ofEntries(({ details }) => JSON.stringify(details)),
    entryCorrelation: ofEntries(({ correlationId }) => correlationId),
    hookWrite: hooks.map(({ write }) => write),
    hookId: hooks.map(({ event }) => event.id),
    hookAccount: hooks.map(({ event }) => event.accountId),
    hookType: hooks.map(({ event }) => event.type),
    hookConversation: hooks.map(({ event }) => event.conversationId),
    hookAt: hooks.map(({ event }) => event.at),
    hookBody: hooks.map(({ event }) => event.body),
  }
}

/** The outbox of a statement that makes one write, whose number is 1. */
export const outboxOf = (outbox: Outbox | undefined): OutboxParameters => outboxesOf([{ write: 1, outbox }])

/** The deliveries of events that have just come, given by a query, to endpoints that are given by a condition. */
export const deliveriesOf = (t: Tables, events: RawBuilder<unknown>, condition: RawBuilder<boolean>) => sql`
  insert into ${t('webhook_delivery')} (event, endpoint, event_id, status, attempts, due_at, in_flight, version, created_at)
  select e.row, w.row, e.id, 'pending', 0, e.at, false, 1, e.at
  from ${events} as e join ${t('webhook_endpoint')} as w on ${condition}`

/**
 * The parts of a statement that keep its outboxes: they follow `with done (write) as (…)`, which holds the numbers of
 * the writes that have changed something.
 */
export const keeping = (t: Tables, p: Placeholder<OutboxParameters>) => sql`
  kept_entry as (
    insert into ${t('audit_entry')} (id, at, actor_type, actor_id, actor_name, action, account_id, agent_id, resource_type,
      resource_id, details, correlation_id)
    select e.id, e.at, e.actor_type, e.actor_id, e.actor_name, e.action, e.account_id, e.agent_id, e.resource_type,
      e.resource_id, e.details, e.correlation_id
    from unnest(${p('entryWrite')}::int[], ${p('entryId')}::text[], ${p('entryAt')}::bigint[], ${p('entryActorType')}::text[],
      ${p('entryActorId')}::text[], ${p('entryActorName')}::text[], ${p('entryAction')}::text[], ${p('entryAccount')}::text[],
      ${p('entryAgent')}::text[], ${p('entryResourceType')}::text[], ${p('entryResourceId')}::text[],
      ${p('entryDetails')}::text[], ${p('entryCorrelation')}::text[])
      as e (write, id, at, actor_type, actor_id, actor_name, action, account_id, agent_id, resource_type, resource_id, details,
        correlation_id)
    where e.write in (select write from done)
  ),
  kept_event as (
    insert into ${t('webhook_event')} (id, account_id, type, conversation_id, at, body)
    select h.id, h.account_id, h.type, h.conversation_id, h.at, h.body
    from unnest(${p('hookWrite')}::int[], ${p('hookId')}::text[], ${p('hookAccount')}::text[], ${p('hookType')}::text[],
      ${p('hookConversation')}::text[], ${p('hookAt')}::bigint[], ${p('hookBody')}::text[])
      as h (write, id, account_id, type, conversation_id, at, body)
    where h.write in (select write from done) and exists (
      select from ${t('webhook_endpoint')} as w where w.account_id = h.account_id and w.enabled and h.type = any (w.event_types))
    returning row, id, account_id, type, at
  ),
  kept_delivery as (
    ${deliveriesOf(t, sql`kept_event`, sql`w.account_id = e.account_id and w.enabled and e.type = any (w.event_types)`)}
  )`

/** Whether a statement of one write has changed something. */
export interface Done {
  readonly done: boolean
}

/** The answer of such a statement: its `done` has the write's number, or nothing. */
export const ANSWER = sql<Done>`select exists (select from done) as done`
