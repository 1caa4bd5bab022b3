import type { Store } from '@colloquy/core/store'
import {
  ACCOUNT,
  AGENT,
  aConversation,
  anAgent,
  anAppend,
  anAuditEntry,
  anEvent,
  aRealTimeConfig,
  aTurn,
} from '@colloquy/core/testing'
import { eventsOf } from '@colloquy/test-support/stored'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { createPostgresStore } from '../src/store.ts'
import { describePostgres } from './postgres.ts'

// Slow: connections to a real PostgreSQL are ended in the middle of writes, again and again.

const idOf = (at: number): string => `AS-${at}`

/** Appends an event of that id, whatever was appended before, until it is there; undefined where the store refuses. */
async function appendOne(store: Store, id: string, eventId: string): Promise<string | undefined> {
  for (;;) {
    const stored = await store.conversations.load(id).catch(() => null)
    if (stored === null) return undefined
    const result = await store.conversations
      .append(
        anAppend(aConversation(id), stored.version, {
          events: [anEvent({ id: eventId, clientEventId: eventId })],
          turns: [aTurn(eventId)],
          wakeAt: stored.version,
        }),
      )
      .catch(() => null)
    if (result === null) return undefined
    if (result.status !== 'stale') return eventId
  }
}

describePostgres('appends', stores => {
  /** A store over a pool of the test's own, which notes what is sent. */
  async function openNoting(): Promise<{ readonly store: Store; readonly sent: string[] }> {
    const pool = new pg.Pool({ connectionString: stores.schemas.url, max: 4 })
    const sent: string[] = []
    const query = pool.query.bind(pool)
    const noting = {
      connect: () => pool.connect(),
      on: pool.on.bind(pool),
      removeListener: pool.removeListener.bind(pool),
      query: (asked: { readonly text: string }) => {
        sent.push(asked.text)
        return query(asked)
      },
    }
    const store = await createPostgresStore({ pool: noting, schema: stores.schemas.fresh() })
    onTestFinished(async () => {
      await store.close()
      await pool.end()
    })
    return { store, sent }
  }

  it('PM1 each statement tells how many writes it carried', async () => {
    const { store } = await openNoting()
    const told: number[] = []
    store.onCommit?.(writes => told.push(writes))
    const ids = Array.from({ length: 7 }, (_, at) => idOf(at))
    await Promise.all(ids.map(id => store.conversations.create(aConversation(id))))
    await appendOne(store, idOf(1), 'one')
    // The first one writes down where its conversation belongs.
    expect(told).toEqual([1, 7, 1])
  })

  it('PG20 writes to conversations that come in one tick share one statement', async () => {
    const { store, sent } = await openNoting()
    const ids = Array.from({ length: 40 }, (_, at) => idOf(at))
    await store.conversations.create(aConversation('AS-first'))
    sent.length = 0
    const created = await Promise.all(ids.map(id => store.conversations.create(aConversation(id))))
    expect(new Set(created)).toEqual(new Set(['created']))
    expect(sent).toHaveLength(1)
    sent.length = 0
    const append = (version: number, topic?: string) =>
      Promise.all(
        ids.map(id =>
          store.conversations.append(
            anAppend(aConversation(id), version, {
              events: [anEvent()],
              turns: [{ ...aTurn('one'), ...(topic && { details: { cited_topic: topic } }) }],
            }),
          ),
        ),
      )
    expect(new Set((await append(1)).map(({ status }) => status))).toEqual(new Set(['appended']))
    expect(sent).toHaveLength(1)
    sent.length = 0
    expect(new Set((await append(2, 'Pets')).map(({ status }) => status))).toEqual(new Set(['appended']))
    expect(sent).toHaveLength(1)
    sent.length = 0
    await store.conversations.load(idOf(3))
    expect(sent).toHaveLength(3)
  })

  it('PG20 writes of different parts are made by few statements', async () => {
    const { store, sent } = await openNoting()
    const ids = Array.from({ length: 8 }, (_, at) => idOf(at))
    await Promise.all(ids.map(id => store.conversations.create(aConversation(id))))
    sent.length = 0
    const parts = [
      { events: [anEvent()] },
      { events: [anEvent({ clientEventId: 'c' })] },
      { events: [anEvent()], turns: [aTurn('one')] },
      { events: [anEvent()], wakeAt: 9 },
      { events: [anEvent()], outbox: { audit: anAuditEntry('A-1') } },
      { turns: [aTurn('one')], wakeAt: 9 },
      { events: [anEvent({ clientEventId: 'c' })], turns: [aTurn('one')], wakeAt: 9 },
    ]
    const append = (part: object, at: number, version: number) =>
      store.conversations.append(anAppend(aConversation(idOf(at)), version, part))
    // All of them together, and then each by itself: what is written together needs no more statements.
    expect(await Promise.all(parts.map((part, at) => append(part, at, 1)))).toHaveLength(7)
    for (const at of [0, 2, 3, 5])
      expect(await append(parts[at] ?? {}, at, 2)).toEqual({ status: 'appended' })
    const writes = sent.filter(text => text.includes('verdict'))
    expect(writes).toHaveLength(5)
    expect(new Set(writes).size).toBeLessThanOrEqual(4)
  })

  it('documents that are read in one tick share one statement', async () => {
    const { store, sent } = await openNoting()
    const { realTimeConfigs } = store.agents
    await store.agents.create(anAgent())
    await realTimeConfigs.write(0, aRealTimeConfig({ environment: 'live', variables: { open: true } }))
    sent.length = 0
    const read = () => realTimeConfigs.variables(AGENT, 'live')
    const all = await Promise.all([
      ...Array.from({ length: 40 }, read),
      realTimeConfigs.variables(AGENT, 'sandbox'),
    ])
    expect(all).toEqual([...Array.from({ length: 40 }, () => ({ open: true })), null])
    expect(new Set(all.slice(0, 40)).size).toBe(40)
    expect(sent).toHaveLength(1)
    // What was asked for before a write may lack it; what is asked for after it has it.
    const before = read()
    const next = aRealTimeConfig({ environment: 'live', version: 2, variables: { open: false } })
    await realTimeConfigs.write(1, next)
    expect(await read()).toEqual({ open: false })
    await before
    const late = realTimeConfigs.variables(AGENT, 'live')
    await store.close()
    expect(await late).toEqual({ open: false })
    await expect(read()).rejects.toThrow('The store is closed.')
  })

  it('PG20 a write that the database refuses is undone whole and rejected alone; the others of its tick are made', async () => {
    const store = await stores.open()
    const { conversations } = store
    for (let at = 0; at < 5; at++) await conversations.create(aConversation(idOf(at)))
    // As a disk does that is full for some.
    await stores.schemas.pool.query(
      `alter table "${stores.schemaOf(store)}".step add constraint no_room check (body not like '%too much%')`,
    )
    const refused = [anEvent({ clientEventId: 'same', id: 'too much' })]
    const audit = anAuditEntry('A-1')
    const results = await Promise.allSettled(
      [0, 1, 2, 3, 4].map(at =>
        conversations.append(
          anAppend(aConversation(idOf(at)), 1, {
            events: at === 2 ? refused : [anEvent({ clientEventId: 'same' })],
            turns: [aTurn('one')],
            outbox: at === 2 ? { audit } : {},
          }),
        ),
      ),
    )
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(results[2]).toMatchObject({
      reason: {
        message: expect.stringContaining('PostgreSQL could not write documents: new row'),
      },
    })
    for (let at = 0; at < 5; at++) {
      expect(await conversations.load(idOf(at))).toMatchObject({ version: at === 2 ? 1 : 2 })
      expect(await eventsOf(conversations, idOf(at), 1)).toHaveLength(at === 2 ? 0 : 1)
      expect(await conversations.turns(idOf(at))).toHaveLength(at === 2 ? 0 : 1)
    }
    expect((await store.audit.list({ accountId: ACCOUNT }, 9)).values).toEqual([])
    await stores.schemas.pool.query(`alter table "${stores.schemaOf(store)}".step drop constraint no_room`)
  })

  it('PG30 two nodes that write the same conversations at once, in opposite orders, lose nothing and never wait for each other', async () => {
    const one = await stores.open()
    const other = await stores.openAgain(one)
    onTestFinished(() => Promise.all([one.close(), other.close()]).then(() => undefined))
    const ids = Array.from({ length: 30 }, (_, at) => idOf(at))
    await Promise.all(ids.map(id => one.conversations.create(aConversation(id))))
    const deadlocks = async () =>
      Number(
        (
          await stores.schemas.pool.query(
            'select deadlocks from pg_stat_database where datname = current_database()',
          )
        ).rows[0]?.deadlocks,
      )
    /** A busy machine makes the store refuse some, which are sent again under their ids. */
    const write = async (store: Store, id: string, eventId: string): Promise<string> =>
      (await appendOne(store, id, eventId)) ?? write(store, id, eventId)
    const before = await deadlocks()
    await Promise.all(
      [0, 1, 2, 3].flatMap(round => [
        ...ids.map(id => write(one, id, `one ${round} ${id}`)),
        ...ids.toReversed().map(id => write(other, id, `other ${round} ${id}`)),
      ]),
    )
    for (const id of ids) {
      const events = await eventsOf(one.conversations, id, 1)
      expect(events).toHaveLength(8)
      expect(new Set(events.map(event => event.id)).size).toBe(8)
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 2))
      expect(await other.conversations.load(id)).toMatchObject({ version: 9 })
    }
    expect(await deadlocks()).toBe(before)
  })

  it('PG30 whose connection is ended in the middle of writes: what was acknowledged is there, once, and what was rejected at most once', async () => {
    const schema = stores.schemas.fresh()
    const name = new URL(stores.schemas.url)
    name.searchParams.set('application_name', schema)
    const warned: string[] = []
    const silent = (): void => {}
    const log = {
      debug: silent,
      info: silent,
      error: silent,
      warn: (message: string) => warned.push(message),
    }
    const store = await createPostgresStore({ url: name.href, schema, maxConnections: 3, log })
    onTestFinished(() => store.close())
    const ids = Array.from({ length: 12 }, (_, at) => idOf(at))
    await Promise.all(ids.map(id => store.conversations.create(aConversation(id))))
    const tried = new Map<string, string[]>(ids.map(id => [id, []]))
    const kept = new Map<string, string[]>(ids.map(id => [id, []]))
    let refused = 0
    let ended = 0
    let goOn = true
    const write = async (id: string) => {
      for (let at = 0; goOn; at++) {
        const eventId = `${id} ${at}`
        tried.get(id)?.push(eventId)
        const done = await appendOne(store, id, eventId)
        if (done === undefined) refused++
        else kept.get(id)?.push(done)
      }
    }
    const writers = ids.map(write)
    while (ended < 40 || refused === 0) {
      const { rows } = await stores.schemas.pool.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and state = 'active'",
        [schema],
      )
      ended += rows.length
    }
    goOn = false
    await Promise.all(writers)
    for (const id of ids) {
      const events = (await eventsOf(store.conversations, id, 1)).map(event => event.id)
      expect(new Set(events).size).toBe(events.length)
      expect(events.filter(event => kept.get(id)?.includes(event))).toEqual(kept.get(id))
      expect(events.every(event => tried.get(id)?.includes(event))).toBe(true)
      expect(await store.conversations.turns(id)).toEqual(events.map(event => aTurn(event)))
    }
  })
})
