import { createServer, type Socket } from 'node:net'
import { silentLog } from '@colloquy/core'
import { UNFINISHED_COPY } from '@colloquy/core/store'
import { aConversation } from '@colloquy/core/testing'
import { swallowingProxy } from '@colloquy/test-support/swallowing-proxy'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { PostgresPool } from '../src/database/pool.ts'
import { SCHEMA_VERSION } from '../src/database/schema.ts'
import { makeStore } from '../src/database/take-schema.ts'
import { createPostgresStore, type PostgresStoreOptions } from '../src/store.ts'
import { describePostgres } from './postgres.ts'

// Slow: each test makes schemas in a real PostgreSQL, some of them ten nodes at once, and removes them.

const NODES = 10

/** Opens a store that is closed when the test is over. */
async function open(options: PostgresStoreOptions) {
  const store = await createPostgresStore(options)
  onTestFinished(() => store.close())
  return store
}

/** A server of one answer, for what a real one here does not say. */
async function answering(answer: Buffer | null): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', () => {
      if (answer !== null) socket.end(answer)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : ''}`
}

/** An error as PostgreSQL sends it. */
function refusal(fields: Readonly<Record<string, string>>): Buffer {
  const texts = Object.entries(fields).map(([key, text]) => `${key}${text}\0`)
  const body = Buffer.from(`${texts.join('')}\0`)
  const head = Buffer.alloc(5, 'E')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** A pool of the host whose server says that of itself. */
const poolOf = (settings: Readonly<Record<string, unknown>>): PostgresPool => {
  const query = async () => ({ rows: [settings] })
  const ignore = (): void => {}
  const listeners = { on: ignore, removeListener: ignore }
  return { query, ...listeners, connect: async () => ({ query, release: ignore, ...listeners }) }
}

describePostgres('opening', ({ schemas }) => {
  const { pool, url } = schemas
  const at = (change: (parsed: URL) => void): string => {
    const parsed = new URL(url)
    change(parsed)
    return parsed.href
  }
  const versions = async (schema: string) =>
    (await pool.query(`select version from "${schema}".schema_version`)).rows
  /** What is in a schema, and which transactions made it. */
  const tablesOf = async (schema: string) =>
    (
      await pool.query(
        'select relname, xmin::text from pg_class where relnamespace = $1::text::regnamespace order by relname',
        [`"${schema}"`],
      )
    ).rows

  it('PG53 a schema with a copy that was cut off is opened for a copy alone', async () => {
    const schema = schemas.fresh()
    const copy = await createPostgresStore({ url, schema, exclusive: true })
    await copy.copies.take('secret', [{ name: UNFINISHED_COPY, value: 'yes', version: 1 }])
    await copy.close()
    await expect(createPostgresStore({ url, schema })).rejects.toThrow(
      `the schema ${schema} is not whole: a copy into it was cut off, or still goes on. Run the same`,
    )
    const again = await createPostgresStore({ url, schema, exclusive: true })
    await again.copies.drop('secret', [[UNFINISHED_COPY]])
    await again.close()
    await open({ url, schema })
  })

  it('a new store has one version, which says what its schema is', async () => {
    const schema = schemas.fresh()
    await open({ url, schema })
    expect(SCHEMA_VERSION).toMatch(/^[0-9a-f]{12}$/)
    expect(await versions(schema)).toEqual([{ version: SCHEMA_VERSION }])
  })

  it('a store of this version is opened as it is', async () => {
    const schema = schemas.fresh()
    await (await createPostgresStore({ url, schema })).close()
    const before = await tablesOf(schema)
    await open({ url, schema })
    expect(await tablesOf(schema)).toEqual(before)
  })

  it('PG11 ten nodes that open one empty schema at once all have a store, and one of them has made it', async () => {
    const schema = schemas.fresh()
    const made: string[] = []
    const log = {
      ...silentLog,
      info: (message: string) => void (/was made/.test(message) && made.push(message)),
    }
    const stores = await Promise.all(
      Array.from({ length: NODES }, () => open({ url, schema, log, maxConnections: 1 })),
    )
    await stores[0]?.conversations.create(aConversation('AS-1'))
    for (const store of stores) expect(await store.conversations.load('AS-1')).toMatchObject({ version: 1 })
    expect(await versions(schema)).toHaveLength(1)
    expect(made).toHaveLength(1)
  })

  it('PG11 a node waits for another one that makes the schema for as long as that takes', async () => {
    const schema = schemas.fresh()
    const [other, client] = await Promise.all([pool.connect(), pool.connect()])
    onTestFinished(() => {
      for (const one of [other, client]) one.release(true)
    })
    const lock = `hashtextextended('colloquy ${schema}', 0)`
    await other.query(`select pg_advisory_lock(${lock})`)
    const waiter = (await client.query('select pg_backend_pid() as pid')).rows[0]?.pid
    let isThere = false
    const making = makeStore(
      {
        release: () => undefined,
        on: () => undefined,
        removeListener: () => undefined,
        // The driver's bound, which waits must not have.
        query: ({ text, query_timeout = /pg_advisory/.test(text) ? 50 : 60_000 }) =>
          client.query({ text, query_timeout } as { readonly text: string }),
      },
      schema,
    ).then(() => {
      isThere = true
    })
    making.catch(() => undefined)
    await vi.waitFor(async () => {
      const { rows } = await pool.query(
        "select from pg_locks where locktype = 'advisory' and not granted and pid = $1",
        [waiter],
      )
      expect(rows).not.toEqual([])
    })
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(isThere).toBe(false)
    await other.query(`select pg_advisory_unlock(${lock})`)
    await making
    expect(await tablesOf(schema)).not.toEqual([])
  })

  it('PG11 the schema is made whole or not at all', async () => {
    const schema = schemas.fresh()
    // The last part of the schema has a function of that name.
    await pool.query(
      `create schema "${schema}"; create function "${schema}".keep_permanent() returns trigger language plpgsql as 'begin end'`,
    )
    await expect(createPostgresStore({ url, schema })).rejects.toThrow('function "keep_permanent" already')
    expect(await tablesOf(schema)).toEqual([])
    await pool.query(`drop function "${schema}".keep_permanent()`)
    const store = await open({ url, schema })
    expect(await store.conversations.create(aConversation('AS-1'))).toBe('created')
  })

  const refused = (schema: string): string =>
    `the schema ${schema} was made by another version of Colloquy. Until 0.1.0 a store is read by the version that made it alone: use that version, or name a new schema.`

  it('PG13 a store of another version is refused, and left as it is', async () => {
    const schema = schemas.fresh()
    await (await createPostgresStore({ url, schema })).close()
    await pool.query(`update "${schema}".schema_version set version = '0123456789ab'`)
    const before = await tablesOf(schema)
    for (const more of [{}, { create: false }, { exclusive: true }])
      await expect(createPostgresStore({ url, schema, ...more })).rejects.toThrow(refused(schema))
    expect(await versions(schema)).toEqual([{ version: '0123456789ab' }])
    expect(await tablesOf(schema)).toEqual(before)
  })

  it('PG13 so is one that counts its migrations', async () => {
    const schema = schemas.fresh()
    await pool.query(
      `create schema "${schema}"; create table "${schema}".account (id text);
       create table "${schema}".schema_migration (version integer primary key, name text not null,
         applied_at timestamptz not null default now());
       insert into "${schema}".schema_migration values (14, 'webhook-exchanges')`,
    )
    const before = await tablesOf(schema)
    await expect(createPostgresStore({ url, schema })).rejects.toThrow(refused(schema))
    expect(await tablesOf(schema)).toEqual(before)
  })

  it('PG13 a schema with tables of another application is refused by their names, and left as it is', async () => {
    const schema = schemas.fresh()
    await pool.query(`create schema "${schema}"`)
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
      await pool.query(`create table "${schema}".${name} (id int)`)
    await expect(createPostgresStore({ url, schema })).rejects.toThrow(
      `the schema ${schema} holds tables of another application, a, b, c, d, e and 1 more. Name a new schema, or one that Colloquy has made.`,
    )
    expect(await tablesOf(schema)).toHaveLength(6)
  })

  it.each([
    ['of other columns', 'schema_version', '(version text, installed_on date)'],
    ['that holds no version of ours', 'schema_version', "as select 'V2' as version"],
    ['that holds none', 'schema_version', '(version text)'],
    ['of other columns', 'schema_migration', '(id int)'],
  ])('PG13 so is one with a table %s in the place of %s', async (_, table, definition) => {
    const schema = schemas.fresh()
    await pool.query(`create schema "${schema}"; create table "${schema}".${table} ${definition}`)
    await expect(createPostgresStore({ url, schema })).rejects.toThrow(
      `holds tables of another application, ${table}.`,
    )
    expect(await tablesOf(schema)).toHaveLength(1)
  })

  it('PG11 a schema that was made beforehand, without tables, becomes a store of a role that may make no schemas', async () => {
    const schema = schemas.fresh()
    await pool.query(`create role "${schema}" login; create schema "${schema}" authorization "${schema}"`)
    onTestFinished(async () => {
      await pool.query(`drop schema "${schema}" cascade; drop role "${schema}"`)
    })
    const as = at(parsed => {
      parsed.username = schema
    })
    const store = await open({ url: as, schema })
    expect(await store.conversations.create(aConversation('AS-1'))).toBe('created')
    await expect(createPostgresStore({ url: as, schema: `${schema}_2` })).rejects.toThrow(
      /permission denied for database .+\. Grant the role the right, or let another one create the schema for it\.$/,
    )
  })

  it('PG13 a role that lacks rights on the tables is refused by their name', async () => {
    const schema = schemas.fresh()
    await (await createPostgresStore({ url, schema })).close()
    await pool.query(`create role "${schema}" login`)
    onTestFinished(async () => {
      await pool.query(`drop owned by "${schema}"; drop role "${schema}"`)
    })
    const as = at(parsed => {
      parsed.username = schema
    })
    await pool.query(`grant usage on schema "${schema}" to "${schema}"`)
    await pool.query(`grant select on "${schema}".schema_version to "${schema}"`)
    await expect(createPostgresStore({ url: as, schema })).rejects.toThrow(
      `the role ${schema} lacks rights on the table account of the schema ${schema}. It must own the schema, or have usage of it and select, insert, update and delete on its tables.`,
    )
    await pool.query(
      `grant select, insert, update, delete on all tables in schema "${schema}" to "${schema}"`,
    )
    await pool.query(`grant usage, select on all sequences in schema "${schema}" to "${schema}"`)
    const store = await open({ url: as, schema })
    expect(await store.conversations.create(aConversation('AS-1'))).toBe('created')
  })

  it('MA3 a server that cannot be reached, or not with that name, is named with what to do, without the password', async () => {
    const nowhere = 'postgres://me:secret@127.0.0.1:1/db'
    await expect(createPostgresStore({ url: nowhere })).rejects.toThrow(
      'createPostgresStore could not open 127.0.0.1:1/db: nothing listens there. Start the server, or correct host and port.',
    )
    const database = at(parsed => {
      parsed.pathname = '/no-such-database'
    })
    await expect(createPostgresStore({ url: database })).rejects.toThrow(
      'database "no-such-database" does not exist. Create the database, or correct its name.',
    )
    const user = at(parsed => {
      parsed.username = 'no-such-role'
    })
    await expect(createPostgresStore({ url: user })).rejects.toThrow(
      'role "no-such-role" does not exist. Correct the user, or allow it in pg_hba.conf.',
    )
    const refused = refusal({
      S: 'FATAL',
      V: 'FATAL',
      C: '28P01',
      M: 'password authentication failed for user "me"',
    })
    const wrong = createPostgresStore({ url: `postgres://me:secret@${await answering(refused)}/db` })
    await expect(wrong).rejects.toThrow(
      'password authentication failed for user "me". Correct the user or the password.',
    )
    await expect(wrong).rejects.not.toThrow('secret')
    const silent = `postgres://me@${await answering(null)}/db`
    await expect(createPostgresStore({ url: silent, connectionTimeout: 100 })).rejects.toThrow(
      'the server does not answer. Correct host and port, or let the network through.',
    )
  })

  it('PG13 a server before 13, a standby and a database without UTF-8 are refused', async () => {
    const good = { version: '13.0', number: '130000', encoding: 'UTF8', standby: false }
    const durable = { synchronous_commit: 'on', fsync: 'on' }
    const old = poolOf({ ...good, ...durable, version: '12.20', number: '120020' })
    await expect(createPostgresStore({ pool: old })).rejects.toThrow(
      'createPostgresStore could not open the database of the pool: the server is PostgreSQL 12.20. It must be 13 or newer.',
    )
    const standby = poolOf({ ...good, ...durable, standby: true })
    await expect(createPostgresStore({ pool: standby })).rejects.toThrow(
      'the server is a standby, which takes no writes. Name the primary.',
    )
    const name = schemas.fresh()
    await pool.query(
      `create database "${name}" encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`,
    )
    onTestFinished(async () => {
      await pool.query(`drop database "${name}" with (force)`)
    })
    const ascii = at(parsed => {
      parsed.pathname = `/${name}`
    })
    await expect(createPostgresStore({ url: ascii })).rejects.toThrow(
      'the database has the encoding SQL_ASCII. It must be UTF8',
    )
  })

  it('PG11 a schema without a store is left as it is where none may be made', async () => {
    const schema = schemas.fresh()
    await expect(createPostgresStore({ url, schema, create: false })).rejects.toThrow(
      `there is no store in the schema ${schema}. Name the database and the schema of one.`,
    )
    const { rows } = await pool.query('select 1 from pg_namespace where nspname = $1', [schema])
    expect(rows).toEqual([])
    await (await createPostgresStore({ url, schema })).close()
    const store = await open({ url, schema, create: false })
    expect(await store.conversations.create(aConversation('AS-1'))).toBe('created')
  })

  it('PG53 a store that others have open is refused; one that they let go is waited for', async () => {
    const schema = schemas.fresh()
    const other = await createPostgresStore({ url, schema, maxConnections: 1 })
    await open({ url, schema: schemas.fresh(), exclusive: true })
    const second = createPostgresStore({ url, schema, exclusive: true })
    await expect(second).rejects.toThrow(
      `the store in the schema ${schema} is in use, by 1 connection. Stop what uses it.`,
    )
    const third = createPostgresStore({ url, schema, exclusive: true })
    await other.close()
    const store = await third
    expect(await store.conversations.create(aConversation('AS-1'))).toBe('created')
    await store.close()
  })

  /** Opens a store, lets the clocks of its connections run, and returns who shows that it is in use, before and after. */
  async function holdersAfter(time: number, way = url) {
    const schema = schemas.fresh()
    const holders = async (): Promise<readonly number[]> => {
      const { rows } = await pool.query<{ pid: number }>(
        `select distinct pid from pg_locks where locktype = 'advisory'
         and (classid::bigint << 32 | objid::bigint) = hashtextextended('colloquy in use ' || $1, 0)`,
        [schema],
      )
      return rows.map(({ pid }) => pid)
    }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    // Without a time limit: the clock goes on while a query is under way, whose answer takes real time.
    await open({ url: way, schema, maxConnections: 3, statementTimeout: 0 })
    const before = await holders()
    expect(before).not.toEqual([])
    await vi.advanceTimersByTimeAsync(time)
    return { before, holders, schema }
  }

  it('PG53 a store that is open and has had nothing to do for long is in use', async () => {
    const { before, holders, schema } = await holdersAfter(900_000)
    vi.useRealTimers()
    expect(before).toEqual(expect.arrayContaining([...(await holders())]))
    await expect(createPostgresStore({ url, schema, exclusive: true })).rejects.toThrow(
      `the store in the schema ${schema} is in use, by 1 connection. Stop what uses it.`,
    )
  })

  it('PG53 a connection that has served its time is replaced, though nothing asks for one', async () => {
    const { before, holders } = await holdersAfter(1_800_000)
    // The clocks go on while one waits: a machine that is busy takes longer than a connection may, which is tried again.
    await vi.waitFor(async () => {
      const now = await holders()
      expect(now).toHaveLength(1)
      expect(before).not.toContain(now[0])
    })
  })

  it('PG53 a store whose server was away for a while is in use again, though nothing asks for it', async () => {
    const port = Number(new URL(url).port || 5_432)
    const way = await swallowingProxy(port)
    const { before, holders } = await holdersAfter(
      0,
      at(parsed => (parsed.port = String(way.port))),
    )
    vi.useRealTimers()
    expect(before).not.toEqual([])
    // A port on which nobody listens.
    way.moveTo(1)
    await vi.waitFor(async () => expect(await holders()).toEqual([]))
    // Tries are refused meanwhile.
    await new Promise(resolve => setTimeout(resolve, 100))
    way.moveTo(port)
    await vi.waitFor(async () => expect(await holders()).toHaveLength(1))
  })

  it('MA5 version, encoding and what a crash may take are logged, the last as a warning where it is acknowledged writes', async () => {
    const said: unknown[] = []
    const log = {
      ...silentLog,
      info: (message: string, fields?: object) => said.push(['info', message, fields]),
      warn: (message: string, fields?: object) => said.push(['warn', message, fields]),
    }
    const schema = schemas.fresh()
    await open({ url, schema, log })
    const settings = {
      version: expect.stringMatching(/^\d+/),
      encoding: 'UTF8',
      synchronous_commit: 'on',
      fsync: 'on',
    }
    expect(said).toEqual([
      ['info', 'The store is in PostgreSQL', settings],
      ['info', 'The schema of the store was made', { schema, version: SCHEMA_VERSION }],
    ])
    said.length = 0
    const quick = at(parsed => parsed.searchParams.set('options', '-c synchronous_commit=off'))
    await open({ url: quick, schema, log })
    expect(said.at(-1)).toEqual([
      'warn',
      'PostgreSQL may lose acknowledged writes when it crashes: set synchronous_commit and fsync to on',
      { ...settings, synchronous_commit: 'off' },
    ])
  })
})
