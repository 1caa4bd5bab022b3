import { silentLog } from '@colloquy/core'
import { aConversation, anAuditEntry } from '@colloquy/core/testing'
import { swallowingProxy } from '@colloquy/test-support/swallowing-proxy'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createPostgresStore } from '../src/store.ts'
import { describePostgres } from './postgres.ts'

// Slow: sessions of a real PostgreSQL are ended, and come back after real pauses.

describePostgres('sessions', stores => {
  const { schemas } = stores

  it('PG23 a failure names the operation, and keeps the driver’s error as its cause', async () => {
    const schema = schemas.fresh()
    const store = await createPostgresStore({ url: schemas.url, schema })
    onTestFinished(() => store.close())
    await schemas.pool.query(`drop table "${schema}".account`)
    await expect(store.access.accounts.list({}, 1)).rejects.toMatchObject({
      message: `PostgreSQL could not list the accounts: relation "${schema}.account" does not exist`,
      cause: { code: '42P01' },
    })
  })

  it('MA13 the clock is the server’s, whatever the process’s own says', async () => {
    const wall = vi.spyOn(Date, 'now').mockReturnValue(0)
    onTestFinished(() => wall.mockRestore())
    const store = await stores.open()
    wall.mockReturnValue(86_400_000)
    const { rows } = await schemas.pool.query(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
    )
    const apart = Math.abs(Number(store.clock?.now()) - rows[0].now)
    // What was asked when it was opened may be off by as much as that took; the process's own clock is off by years.
    expect(apart).toBeLessThan(86_400_000)
    expect(Number.isInteger(store.clock?.now())).toBe(true)
  })

  it('after `close` calls say that the store is closed; closing again is no error', async () => {
    const store = await stores.open()
    await Promise.all([store.close(), store.close()])
    await store.close()
    await expect(store.conversations.load('AS-1')).rejects.toThrow('The store is closed.')
    await expect(store.conversations.create(aConversation('AS-1'))).rejects.toThrow('The store is closed.')
    await expect(store.audit.remove(1, 1)).rejects.toThrow('The store is closed.')
  })

  it('`close` waits for the writes that came before it', async () => {
    const store = await stores.open()
    const writes = Array.from({ length: 50 }, (_, at) =>
      store.conversations.create(aConversation(`AS-${at}`)),
    )
    await store.close()
    expect(new Set(await Promise.all(writes))).toEqual(new Set(['created']))
    const again = await stores.openAgain(store)
    onTestFinished(() => again.close())
    expect(await again.conversations.listOpen('PROJECT-ONE')).toHaveLength(50)
  })

  it('a pool of the host is used and left open, and keeps the types of its own queries', async () => {
    const pool = new pg.Pool({ connectionString: schemas.url, max: 2 })
    onTestFinished(() => pool.end())
    const store = await createPostgresStore({ pool, schema: schemas.fresh() })
    expect(await store.conversations.create(aConversation('AS-1'))).toBe('created')
    await store.close()
    expect(pool.listenerCount('error')).toBe(0)
    expect((await pool.query('select 5::bigint as five')).rows).toEqual([{ five: '5' }])
  })

  it('PG23 a server that takes no writes is one that is away, until it takes them', async () => {
    const pool = new pg.Pool({ connectionString: schemas.url, max: 1 })
    onTestFinished(() => pool.end())
    const store = await createPostgresStore({ pool, schema: schemas.fresh() })
    onTestFinished(() => store.close())
    await pool.query('set default_transaction_read_only = on')
    await expect(store.conversations.create(aConversation('AS-1'))).rejects.toMatchObject({
      code: 'STORE_BUSY',
      message: expect.stringMatching(
        /: the server takes no writes now: it is a standby, or set to read only\./,
      ),
    })
    // A connection that has refused a write is ended; a new one may be to a server that takes them.
    expect(await store.conversations.create(aConversation('AS-1'))).toBe('created')
    expect(await store.conversations.listOpen('PROJECT-ONE')).toHaveLength(1)
  })

  it('PG43 connections of the store have a name, time-outs and a bound', async () => {
    const schema = schemas.fresh()
    const url = new URL(schemas.url)
    url.searchParams.set('application_name', schema)
    const options = { url: url.href, schema, maxConnections: 3, statementTimeout: 7_000, lockTimeout: 300 }
    const store = await createPostgresStore(options)
    onTestFinished(() => store.close())
    await store.conversations.create(aConversation('AS-1'))
    await Promise.all(Array.from({ length: 30 }, () => store.access.accounts.list({}, 1)))
    const { rows } = await schemas.pool.query('select 1 from pg_stat_activity where application_name = $1', [
      schema,
    ])
    expect(rows).toHaveLength(3)

    // A lock of another session is waited for as long as the lock timeout says.
    const client = await schemas.pool.connect()
    try {
      await client.query(`begin; lock table "${schema}".conversation in exclusive mode`)
      await expect(store.conversations.create(aConversation('AS-2'))).rejects.toMatchObject({
        code: 'STORE_BUSY',
        message:
          'PostgreSQL could not write documents: another session kept a lock for longer than the lock timeout. Try again.',
      })
      await client.query('rollback')
    } finally {
      client.release()
    }
    expect(await store.conversations.create(aConversation('AS-2'))).toBe('created')
  })

  it('PG30 connections that are ended while nobody uses them are logged and replaced; the process goes on', async () => {
    const schema = schemas.fresh()
    const url = new URL(schemas.url)
    url.searchParams.set('application_name', schema)
    const silent = (): void => {}
    const warned = new Promise<string>(resolve => {
      const log = { debug: silent, info: silent, error: silent, warn: (message: string) => resolve(message) }
      void createPostgresStore({ url: url.href, schema, log }).then(async store => {
        onTestFinished(() => store.close())
        await store.conversations.create(aConversation('AS-1'))
        await schemas.pool.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
          [schema],
        )
      })
    })
    expect(await warned).toBe('A connection to PostgreSQL was lost')
    const again = await createPostgresStore({ url: schemas.url, schema })
    onTestFinished(() => again.close())
    expect(await again.conversations.load('AS-1')).toMatchObject({ version: 1 })
  })

  it('PG30 connections that are ended at once are logged as one', async () => {
    const schema = schemas.fresh()
    const url = new URL(schemas.url)
    url.searchParams.set('application_name', schema)
    const warnings: string[] = []
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) }
    const store = await createPostgresStore({ url: url.href, schema, log, maxConnections: 4 })
    onTestFinished(() => store.close())
    const openAll = () => Promise.all(Array.from({ length: 20 }, () => store.access.accounts.list({}, 1)))
    await openAll()
    const ended = await schemas.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
      [schema],
    )
    expect(ended.rows).toHaveLength(4)
    await vi.waitFor(() => expect(warnings).not.toEqual([]))
    await vi.waitFor(openAll)
    expect(warnings).toEqual(['A connection to PostgreSQL was lost'])
  })

  it('PG23 a connection that the network has cut off without a word is given up, in a transaction too', async () => {
    const { hostname, port } = new URL(schemas.url)
    expect(hostname).toMatch(/^(127\.0\.0\.1|localhost)$/)
    const way = await swallowingProxy(Number(port || 5_432))
    const url = new URL(schemas.url)
    const schema = schemas.fresh()
    // Tables may take longer than the limits of the store under test.
    await (await createPostgresStore({ url: url.href, schema })).close()
    url.host = `127.0.0.1:${way.port}`
    const store = await createPostgresStore({
      url: url.href,
      schema,
      statementTimeout: 3_000,
      connectionTimeout: 5_000,
    })
    onTestFinished(() => store.close())
    await store.conversations.create(aConversation('AS-1'))
    // A connection for each.
    await Promise.all([store.conversations.load('AS-1'), store.audit.remove(1, 1)])
    way.swallow()
    const busy = { code: 'STORE_BUSY', message: expect.stringContaining('the server did not answer in time') }
    await Promise.all([
      expect(store.conversations.load('AS-1')).rejects.toMatchObject(busy),
      expect(store.audit.remove(1, 1)).rejects.toMatchObject(busy),
    ])
    way.heal()
    expect(await store.conversations.load('AS-1')).toMatchObject({ version: 1 })
  })

  it('PG23 a connection that does not become free in time is refused as busy', async () => {
    const schema = schemas.fresh()
    const url = new URL(schemas.url)
    url.searchParams.set('application_name', schema)
    const store = await createPostgresStore({
      url: url.href,
      schema,
      lockTimeout: 0,
      maxConnections: 1,
      connectionTimeout: 60_000,
    })
    onTestFinished(() => store.close())
    const client = await schemas.pool.connect()
    try {
      await client.query(`begin; lock table "${schema}".conversation in exclusive mode`)
      const held = store.conversations.create(aConversation('AS-1'))
      const waits = () =>
        schemas.pool.query(
          "select 1 from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'",
          [schema],
        )
      while ((await waits()).rows.length === 0);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const refused = expect(store.conversations.listOpen('PROJECT-ONE')).rejects.toMatchObject({
        code: 'STORE_BUSY',
        message:
          'PostgreSQL could not list the conversations: no connection of the pool became free in time. Try again.',
      })
      await vi.advanceTimersByTimeAsync(60_000)
      vi.useRealTimers()
      await refused
      await client.query('rollback')
      expect(await held).toBe('created')
    } finally {
      vi.useRealTimers()
      client.release()
    }
  })

  it('MA8 the database refuses to change an entry of the audit log, and to remove one outside of a removal of old entries', async () => {
    const store = await stores.open()
    await store.audit.append(anAuditEntry('A-1'))
    const table = `"${stores.schemaOf(store)}".audit_entry`
    await expect(schemas.pool.query(`update ${table} set body = '{}'`)).rejects.toThrow('append-only')
    await expect(schemas.pool.query(`delete from ${table}`)).rejects.toThrow('append-only')
    expect((await store.audit.list({}, 9)).values).toHaveLength(1)
    expect(await store.audit.remove(Number.MAX_SAFE_INTEGER, 9)).toEqual({ removed: 1, more: false })
    await store.close()
  })

  it('a turn that is committed after later ones is embedded all the same', async () => {
    const store = await stores.open()
    onTestFinished(() => store.close())
    const { turnVectors } = store.conversations
    const turn = { record: { user_input: 'x', agent_response: 'y' }, details: {} }
    await store.conversations.create(aConversation('AS-1', { turns: [turn] }))
    const table = `"${stores.schemaOf(store)}".turn`
    const client = await schemas.pool.connect()
    try {
      await client.query('begin')
      await client.query(
        `insert into ${table} select late.* from ${table}, jsonb_populate_record(turn, jsonb_build_object('number', 2,
           'version', place - 1000, 'place', place - 1000, 'body', (body::jsonb || jsonb_build_object('number', 2,
           'place', place - 1000))::text)) as late`,
      )
      await store.conversations.create(aConversation('AS-2', { turns: [turn] }))
      // Its place is before those of the other turns, and nobody sees it yet.
      const claimed = await turnVectors.claim('e', 10, 1, 2)
      expect(claimed?.turns).toHaveLength(2)
      expect(await turnVectors.keep('e', claimed?.claim ?? 0, [])).toBe('kept')
      await client.query('commit')
    } finally {
      client.release()
    }
    expect((await turnVectors.claim('e', 10, 3, 4))?.turns).toHaveLength(1)
  })
})
