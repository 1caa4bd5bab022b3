import type { Store } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, anAppend, anEvent, aTurn } from '@colloquy/core/testing'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import type { PostgresQuery } from '../src/database/pool.ts'
import { createPostgresStore } from '../src/store.ts'
import { describePostgres, type TestStores } from './postgres.ts'

/** Enough for the planner to prefer an index wherever there is one. */
const CONVERSATIONS = 20_000

/** Rows as a store writes them, of many conversations that are over. */
const fill = (schema: string): string => `
  set search_path to "${schema}";
  insert into conversation_head (id, version, sequence, turns, turn_bytes, finished, scope, changes)
    select 'X-' || n, 3, 2, 1, 60, true, 1, null from generate_series(1, ${CONVERSATIONS}) as n;
  insert into conversation (row, id, scope, listed, counted, started_at, finished_at, span, variant, channel, language,
      to_number, state, summary, details)
    select row, id, 1, true, true, row * 1000, row * 1000 + 60000, 0, 1, 'webchat', null, '', '{}', '{}', '{}'
    from conversation_head where id like 'X-%';
  insert into event (conversation, sequence, head, payload)
    select row, n, '{"id":"e","at":1,"type":"USER_MESSAGE"}', '{}' from conversation_head, generate_series(1, 2) as n
    where id like 'X-%';
  insert into client_event (conversation, client_event_id, sequence) select row, 'c', 1 from conversation_head where id like 'X-%';
  insert into turn (conversation, number, record, details, words)
    select row, 1, '{"user_input":"hello","agent_response":"w"}', '{}', array['1:uhello', '1:aw' || row] from conversation_head
    where id like 'X-%';
  insert into conversation_timer (conversation, wake_at, claims) select row, 9000000000000, 0 from conversation_head
    on conflict do nothing;
  analyze; reset search_path`

const LARGE = /Seq Scan on (conversation|conversation_head|conversation_timer|event|client_event|turn)\b/

describePostgres('plans', (stores: TestStores) => {
  it('PG60 no statement of the conversations reads a table from its beginning to find its rows', async () => {
    const { schemas } = stores
    const schema = schemas.fresh()
    const pool = new pg.Pool({ connectionString: schemas.url, max: 2 })
    const sent = new Map<string, readonly (string | null)[]>()
    const noting = {
      connect: () => pool.connect(),
      on: pool.on.bind(pool),
      removeListener: pool.removeListener.bind(pool),
      query: (asked: PostgresQuery) => {
        sent.set(asked.text, asked.values ?? [])
        return pool.query({ ...asked, values: [...(asked.values ?? [])] })
      },
    }
    const store: Store = await createPostgresStore({ pool: noting, schema })
    onTestFinished(async () => {
      await store.close()
      await pool.end()
    })
    const { conversations } = store
    const created = aConversation('AS-1')
    await conversations.create(created)
    await schemas.pool.query(fill(schema))

    sent.clear()
    const whose = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
    await conversations.create(aConversation('AS-2'))
    await conversations.append(
      anAppend(created, 1, { events: [anEvent({ clientEventId: 'c' })], turns: [aTurn('one')] }),
    )
    await conversations.load('AS-1')
    await conversations.eventPage('AS-1', 0, { count: 10, bytes: 1_000 })
    await conversations.clientEvent('AS-1', ['c'])
    await conversations.turns('AS-1')
    await conversations.turnPage('AS-1', 0, 1_000)
    await conversations.listOpen(AGENT)
    await conversations.timers.claimDue(5, 10, 6)
    await conversations.timers.hasten(9e15, 1, 10)
    await conversations.handoffs.list(ACCOUNT, 'waiting')
    await conversations.externalEvents.find('x')
    await conversations.records.list(whose, { offset: 0 }, 10, 1_000_000)
    await conversations.records.list(whose, { after: { startedAt: 5_000, id: 'X-5' } }, 10, 1_000_000)
    await conversations.records.newest(whose, { offset: 0 }, 10, 1_000_000)
    await conversations.records.find(ACCOUNT, AGENT, 'AS-1')
    await conversations.intervals.list({ ...whose, from: 5_000_000, to: 5_060_000 })
    await conversations.intervals.stamps(whose, [{ from: 5_000_000, to: 5_060_000 }])
    await conversations.removals.removeFinished(whose, 100, 10)
    await conversations.removals.remove(ACCOUNT, AGENT, 'AS-none')
    await conversations.turnVectors.next('e', whose, null, 10)
    expect(sent.size).toBeGreaterThanOrEqual(20)

    const client = await schemas.pool.connect()
    try {
      for (const [text, values] of sent) {
        const given = values.map(value => (value === null ? 'null' : client.escapeLiteral(value))).join(', ')
        // Without the limit's value a page counts as a tenth of the table: the server plans those for their values.
        for (const mode of text.includes('limit $') ? ['custom'] : ['custom', 'generic']) {
          await client.query(`set plan_cache_mode = force_${mode}_plan; prepare looked_at as ${text}`)
          const { rows } = await client.query<{ readonly 'QUERY PLAN': string }>(
            `explain execute looked_at${values.length === 0 ? '' : `(${given})`}`,
          )
          await client.query('deallocate looked_at; reset plan_cache_mode')
          const plan = rows.map(row => row['QUERY PLAN']).join('\n')
          expect(LARGE.exec(plan)?.[0], `${mode}: ${text}\n${plan}`).toBeUndefined()
        }
      }
    } finally {
      client.release()
    }

    // A word that few turns hold is found by its index, one that all hold by the list's.
    const rare = await conversations.records.list(
      { ...whose, words: { words: ['w77'], speaker: 'agent' } },
      { offset: 0 },
      10,
    )
    expect(rare.records).toHaveLength(1)
  })

  it('PG62 a statement of many writes compares none of them with every other', async () => {
    const { schemas } = stores
    const pool = new pg.Pool({ connectionString: schemas.url, max: 4 })
    const sent = new Map<string, readonly (string | null)[]>()
    const noting = {
      connect: () => pool.connect(),
      on: pool.on.bind(pool),
      removeListener: pool.removeListener.bind(pool),
      query: (asked: PostgresQuery) => {
        sent.set(asked.text, asked.values ?? [])
        return pool.query({ ...asked, values: [...(asked.values ?? [])] })
      },
    }
    const schema = schemas.fresh()
    const store = await createPostgresStore({ pool: noting, schema })
    onTestFinished(async () => {
      await store.close()
      await pool.end()
    })
    const many = Array.from({ length: 200 }, (_, at) => aConversation(`AS-${at}`))
    await store.conversations.create(aConversation('AS-first'))
    sent.clear()
    await Promise.all(many.map(one => store.conversations.create(one)))
    await Promise.all(
      many.map((one, at) =>
        store.conversations.append(
          anAppend(one, 1, { events: [anEvent({ clientEventId: `c${at}` })], turns: [aTurn('one')] }),
        ),
      ),
    )
    expect(sent.size).toBe(2)
    // So that the same can be written once more.
    const before = [
      `update "${schema}".conversation_head set id = id || ' before'; update "${schema}".conversation set id = id || ' before'`,
      `update "${schema}".conversation_head set version = 1; delete from "${schema}".client_event`,
    ]
    const client = await pool.connect()
    try {
      for (const [place, [text, values]] of [...sent].entries()) {
        const given = values.map(value => (value === null ? 'null' : client.escapeLiteral(value))).join(', ')
        // The plan that stays once it was chosen; rolled back, so that nothing is written.
        await client.query(`begin; ${before[place]}; set local plan_cache_mode = force_generic_plan`)
        await client.query(`prepare looked_at as ${text}`)
        const { rows } = await client.query<{ readonly 'QUERY PLAN': string }>(
          `explain (analyze, timing off, costs off, summary off) execute looked_at(${given})`,
        )
        await client.query('rollback; deallocate looked_at')
        const plan = rows.map(row => row['QUERY PLAN']).join('\n')
        const compared = [...plan.matchAll(/Rows Removed by Join Filter: (\d+)/g)].map(([, count]) =>
          Number(count),
        )
        expect(plan).toMatch(/CTE Scan on done.*rows=200/)
        expect(Math.max(0, ...compared), plan).toBeLessThan(many.length)
      }
    } finally {
      client.release()
    }
  })
})
