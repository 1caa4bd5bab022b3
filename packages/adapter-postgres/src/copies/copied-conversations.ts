import type { ConversationId } from '@colloquy/core'
import {
  type ConversationMark,
  type CopiedConversation,
  type CopiedExternalEvent,
  eventOf,
} from '@colloquy/core/store'
import { sql } from 'kysely'
import { type EventRow, toEvent, toTurn } from '../conversations/conversation-log.ts'
import { createPlaces } from '../conversations/conversation-place.ts'
import { removing } from '../conversations/removals.ts'
import { type StateParts, stateOf } from '../conversations/state-parts.ts'
import { fromJson, fromJsonOfRow } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'
import { takingConversations } from './copied-conversations-taken.ts'

/** A conversation's row, with JSON of what belongs to it. */
interface WholeRow extends StateParts {
  readonly version: number
  readonly wake_at: number | null
  readonly events: string
  readonly turns: string
  readonly external: string
}

/** An external event as JSON of the server. */
interface ExternalRow {
  readonly event_id: string
  readonly content_type: string | null
  /** Base64 in lines. */
  readonly body: string | null
  readonly received_at: number | null
  readonly pending: number | null
}

const statements = (define: Define) => ({
  marks: define<{ id: string; count: number }>('read the marks of conversations')<ConversationMark>(
    (t, p) => sql`
    select h.id, c.started_at as "startedAt", h.version, timer.wake_at as "wakeAt",
      (select count(*) from ${t('external_event')} as e where e.conversation = h.row) as "externalEvents"
    from (select row, id, version from ${t('conversation_head')} where id > ${p('id')}::text
      order by id limit ${p('count')}::bigint) as h
    join ${t('conversation')} as c on c.row = h.row
    left join ${t('conversation_timer')} as timer on timer.conversation = h.row order by h.id`,
  ),
  // One statement, so that all of it is of one moment.
  conversation: define<{ id: string }>('read a conversation to copy')<WholeRow>(
    (t, p) => sql`
    select h.version, c.state, h.changes, (select wake_at from ${t('conversation_timer')} where conversation = h.row) as wake_at,
      (select coalesce(json_agg(e order by e.sequence), '[]')::text from (
        select sequence, head, payload from ${t('event')} where conversation = h.row) as e) as events,
      (select coalesce(json_agg(s order by s.number), '[]')::text from (
        select number, record, details from ${t('turn')} where conversation = h.row) as s) as turns,
      (select coalesce(json_agg(x order by x.event_id), '[]')::text from (
        select event_id, content_type, encode(body, 'base64') as body, received_at, pending
        from ${t('external_event')} where conversation = h.row) as x) as external
    from ${t('conversation_head')} as h join ${t('conversation')} as c on c.row = h.row where h.id = ${p('id')}`,
  ),
  drop: define<{ ids: readonly string[] }>('drop copied conversations')(
    (t, p) => sql`
    with gone as (
      select h.row, h.id from ${t('conversation_head')} as h where h.id = any (${p('ids')}::text[])
      order by h.row for update of h
    ), ${removing(t)}
    select 1`,
  ),
  handoffs: define('read the order of handoffs')<{ readonly id: ConversationId }>(
    t => sql`select conversation_id as id from ${t('handoff')} order by place`,
  ),
  order: define<{ ids: readonly string[] }>('order handoffs')(
    (t, p) => sql`
    update ${t('handoff')} as h set place = wanted.place
    from (
      select h.row, nextval((select tableoid::regclass from ${t('handoff_place_seq')})) as place
      from (select h.row from unnest(${p('ids')}::text[]) with ordinality as o (id, place)
        join ${t('conversation_head')} as h on h.id = o.id order by o.place) as h
    ) as wanted where h.conversation = wanted.row`,
  ),
})

/** Lines of base64 as one. */
const inOneLine = (base64: string): string => base64.replaceAll('\n', '')

const toExternalEvent = (row: ExternalRow): CopiedExternalEvent => ({
  eventId: row.event_id,
  arrived:
    row.body === null || row.received_at === null
      ? null
      : { contentType: row.content_type ?? '', body: inOneLine(row.body), receivedAt: row.received_at },
})

function toCopied(id: ConversationId, row: WholeRow): CopiedConversation {
  const external = fromJsonOfRow<readonly ExternalRow[]>(row.external)
  const pending = external.flatMap(one => (one.pending === null ? [] : [{ ...one, pending: one.pending }]))
  return {
    id,
    version: row.version,
    state: stateOf(row),
    wakeAt: row.wake_at,
    events: fromJson<readonly EventRow[]>(row.events).map(event => eventOf(toEvent(event))),
    turns: fromJson<readonly { readonly record: string; readonly details: string }[]>(row.turns).map(toTurn),
    externalEvents: external.map(toExternalEvent),
    pendingExternalEvents: pending
      .toSorted((one, other) => one.pending - other.pending)
      .map(one => one.event_id),
  }
}

/** Conversations as they are copied. */
export function copiedConversations(session: Session) {
  const run = statements(session.define)
  const places = createPlaces(session.define, session.accepted)
  return {
    marks: (after: ConversationId | null, count: number) => run.marks.all({ id: after ?? '', count }),
    async conversation(id: ConversationId): Promise<CopiedConversation | null> {
      const row = await run.conversation.get({ id })
      return row === undefined ? null : toCopied(id, row)
    },
    take: takingConversations(session, places),
    async drop(ids: readonly ConversationId[]): Promise<void> {
      await run.drop.all({ ids })
    },
    handoffOrder: async () => (await run.handoffs.all({})).map(({ id }) => id),
    async orderHandoffs(ids: readonly ConversationId[]): Promise<void> {
      await run.order.all({ ids })
    },
  }
}
