import type { ConversationIndex } from '@colloquy/core/domain'
import type { ConversationAppend, ConversationWrite, Outbox } from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import type { Placeholder, Tables } from '../database/statements.ts'
import { type EncodedLog, encodeEvent, encodeTurn } from './conversation-log.ts'
import type { Place, Places } from './conversation-place.ts'
import { scopedWords } from './search-words.ts'
import { recordTextOf } from './state-parts.ts'

/** A write in the form of its rows, independent of what the caller does with its argument from now on. */
export interface EncodedWrite {
  readonly id: string
  readonly log: EncodedLog
  readonly wakeAt: number | null
  /** JSON; null where it is as it was. */
  readonly state: string | null
  /** JSON; null where nothing differs from the state that was written whole. */
  readonly changes: string | null
  /** Null where it is as in the last write. */
  readonly place: Promise<Place> | null
  /** JSON of a record that is known to be finished. */
  readonly record: { readonly summary: string; readonly details: string } | null
  readonly outbox: Outbox
}

const ignore = (): void => {}

const NO_OUTBOX: Outbox = {}

/** Most writes tell nobody. */
const copied = (outbox: Outbox | undefined): Outbox =>
  outbox?.audit === undefined && outbox?.webhooks === undefined ? NO_OUTBOX : structuredClone(outbox)

/** Begins to find the rows of an index. Who writes it hears of a failure. */
function placeOf(places: Places, index: ConversationIndex | null): Promise<Place> | null {
  const place = index && places.of(index)
  place?.catch(ignore)
  return place
}

/** Reads all of a write now. */
export function encodeWrite(
  places: Places,
  write: ConversationWrite | ConversationAppend,
  changes: ConversationAppend['changes'],
): EncodedWrite {
  const { conversationId, events, turns, wakeAt, state, index, outbox } = write
  return {
    id: conversationId,
    log: { events: events.map(encodeEvent), turns: turns.map(encodeTurn) },
    wakeAt,
    state: changes === null ? JSON.stringify(state) : null,
    changes: changes && JSON.stringify(changes),
    place: placeOf(places, index),
    record: index !== null && index.finishedAt !== null ? recordTextOf(state) : null,
    outbox: copied(outbox),
  }
}

/** Numbered writes as parameters of the statement that makes them. */
export type WriteParameters = {
  id: readonly string[]
  state: readonly (string | null)[]
  changes: readonly (string | null)[]
  wakeAt: readonly (number | null)[]
  events: readonly number[]
  turns: readonly number[]
  turnBytes: readonly number[]
  summary: readonly (string | null)[]
  details: readonly (string | null)[]
  scope: readonly (number | null)[]
  listed: readonly (boolean | null)[]
  counted: readonly (boolean | null)[]
  startedAt: readonly (number | null)[]
  finishedAt: readonly (number | null)[]
  span: readonly (number | null)[]
  variant: readonly (number | null)[]
  channel: readonly (string | null)[]
  language: readonly (string | null)[]
  toNumber: readonly (string | null)[]
  accountId: readonly (string | null)[]
  handoffId: readonly (string | null)[]
  handoffStatus: readonly (string | null)[]
  handoffQueue: readonly (string | null)[]
  handoffSince: readonly (number | null)[]
  sharedId: readonly (string | null)[]
  sharedAt: readonly (number | null)[]
  eventWrite: readonly number[]
  eventPlace: readonly number[]
  eventHead: readonly string[]
  eventPayload: readonly string[]
  clientWrite: readonly number[]
  clientPlace: readonly number[]
  clientId: readonly string[]
  turnWrite: readonly number[]
  turnPlace: readonly number[]
  turnRecord: readonly string[]
  turnDetails: readonly string[]
  turnWords: readonly string[]
}

/** UTF-8 bytes of the turns' records, and one for each: of their JSON array, but for one bracket. */
const turnBytesOf = ({ turns }: EncodedLog): number =>
  turns.reduce((sum, { record }) => sum + Buffer.byteLength(record) + 1, 0)

/** The parts of all writes with the number of their write, and of their place in it; both from 1. */
const numbered = <Part>(writes: readonly EncodedWrite[], parts: (log: EncodedLog) => readonly Part[]) =>
  writes.flatMap(({ log }, at) =>
    parts(log).map((part, place) => ({ write: at + 1, place: place + 1, part })),
  )

/** The writes, numbered from 1. */
export async function writeParameters(writes: readonly EncodedWrite[]): Promise<WriteParameters> {
  const places = await Promise.all(writes.map(({ place }) => place))
  const events = numbered(writes, log => log.events)
  const turns = numbered(writes, log => log.turns)
  const clients = events.flatMap(({ write, place, part }) => part.clientIds.map(id => ({ write, place, id })))
  const ofPlaces = <Value>(pick: (place: Place) => Value): (Value | null)[] =>
    places.map(place => place && pick(place))
  return {
    id: writes.map(({ id }) => id),
    state: writes.map(({ state }) => state),
    changes: writes.map(({ changes }) => changes),
    wakeAt: writes.map(({ wakeAt }) => wakeAt),
    events: writes.map(({ log }) => log.events.length),
    turns: writes.map(({ log }) => log.turns.length),
    turnBytes: writes.map(({ log }) => turnBytesOf(log)),
    summary: writes.map(({ record }) => record?.summary ?? null),
    details: writes.map(({ record }) => record?.details ?? null),
    scope: ofPlaces(({ scope }) => scope),
    listed: ofPlaces(({ listed }) => listed),
    counted: ofPlaces(({ counted }) => counted),
    startedAt: ofPlaces(({ startedAt }) => startedAt),
    finishedAt: ofPlaces(({ finishedAt }) => finishedAt),
    span: ofPlaces(({ span }) => span),
    variant: ofPlaces(({ variant }) => variant),
    channel: ofPlaces(({ channel }) => channel),
    language: ofPlaces(({ language }) => language),
    toNumber: ofPlaces(({ toNumber }) => toNumber),
    accountId: ofPlaces(({ accountId }) => accountId),
    handoffId: ofPlaces(({ handoffId }) => handoffId),
    handoffStatus: ofPlaces(({ handoffStatus }) => handoffStatus),
    handoffQueue: ofPlaces(({ handoffQueue }) => handoffQueue),
    handoffSince: ofPlaces(({ handoffSince }) => handoffSince),
    sharedId: ofPlaces(({ sharedId }) => sharedId),
    sharedAt: ofPlaces(({ sharedAt }) => sharedAt),
    eventWrite: events.map(({ write }) => write),
    eventPlace: events.map(({ place }) => place),
    eventHead: events.map(({ part }) => part.head),
    eventPayload: events.map(({ part }) => part.payload),
    clientWrite: clients.map(({ write }) => write),
    clientPlace: clients.map(({ place }) => place),
    clientId: clients.map(({ id }) => id),
    turnWrite: turns.map(({ write }) => write),
    turnPlace: turns.map(({ place }) => place),
    turnRecord: turns.map(({ part }) => part.record),
    turnDetails: turns.map(({ part }) => part.details),
    turnWords: turns.map(({ part }) => part.words),
  }
}

/** The writes as rows. `scope` is null where the index is as in the last write, and so are the columns of the index. */
export const writeRows = (p: Placeholder<WriteParameters>) => sql`
  unnest(${p('id')}::text[], ${p('state')}::text[], ${p('changes')}::text[], ${p('wakeAt')}::bigint[], ${p('events')}::int[],
    ${p('turns')}::int[], ${p('turnBytes')}::bigint[], ${p('summary')}::text[], ${p('details')}::text[], ${p('scope')}::int[],
    ${p('listed')}::boolean[], ${p('counted')}::boolean[], ${p('startedAt')}::bigint[], ${p('finishedAt')}::bigint[],
    ${p('span')}::smallint[], ${p('variant')}::int[], ${p('channel')}::text[], ${p('language')}::text[], ${p('toNumber')}::text[],
    ${p('accountId')}::text[], ${p('handoffId')}::text[], ${p('handoffStatus')}::text[], ${p('handoffQueue')}::text[],
    ${p('handoffSince')}::bigint[], ${p('sharedId')}::text[], ${p('sharedAt')}::bigint[])
    with ordinality as g (id, state, changes, wake_at, events, turns, turn_bytes, summary, details, scope, listed, counted,
      started_at, finished_at, span, variant, channel, language, to_number, account_id, handoff_id, handoff_status,
      handoff_queue, handoff_since, shared_id, shared_at, write)`

/** What a write has beside its log; `scope` as `given_scope`. */
const CARRIED = [
  ...['wake_at', 'state', 'summary', 'details', 'scope as given_scope', 'listed', 'counted', 'started_at'],
  ...['finished_at', 'span', 'variant', 'channel', 'language', 'to_number'],
  ...['account_id', 'handoff_id', 'handoff_status', 'handoff_queue', 'handoff_since'],
  ...['shared_id', 'shared_at'],
]

/**
 * The columns that `done` carries on from the writes. It is never joined with them once more: the planner, which takes
 * it for one row, would compare every write with every other.
 *
 * @param from the table with the columns of {@link writeRows}
 */
export const carried = (from: 'given' | 'locked'): RawBuilder<unknown> =>
  sql.raw(CARRIED.map(column => `${from}.${column}`).join(', '))

/**
 * The parts of a statement that write logs, timers and handoffs. They follow `done`, which has the row, the id and the
 * scope of each conversation that is written, the numbers of its newest event and turn before the write, and what is
 * {@link carried}.
 */
export const written = (t: Tables, p: Placeholder<WriteParameters>): RawBuilder<unknown> => sql`
  logged as (
    insert into ${t('event')} (conversation, sequence, head, payload)
    select done.row, done.sequence + e.place, e.head, e.payload
    from unnest(${p('eventWrite')}::int[], ${p('eventPlace')}::int[], ${p('eventHead')}::text[],
      ${p('eventPayload')}::text[]) as e (write, place, head, payload)
    join done using (write)
  ), identified as (
    insert into ${t('client_event')} (conversation, client_event_id, sequence)
    select done.row, c.id, done.sequence + c.place
    from unnest(${p('clientWrite')}::int[], ${p('clientPlace')}::int[], ${p('clientId')}::text[]) as c (write, place, id)
    join done using (write)
  ), spoken as (
    insert into ${t('turn')} (conversation, number, record, details, words)
    select done.row, done.turns + s.place, s.record, s.details, ${scopedWords(sql`s.words`, sql`done.scope`)}
    from unnest(${p('turnWrite')}::int[], ${p('turnPlace')}::int[], ${p('turnRecord')}::text[], ${p('turnDetails')}::text[],
      ${p('turnWords')}::text[]) as s (write, place, record, details, words)
    join done using (write) order by s.write, s.place
  ), timed as (
    insert into ${t('conversation_timer')} as timer (conversation, wake_at, claims)
    select row, wake_at, 0 from done where wake_at is not null order by row
    on conflict (conversation) do update set wake_at = excluded.wake_at, claims = 0
    where timer.wake_at <> excluded.wake_at or timer.claims <> 0
  ), handed as (
    insert into ${t('handoff')} as h (conversation, conversation_id, account_id, handoff_id, status, queue_name, since)
    select row, id, account_id, handoff_id, handoff_status, handoff_queue, handoff_since
    from done where handoff_id is not null order by write
    on conflict (conversation) do update set account_id = excluded.account_id, handoff_id = excluded.handoff_id,
      status = excluded.status, queue_name = excluded.queue_name, since = excluded.since,
      place = case when h.handoff_id = excluded.handoff_id then h.place else excluded.place end
  )`
