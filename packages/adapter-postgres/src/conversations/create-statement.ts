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

/** Creates several conversations, each with its own outcome. Ids are taken in their order, as rows are locked. */
const createStatement = (define: Define) =>
  define<WriteParameters & OutboxParameters>('create a conversation')<{ readonly created: boolean }>(
    (t, p) => sql`
    with given as (
      select * from ${writeRows(p)}
    ), added as (
      insert into ${t('conversation_head')} (id, version, sequence, turns, turn_bytes, finished, scope, changes)
      select id, 1, events, turns, turn_bytes, finished_at is not null, scope, null from given order by id collate "C"
      on conflict (id) do nothing returning row, id, scope
    ), done as (
      select given.write, added.row, added.id, 0 as sequence, 0 as turns, added.scope, ${carried('given')}
      from added join given on given.id = added.id
    ), ${written(t, p)}, placed as (
      insert into ${t('conversation')} (row, id, scope, listed, counted, started_at, finished_at, span, variant, channel,
        language, to_number, shared_id, shared_at, state, summary, details)
      select row, id, scope, listed, counted, started_at, finished_at, span, variant, channel, language, to_number, shared_id,
        shared_at, state, summary, details
      from done
    ), ${keeping(t, p)}
    select done.row is not null as created from given left join done using (write) order by given.write`,
  )

/** Carries creations out, one statement for all of them. */
export function createCreations(define: Define, on: Execute) {
  const statement = createStatement(define)
  return async (writes: readonly EncodedWrite[]): Promise<readonly ('created' | 'taken')[]> => {
    const outboxes = outboxesOf(writes.map(({ outbox }, at) => ({ write: at + 1, outbox })))
    const rows = await statement.all({ ...(await writeParameters(writes)), ...outboxes }, on)
    return rows.map(({ created }) => (created ? 'created' : 'taken'))
  }
}
