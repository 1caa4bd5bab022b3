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
  insert into conversation (id, version, account_id, agent_id, environment, started_at, finished_at, over_at, body)
    select 'X-' || n, 3, '${ACCOUNT}', '${AGENT}', 'live', n * 1000, n * 1000 + 60000, n * 1000 + 60000, '{}'
    from generate_series(1, ${CONVERSATIONS}) as n;
  insert into listed_conversation (id, version, account_id, agent_id, environment, started_at, finished_at, in_progress,
      variant_id, channel, compared_channel, body)
    select id, version, account_id, agent_id, environment, started_at, finished_at, 0, 'v', 'webchat', 'webchat',
      json_build_object('id', id, 'startedAt', started_at, 'accountId', account_id, 'agentId', agent_id,
        'environment', environment) from conversation where id like 'X-%';
  insert into finished_record (id, version, body)
    select id, version, '{"summary":{},"details":{},"turns":[]}' from conversation where id like 'X-%';
  insert into conversation_state (id, version, body) select id, version, '{}' from conversation where id like 'X-%';
  insert into step (log, first, version, body)
    select id, n, 1, '{"added":[]}' from conversation, generate_series(1, 2) as n where id like 'X-%';
  insert into client_event (log, client_id, version, body)
    select id, 'c', 1, '{"sequence":1}' from conversation where id like 'X-%';
  insert into turn (log, number, version, place, conversation_id, words, body)
    select id, 1, 1, started_at, id, array['user:hello', 'agent:w' || started_at / 1000], '{}'
    from conversation where id like 'X-%';
  insert into loose_interval (conversation_id, account_id, agent_id, environment, started_at, packing, version, body)
    select id, account_id, agent_id, environment, started_at, 0, 1, json_build_object('conversationId', id,
      'accountId', account_id, 'agentId', agent_id, 'environment', environment, 'startedAt', started_at,
      'finishedAt', finished_at, 'gone', false, 'version', 1) from conversation where id like 'X-%';
  insert into timer (id, version, due_at, body) select id, 1, 9000000000000, '{}' from conversation
    on conflict do nothing;
  analyze conversation, conversation_state, listed_conversation, finished_record,
    loose_interval, timer, step, client_event, turn;
  reset search_path`

const LARGE =
  /Seq Scan on (conversation|conversation_state|listed_conversation|finished_record|loose_interval|timer|step|client_event|turn)\b/

describePostgres('plans', (stores: TestStores) => {
  it('no statement of the conversations reads a table from its beginning to find its rows', async () => {
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
    await conversations.eventsBefore('AS-1', 2, { count: 10, bytes: 1_000 })
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
    // A word that few turns hold is found by its index, one that all hold by the list's.
    const rare = await conversations.records.list(
      { ...whose, words: { words: ['w77'], speaker: 'agent' } },
      { offset: 0 },
      10,
    )
    expect(rare.records).toHaveLength(1)
    const common = await conversations.records.list(
      { ...whose, words: { words: ['hello'], speaker: 'user' } },
      { offset: 0 },
      10,
    )
    expect(common.records).toHaveLength(10)
    expect(sent.size).toBeGreaterThanOrEqual(20)

    const client = await schemas.pool.connect()
    try {
      for (const [text, values] of sent) {
        const given = values.map(value => (value === null ? 'null' : client.escapeLiteral(value))).join(', ')
        // Without the limit's value a page counts as a tenth of the table: the server plans those for their values.
        for (const mode of text.includes('limit $') || text.includes('words &&')
          ? ['custom']
          : ['custom', 'generic']) {
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
  })

  it('a statement of many writes compares none of them with every other', async () => {
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
    const writes = [...sent].filter(([text]) => text.includes('verdict'))
    expect(writes).toHaveLength(2)
    // So that the same can be written once more.
    const before = `set local search_path to "${schema}"; delete from conversation; delete from client_event;
      delete from conversation_state; delete from listed_conversation; delete from timer;
      delete from loose_interval; delete from turn; delete from step`
    const created = `${before} where first > 1`
    const client = await pool.connect()
    try {
      for (const [place, [text, values]] of writes.entries()) {
        const given = values.map(value => (value === null ? 'null' : client.escapeLiteral(value))).join(', ')
        // The plan that stays once it was chosen; rolled back, so that nothing is written.
        await client.query(
          `begin; ${place === 0 ? before : created}; set local plan_cache_mode = force_generic_plan`,
        )
        await client.query(`prepare looked_at as ${text}`)
        const { rows } = await client.query<{ readonly 'QUERY PLAN': string }>(
          `explain (analyze, timing off, costs off, summary off) execute looked_at(${given})`,
        )
        await client.query('rollback; deallocate looked_at')
        const plan = rows.map(row => row['QUERY PLAN']).join('\n')
        const compared = [...plan.matchAll(/Rows Removed by Join Filter: (\d+)/g)].map(([, count]) =>
          Number(count),
        )
        expect(plan).toMatch(/Insert on step/)
        expect(plan).toMatch(/Rows Removed by Filter: 200/)
        expect(Math.max(0, ...compared), plan).toBeLessThan(many.length)
      }
    } finally {
      client.release()
    }
  })
})
