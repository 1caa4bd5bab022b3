import { AUDIT_ENTRY, createSequence, type Kind, type Outbox, rowOf } from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import type { Placeholder, Tables } from '../database/statements.ts'
import type { Parameters } from '../database/values.ts'
import { columnsOf, tableOf } from '../documents/columns.ts'

/** Outboxes of numbered writes, as parameters of the statement that makes the writes. */
export type OutboxParameters = {
  /** Columns of documents, by kind and name. */
  readonly [Name in `kept_${string}`]: readonly (string | number | null)[]
} & {
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

const nextSequence = createSequence(() => performance.timeOrigin + performance.now())

/** Documents of numbered writes as parameters. */
function rowsOf<T>(kind: Kind<T>, given: readonly { readonly write: number; readonly value: T }[]) {
  const rows: readonly Parameters[] = given.map(({ value, write }) => ({ write, ...rowOf(kind, value) }))
  const names = ['write', ...Object.keys(columnsOf(kind))]
  return Object.fromEntries(
    names.map(name => [`kept_${kind.name}_${name}`, rows.map(row => row[name] ?? null)]),
  )
}

/** Reads all of them now. */
export function outboxesOf(given: readonly NumberedOutbox[]): OutboxParameters {
  const entries = given.flatMap(({ write, outbox }) =>
    outbox?.audit === undefined ? [] : [{ write, value: { sequence: nextSequence(), entry: outbox.audit } }],
  )
  const hooks = given.flatMap(({ write, outbox }) =>
    (outbox?.webhooks ?? []).map(event => ({ write, event })),
  )
  return {
    ...rowsOf(AUDIT_ENTRY, entries),
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

/** The part of a statement that keeps documents of writes that have changed something. */
function documentsKept(t: Tables, p: Placeholder<OutboxParameters>, kind: Kind<never>) {
  const columns = Object.entries(columnsOf(kind))
  const names = sql.join(columns.map(([name]) => sql.ref(name)))
  const given = columns.map(([name, type]) => sql`${p(`kept_${kind.name}_${name}`)}::${sql.raw(type)}[]`)
  return sql`${sql.ref(`kept_${kind.name}`)} as (
    insert into ${t(tableOf(kind))} (${names}) select ${names}
    from unnest(${p(`kept_${kind.name}_write`)}::int[], ${sql.join(given)}) as given (write, ${names})
    where write in (select write from done)
  )`
}

/**
 * The parts of a statement that keep its outboxes: they follow `with done (write) as (…)`, which holds the numbers of
 * the writes that have changed something.
 */
export const keeping = (t: Tables, p: Placeholder<OutboxParameters>) => sql`
  ${documentsKept(t, p, AUDIT_ENTRY)},
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
