import type { ConversationToTake } from '@colloquy/core/store'
import { sql } from 'kysely'
import { encodeEvent, encodeTurn } from '../conversations/conversation-log.ts'
import type { Place, Places } from '../conversations/conversation-place.ts'
import { recordTextOf } from '../conversations/state-parts.ts'
import {
  carried,
  type EncodedWrite,
  type WriteParameters,
  writeParameters,
  writeRows,
  written,
} from '../conversations/write-rows.ts'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'

/** How long the log of a conversation is that is there. */
interface Head {
  readonly id: string
  readonly sequence: number
  readonly turns: number
}

type ExternalColumns = {
  conversationIds: readonly string[]
  eventIds: readonly string[]
  accountIds: readonly string[]
  agentIds: readonly string[]
  contentTypes: readonly (string | null)[]
  bodies: readonly (Uint8Array | null)[]
  receivedAt: readonly (number | null)[]
  pending: readonly (number | null)[]
}

const statements = (define: Define) => ({
  heads: define<{ ids: readonly string[] }>('take copied conversations')<Head>(
    (t, p) => sql`
    select id, sequence, turns from ${t('conversation_head')} where id = any (${p('ids')}::text[])
    order by row for no key update`,
  ),
  // What is there gets the rest of its log, and all other columns anew.
  take: define<WriteParameters & { versions: readonly number[] }>('take copied conversations')(
    (t, p) => sql`
    with given as (
      select * from unnest(${p('versions')}::int[]) with ordinality as v (version, write) join ${writeRows(p)} using (write)
    ), former as (
      select h.row, h.scope from ${t('conversation_head')} as h join given on given.id = h.id
    ), headed as (
      insert into ${t('conversation_head')} as h (id, version, sequence, turns, turn_bytes, finished, scope, changes)
      select id, version, events, turns, turn_bytes, finished_at is not null, scope, null from given order by id collate "C"
      on conflict (id) do update set version = excluded.version, sequence = h.sequence + excluded.sequence,
        turns = h.turns + excluded.turns, turn_bytes = h.turn_bytes + excluded.turn_bytes, finished = excluded.finished,
        scope = excluded.scope, changes = null
      returning row, id, sequence, turns, scope
    ), done as (
      select given.write, h.row, h.id, h.sequence - given.events as sequence, h.turns - given.turns as turns, h.scope,
        ${carried('given')}
      from headed as h join given on given.id = h.id
    ), ${written(t, p)}, placed as (
      insert into ${t('conversation')} (row, id, scope, listed, counted, started_at, finished_at, span, variant, channel,
        language, to_number, shared_id, shared_at, state, summary, details)
      select row, id, scope, listed, counted, started_at, finished_at, span, variant, channel, language, to_number, shared_id,
        shared_at, state, summary, details
      from done
      on conflict (row) do update set scope = excluded.scope, listed = excluded.listed, counted = excluded.counted,
        started_at = excluded.started_at, finished_at = excluded.finished_at, span = excluded.span,
        variant = excluded.variant, channel = excluded.channel, language = excluded.language,
        to_number = excluded.to_number, shared_id = excluded.shared_id, shared_at = excluded.shared_at, state = excluded.state, summary = excluded.summary, details = excluded.details,
        place = excluded.place
    ), renamed as (
      update ${t('turn')} as turn set words = array(
        select done.scope || substr(word, strpos(word, ':')) from unnest(turn.words) as word)
      from done join former using (row) where turn.conversation = done.row and done.scope <> former.scope
    ), untimed as (
      delete from ${t('conversation_timer')} where conversation in (
        select row from done where wake_at is null)
    )
    delete from ${t('handoff')} where conversation in (
      select row from done where handoff_id is null)`,
  ),
  dropExternal: define<{ ids: readonly string[] }>('take copied conversations')(
    (t, p) => sql`
    delete from ${t('external_event')} where conversation in (
      select row from ${t('conversation_head')} where id = any (${p('ids')}::text[]))`,
  ),
  // An id may have been reserved for another one, which goes later.
  putExternal: define<ExternalColumns>('take copied conversations')(
    (t, p) => sql`
    insert into ${t('external_event')} (event_id, conversation, conversation_id, account_id, agent_id, content_type, body,
      received_at, pending)
    select e.event_id, h.row, h.id, e.account_id, e.agent_id, e.content_type, e.body, e.received_at, e.pending
    from unnest(${p('conversationIds')}::text[], ${p('eventIds')}::text[], ${p('accountIds')}::text[], ${p('agentIds')}::text[],
      ${p('contentTypes')}::text[], ${p('bodies')}::bytea[], ${p('receivedAt')}::bigint[], ${p('pending')}::bigint[])
      as e (conversation_id, event_id, account_id, agent_id, content_type, body, received_at, pending)
    join ${t('conversation_head')} as h on h.id = e.conversation_id
    on conflict (event_id) do update set conversation = excluded.conversation, conversation_id = excluded.conversation_id,
      account_id = excluded.account_id, agent_id = excluded.agent_id, content_type = excluded.content_type,
      body = excluded.body, received_at = excluded.received_at, pending = excluded.pending`,
  ),
})

/** As it is written after what is there. */
function encoded(given: ConversationToTake, place: Place, head: Head | undefined): EncodedWrite {
  const { id, events, turns, wakeAt, state, index } = given
  return {
    id,
    log: {
      events: events.slice(head?.sequence ?? 0).map(encodeEvent),
      turns: turns.slice(head?.turns ?? 0).map(encodeTurn),
    },
    wakeAt,
    state: JSON.stringify(state),
    changes: null,
    place: Promise.resolve(place),
    record: index.finishedAt === null ? null : recordTextOf(state),
    outbox: {},
  }
}

function externalColumns(conversations: readonly ConversationToTake[]): ExternalColumns {
  const rows = conversations.flatMap(
    ({ id, state, version, externalEvents, pendingExternalEvents: waiting }) =>
      externalEvents.map(({ eventId, arrived }) => {
        const place = waiting.indexOf(eventId)
        // In their order, and before what will be accepted.
        return {
          id,
          state,
          eventId,
          arrived,
          pending: place < 0 ? null : version - waiting.length + place + 1,
        }
      }),
  )
  return {
    conversationIds: rows.map(({ id }) => id),
    eventIds: rows.map(({ eventId }) => eventId),
    accountIds: rows.map(({ state }) => state.accountId),
    agentIds: rows.map(({ state }) => state.agentId),
    contentTypes: rows.map(({ arrived }) => arrived?.contentType ?? null),
    bodies: rows.map(({ arrived }) => arrived && Buffer.from(arrived.body, 'base64')),
    receivedAt: rows.map(({ arrived }) => arrived?.receivedAt ?? null),
    pending: rows.map(({ pending }) => pending),
  }
}

/** Writes conversations in one transaction. */
export function takingConversations({ define, transaction }: Session, places: Places) {
  const run = statements(define)
  return async (conversations: readonly ConversationToTake[]): Promise<void> => {
    const ids = conversations.map(({ id }) => id)
    const external = externalColumns(conversations)
    // Before the transaction: a scope that is new is written on another connection.
    const placed = await Promise.all(
      conversations.map(async given => ({ given, place: await places.of(given.index) })),
    )
    await transaction('take copied conversations', async on => {
      const heads = new Map((await run.heads.all({ ids }, on)).map(head => [head.id, head]))
      const writes = placed.map(({ given, place }) => encoded(given, place, heads.get(given.id)))
      const versions = conversations.map(({ version }) => version)
      await run.take.all({ ...(await writeParameters(writes)), versions }, on)
      await run.dropExternal.all({ ids }, on)
      if (external.eventIds.length > 0) await run.putExternal.all(external, on)
    })
  }
}
