import type { AppendResult, HandoffWait } from '@colloquy/core/store'
import { sql } from 'kysely'
import type { Define, Execute } from '../database/statements.ts'
import { keeping, type OutboxParameters, outboxesOf } from '../outbox/outbox-keeper.ts'
import {
  carried,
  type EncodedWrite,
  type WriteParameters,
  writeParameters,
  writeRows,
  written,
} from './write-rows.ts'

/** An append in the form of its rows, independent of what the caller does with its argument. */
export interface EncodedAppend extends EncodedWrite {
  readonly expectedVersion: number
  readonly delivered: readonly string[]
  readonly joinedWait: HandoffWait | null
}

type AppendParameters = WriteParameters &
  OutboxParameters & {
    expected: readonly number[]
    deliveredWrite: readonly number[]
    deliveredId: readonly string[]
    waitWrite: readonly number[]
    waitAccount: readonly string[]
    waitQueue: readonly string[]
    waitJoined: readonly number[]
    waitWaited: readonly number[]
    waitKeep: readonly number[]
  }

/** What became of an append: neither appended nor a duplicate is stale. */
interface Outcome {
  readonly appended: boolean
  readonly duplicate: number | null
}

/**
 * Appends to several conversations, each with its own outcome. Rows are locked in the order of conversations, so that
 * two nodes never wait for each other; what was locked is looked at once more as it is then.
 */
const appendStatement = (define: Define) =>
  define<AppendParameters>('append to a conversation')<Outcome>(
    (t, p) => sql`
    with given as (
      select * from unnest(${p('expected')}::int[]) with ordinality as e (expected, write)
      join ${writeRows(p)} using (write)
    ), known as (
      select distinct on (c.write) c.write, k.sequence
      from unnest(${p('clientWrite')}::int[], ${p('clientId')}::text[]) with ordinality as c (write, id, place)
      join given on given.write = c.write
      join ${t('conversation_head')} as h on h.id = given.id
      join ${t('client_event')} as k on k.conversation = h.row and k.client_event_id = c.id
      order by c.write, c.place
    ), locked as (
      select given.*, h.row, h.sequence as former_sequence, h.turns as former_turns, h.scope as former_scope,
        h.finished as was_finished
      from given join ${t('conversation_head')} as h on h.id = given.id
      where h.version = given.expected and not exists (select from known where known.write = given.write)
      order by h.row for no key update of h
    ), done as (
      update ${t('conversation_head')} as h set
        version = h.version + 1,
        sequence = h.sequence + locked.events,
        turns = h.turns + locked.turns,
        turn_bytes = h.turn_bytes + locked.turn_bytes,
        scope = coalesce(locked.scope, h.scope),
        finished = case when locked.scope is null then h.finished else locked.finished_at is not null end,
        changes = locked.changes
      from locked where h.row = locked.row
      returning locked.write, h.row, h.id, locked.former_sequence as sequence, locked.former_turns as turns, h.scope,
        locked.former_scope, locked.was_finished, ${carried('locked')}
    ), ${written(t, p)}, placed as (
      update ${t('conversation')} as c set
        state = coalesce(done.state, c.state),
        summary = done.summary,
        details = done.details,
        scope = coalesce(done.given_scope, c.scope),
        listed = coalesce(done.listed, c.listed),
        counted = coalesce(done.counted, c.counted),
        started_at = coalesce(done.started_at, c.started_at),
        finished_at = case when done.given_scope is null then c.finished_at else done.finished_at end,
        span = coalesce(done.span, c.span),
        variant = coalesce(done.variant, c.variant),
        channel = coalesce(done.channel, c.channel),
        language = case when done.given_scope is null then c.language else done.language end,
        to_number = coalesce(done.to_number, c.to_number),
        shared_id = case when done.given_scope is null then c.shared_id else done.shared_id end,
        shared_at = case when done.given_scope is null then c.shared_at else done.shared_at end,
        place = case when done.given_scope is null then c.place else pg_current_xact_id()::text::bigint end
      from done
      where c.row = done.row and (done.state is not null or done.given_scope is not null or done.was_finished)
    ), renamed as (
      update ${t('turn')} as turn set words = array(
        select done.scope || substr(word, strpos(word, ':')) from unnest(turn.words) as word)
      from done where turn.conversation = done.row and done.scope <> done.former_scope
    ), untimed as (
      delete from ${t('conversation_timer')} where conversation in (
        select row from done where wake_at is null)
    ), unhanded as (
      delete from ${t('handoff')} where conversation in (
        select row from done where given_scope is not null and handoff_id is null)
    ), delivered as (
      update ${t('external_event')} as e set pending = null
      from unnest(${p('deliveredWrite')}::int[], ${p('deliveredId')}::text[]) as d (write, id) join done using (write)
      where e.event_id = d.id and e.conversation = done.row
    ), joined as (
      select w.* from unnest(${p('waitWrite')}::int[], ${p('waitAccount')}::text[], ${p('waitQueue')}::text[],
        ${p('waitJoined')}::bigint[], ${p('waitWaited')}::bigint[], ${p('waitKeep')}::bigint[])
        as w (write, account_id, queue_name, joined_at, waited, keep_since) join done using (write)
    ), waited as (
      insert into ${t('handoff_wait')} (account_id, queue_name, joined_at, waited)
      select account_id, queue_name, joined_at, waited from joined order by write
    ), forgotten as (
      delete from ${t('handoff_wait')} where row in (
        select w.row from ${t('handoff_wait')} as w join joined using (account_id, queue_name)
        where w.joined_at < joined.keep_since order by w.row for update of w skip locked)
    ), ${keeping(t, p)}
    select done.row is not null as appended, known.sequence as duplicate
    from given left join done using (write) left join known using (write) order by given.write`,
  )

/** Carries appends out, one statement for all of them. */
export function createAppends(define: Define, on: Execute) {
  const statement = appendStatement(define)
  return async (appends: readonly EncodedAppend[]): Promise<readonly AppendResult[]> => {
    const waits = appends.flatMap(({ joinedWait }, at) =>
      joinedWait === null ? [] : [{ ...joinedWait, write: at + 1 }],
    )
    const delivered = appends.flatMap(({ delivered }, at) => delivered.map(id => ({ write: at + 1, id })))
    const rows = await statement.all(
      {
        ...(await writeParameters(appends)),
        ...outboxesOf(appends.map(({ outbox }, at) => ({ write: at + 1, outbox }))),
        expected: appends.map(({ expectedVersion }) => expectedVersion),
        deliveredWrite: delivered.map(({ write }) => write),
        deliveredId: delivered.map(({ id }) => id),
        waitWrite: waits.map(({ write }) => write),
        waitAccount: waits.map(({ accountId }) => accountId),
        waitQueue: waits.map(({ queueName }) => queueName),
        waitJoined: waits.map(({ joinedAt }) => joinedAt),
        waitWaited: waits.map(({ waited }) => waited),
        waitKeep: waits.map(({ keepSince }) => keepSince),
      },
      on,
    )
    return rows.map(({ appended, duplicate }) => {
      if (appended) return { status: 'appended' }
      return duplicate === null ? { status: 'stale' } : { status: 'duplicate', sequence: duplicate }
    })
  }
}
