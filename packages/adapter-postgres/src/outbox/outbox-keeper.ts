import type { WebhookEvent } from '@colloquy/core'
import {
  AUDIT_ENTRY,
  createSequence,
  heldDelivery,
  type Kind,
  type Outbox,
  rowOf,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  WEBHOOK_EVENT,
} from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import type { Placeholder, Tables } from '../database/statements.ts'
import { columnsOf, tableOf } from '../documents/columns.ts'

/** Outboxes of numbered writes, as parameters of the statement that makes the writes: columns of what is kept. */
export type OutboxParameters = {
  readonly [Name in `kept_${string}`]: readonly (string | number | null)[]
}

/** An outbox of the write of that number. */
interface NumberedOutbox {
  readonly write: number
  readonly outbox: Outbox | undefined
}

const nextSequence = createSequence(() => performance.timeOrigin + performance.now())

/** Rows for a table, and what else is said of each, as parameters. */
function parametersOf(
  kind: Kind<never>,
  rows: readonly Readonly<Record<string, string | number | null>>[],
  more: readonly string[],
): OutboxParameters {
  const names = [...more, ...Object.keys(columnsOf(kind))]
  return Object.fromEntries(
    names.map(name => [`kept_${kind.name}_${name}`, rows.map(row => row[name] ?? null)]),
  )
}

/** A delivery to nobody yet: of its id and body what follows the id of an endpoint. */
function deliveryRow(event: WebhookEvent) {
  const held = heldDelivery(event, '')
  const { endpointId: _, ...others } = held
  const row = rowOf(WEBHOOK_DELIVERY, held)
  return { ...row, id: String(row.id).slice('[""'.length), body: JSON.stringify(others).slice(1) }
}

/** Reads all of them now. */
export function outboxesOf(given: readonly NumberedOutbox[]): OutboxParameters {
  const entries = given.flatMap(({ write, outbox }) => {
    const entry = outbox?.audit
    return entry === undefined ? [] : [{ write, ...rowOf(AUDIT_ENTRY, { sequence: nextSequence(), entry }) }]
  })
  const events = given.flatMap(({ write, outbox }) =>
    (outbox?.webhooks ?? []).map(event => ({ write, event })),
  )
  return {
    ...parametersOf(AUDIT_ENTRY, entries, ['write']),
    ...parametersOf(
      WEBHOOK_EVENT,
      events.map(({ event, write }) => {
        const { accountId, type } = event
        return { write, account_id: accountId, type, ...rowOf(WEBHOOK_EVENT, event) }
      }),
      ['write', 'account_id', 'type'],
    ),
    ...parametersOf(
      WEBHOOK_DELIVERY,
      events.map(({ event }) => deliveryRow(event)),
      [],
    ),
  }
}

/** The outbox of a statement that makes one write, whose number is 1. */
export const outboxOf = (outbox: Outbox | undefined): OutboxParameters => outboxesOf([{ write: 1, outbox }])

/** Rows that are given as parameters, by their place. */
function given(
  p: Placeholder<OutboxParameters>,
  kind: Kind<never>,
  more: Readonly<Record<string, string>> = {},
) {
  const columns = Object.entries({ ...columnsOf(kind), ...more })
  const lists = columns.map(([name, type]) => sql`${p(`kept_${kind.name}_${name}`)}::${sql.raw(type)}[]`)
  const names = columns.map(([name]) => sql.ref(name))
  return sql`unnest(${sql.join(lists)}) with ordinality as given (${sql.join(names)}, place)`
}

/** The columns of a kind, some of them made otherwise than they are given. */
const columnsFor = (kind: Kind<never>, made: Readonly<Record<string, RawBuilder<unknown>>> = {}) => {
  const names = Object.keys(columnsOf(kind))
  return {
    names: sql.join(names.map(name => sql.ref(name))),
    values: sql.join(names.map(name => made[name] ?? sql`given.${sql.ref(name)}`)),
  }
}

const ENTRIES = columnsFor(AUDIT_ENTRY)
const EVENTS = columnsFor(WEBHOOK_EVENT)
const DELIVERIES = columnsFor(WEBHOOK_DELIVERY, {
  id: sql`'[' || to_json(wanting.id)::text || given.id`,
  endpoint_id: sql`wanting.id`,
  waiting_endpoint_id: sql`wanting.id`,
  body: sql`'{"endpointId":' || to_json(wanting.id)::text || ',' || given.body`,
})

/**
 * The parts of a statement that keep its outboxes: they follow `with done (write) as (…)`, which holds the numbers of
 * the writes that have changed something. An endpoint that is being deleted is waited for, so that no delivery to it
 * stays; one that is deleted later waits for the statement.
 */
export const keeping = (t: Tables, p: Placeholder<OutboxParameters>) => sql`
  kept_entry as (
    insert into ${t(tableOf(AUDIT_ENTRY))} (${ENTRIES.names}) select ${ENTRIES.values}
    from ${given(p, AUDIT_ENTRY, { write: 'int' })} where write in (select write from done)
  ),
  wanting as (
    select place, endpoint.id
    from ${given(p, WEBHOOK_EVENT, { write: 'int', account_id: 'text', type: 'text' })}
    join ${t(tableOf(WEBHOOK_ENDPOINT))} as endpoint
      on endpoint.enabled_account_id = given.account_id and given.type = any (string_to_array(endpoint.event_types, ' '))
    where write in (select write from done) for key share of endpoint
  ),
  kept_event as (
    insert into ${t(tableOf(WEBHOOK_EVENT))} (${EVENTS.names}) select ${EVENTS.values}
    from ${given(p, WEBHOOK_EVENT)} where place in (select place from wanting)
  ),
  kept_delivery as (
    insert into ${t(tableOf(WEBHOOK_DELIVERY))} (${DELIVERIES.names}) select ${DELIVERIES.values}
    from wanting join ${given(p, WEBHOOK_DELIVERY)} using (place)
  )`

/** Whether a statement of one write has changed something. */
export interface Done {
  readonly done: boolean
}

/** The answer of such a statement: its `done` has the write's number, or nothing. */
export const ANSWER = sql<Done>`select exists (select from done) as done`
