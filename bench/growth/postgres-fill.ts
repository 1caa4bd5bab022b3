import { setTimeout as sleep } from 'node:timers/promises'
import { ALL_KINDS, type IntervalConditions, type Store } from '@colloquy/core/store'
import type pg from 'pg'
import { aCall, type Calls, FROM } from '../concurrency.ts'

/** Conversations that are written with a statement. */
const TOGETHER = 50_000

/** A conversation of each variant and language: what all are copies of but for their ids and times. */
const TEMPLATES = 10

const LOOSE = ALL_KINDS.find(({ name }) => name === 'loose_interval')

const WEEK = 7 * 86_400_000

/** The class of a duration, as figures have it. */
const packingOf = (startedAt: number, finishedAt: number): number =>
  Number(LOOSE?.columns.packing?.of({ gone: false, startedAt, finishedAt }))

/** Time at which the first timer is due, far in the future: no platform that opens the store wakes anything. */
export const DUE = Date.UTC(2100, 0, 1)

/** Tables of what a conversation is kept as, each with its id. */
const TABLES = {
  conversation: 'id',
  conversation_state: 'id',
  listed_conversation: 'id',
  loose_interval: 'conversation_id',
  finished_record: 'id',
  timer: 'id',
  step: 'log',
} as const

/** A row of a template as one of another conversation: ids and times stand in its columns, and in its JSON as well. */
const copies = (schema: string, table: keyof typeof TABLES): string => `
  insert into "${schema}".${table} select row.* from (
    select 'C-' || call as id, 'T-' || call % ${TEMPLATES} as template, call, start, finish, packing
    from unnest($1::int[], $2::bigint[], $3::bigint[], $4::int[]) as g (call, start, finish, packing)
  ) as given
  join "${schema}".conversation as p on p.id = given.template
  cross join lateral (select p.log as own, 'L-' || call as made) as log
  join "${schema}".${table} as t on t.${TABLES[table]} = ${TABLES[table] === 'log' ? 'log.own' : 'p.id'}
  cross join lateral jsonb_populate_record(t, replace(replace(replace(replace(replace(replace(replace(row_to_json(t)::text,
    template || '"', given.id || '"'), template || '\\"', given.id || '\\"'),
    log.own || '"', log.made || '"'), log.own || '\\"', log.made || '\\"'), ':${FROM},', ':' || start || ','),
    ':${FROM + 60_000}', ':' || finish), ':${DUE},', ':' || ${DUE} + call || ',')::jsonb
    || case when '${table}' = 'loose_interval' then jsonb_build_object('packing', given.packing) else '{}' end) as row`

/**
 * Writes many conversations that are over: a few by the store itself, and all as copies of these with times of their
 * own, in the order of their ends. Each sleeps until a moment of its own: call n until n milliseconds after {@link DUE}.
 */
export async function fillPostgres(
  store: Store,
  { pool, schema }: { readonly pool: pg.Pool; readonly schema: string },
  { starts, ends }: Calls,
): Promise<void> {
  for (let call = 0; call < TEMPLATES; call++) {
    const { conversations } = store
    const template = aCall(call, FROM, FROM + 60_000)
    const state = { ...template.state, id: `T-${call}` }
    await conversations.create({ ...template, conversationId: `T-${call}`, state, wakeAt: DUE })
  }
  const order = [...starts.keys()].sort((one, other) => (ends[one] ?? 0) - (ends[other] ?? 0))
  for (let from = 0; from < order.length; from += TOGETHER) {
    const calls = order.slice(from, from + TOGETHER)
    const times = calls.map(call => [starts[call] ?? 0, ends[call] ?? 0] as const)
    const values = [
      calls,
      times.map(([start]) => start),
      times.map(([, end]) => end),
      times.map(both => packingOf(...both)),
    ]
    for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[])
      await pool.query(copies(schema, table), values)
  }
  for (const [table, id] of Object.entries(TABLES)) {
    if (id !== 'log')
      await pool.query(`delete from "${schema}".${table} where ${id} = any ($1)`, [
        Array.from({ length: TEMPLATES }, (_, call) => `T-${call}`),
      ])
    await pool.query(`vacuum analyze "${schema}".${table}`)
  }
}

/** A read that comes upon fewer loose ones has nothing packed. */
const LEFT_LOOSE = 1_024

/**
 * Time without further packing after which everything is packed, milliseconds: longer than a block of millions takes.
 */
const SETTLED = 90_000

/** Reads the figures of a week until what can be packed of it is packed, as a store that is looked at now and then has it. */
export async function untilPacked({ conversations }: Store, whose: IntervalConditions): Promise<void> {
  const week = { ...whose, from: FROM, to: FROM + WEEK }
  let [loose, since] = [Number.POSITIVE_INFINITY, performance.now()]
  while (performance.now() - since < SETTLED) {
    const { starts } = await conversations.intervals.list(week)
    if (starts.length < loose) [loose, since] = [starts.length, performance.now()]
    if (loose < LEFT_LOOSE) return
    await sleep(2_000)
  }
}
