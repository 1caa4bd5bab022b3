import { setTimeout as sleep } from 'node:timers/promises'
import type { IntervalConditions, Store } from '@colloquy/core/store'
import type pg from 'pg'
import { aCall, type Calls, FROM } from '../concurrency.ts'

/** Conversations that are written with a statement. */
const TOGETHER = 50_000

/** A conversation of each variant and language: what the others are copies of but for their ids and times. */
const TEMPLATES = 10

const WEEK = 7 * 86_400_000

/** Durations by class, as `spans.ts` of the adapter has them, in milliseconds. */
const SPAN = `case when finish - start <= 4 * 3600000 then 0 when finish - start <= 2 * 86400000 then 1
  when finish - start <= 45 * 86400000::bigint then 2 else 3 end`

/** When the first timer is due, far off: no platform that opens the store wakes anything. */
export const DUE = Date.UTC(2100, 0, 1)

const copies = (schema: string): string => `
  with given as (
    select 'C-' || call as id, 'C-' || call % ${TEMPLATES} as template, call, start, finish
    from unnest($1::int[], $2::bigint[], $3::bigint[]) as g (call, start, finish)
  ), head as (
    insert into "${schema}".conversation_head (id, version, sequence, turns, turn_bytes, finished, scope, changes)
    select given.id, version, sequence, turns, turn_bytes, finished, scope, changes
    from given join "${schema}".conversation_head as t on t.id = given.template
    returning row, id
  ), place as (
    insert into "${schema}".conversation
      (row, id, scope, listed, counted, started_at, finished_at, span, variant, channel, language, to_number, state, summary, details)
    select head.row, head.id, t.scope, listed, counted, start, finish, ${SPAN}, variant, channel, language, to_number,
      replace(replace(state, given.template || '"', given.id || '"'), ':${FROM},', ':' || start || ','), summary, details
    from given join head on head.id = given.id
    join "${schema}".conversation_head as th on th.id = given.template join "${schema}".conversation as t on t.row = th.row
  ), timer as (
    insert into "${schema}".conversation_timer (conversation, wake_at, claims)
    select head.row, ${DUE} + call, 0 from given join head on head.id = given.id
  )
  insert into "${schema}".event (conversation, sequence, head, payload)
  select head.row, t.sequence, t.head, t.payload from given join head on head.id = given.id
  join "${schema}".conversation_head as th on th.id = given.template join "${schema}".event as t on t.conversation = th.row`

/**
 * Writes many conversations that are over: a few by the store itself, the others as copies of these with times of their
 * own, in the order of their ends. Each sleeps until a moment of its own: call n until n milliseconds after {@link DUE}.
 */
export async function fillPostgres(
  store: Store,
  { pool, schema }: { readonly pool: pg.Pool; readonly schema: string },
  { starts, ends }: Calls,
): Promise<void> {
  for (let call = 0; call < TEMPLATES; call++) {
    const { conversations } = store
    await conversations.create({ ...aCall(call, FROM, FROM + 60_000), wakeAt: DUE + call })
  }
  const order = [...starts.keys()]
    .slice(TEMPLATES)
    .sort((one, other) => (ends[one] ?? 0) - (ends[other] ?? 0))
  const text = copies(schema)
  for (let from = 0; from < order.length; from += TOGETHER) {
    const calls = order.slice(from, from + TOGETHER)
    await pool.query(text, [calls, calls.map(call => starts[call]), calls.map(call => ends[call])])
  }
  // The first had the times of a template until now, so that their states show them.
  await pool.query(
    `update "${schema}".conversation as c set started_at = start, finished_at = finish, span = ${SPAN}
    from unnest($1::text[], $2::bigint[], $3::bigint[]) as g (id, start, finish) where c.id = g.id
    and c.row in (select row from "${schema}".conversation_head where id = any ($1))`,
    [
      Array.from({ length: TEMPLATES }, (_, call) => `C-${call}`),
      [...starts.subarray(0, TEMPLATES)],
      [...ends.subarray(0, TEMPLATES)],
    ],
  )
  await pool.query(`vacuum analyze "${schema}".conversation, "${schema}".conversation_head`)
  await pool.query(`vacuum analyze "${schema}".conversation_timer, "${schema}".event`)
}

/** A read that comes upon fewer loose ones has nothing packed. */
const LEFT_LOOSE = 1_024

/** How long nothing more is packed once all is that can be: longer than a block of millions takes, milliseconds. */
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
