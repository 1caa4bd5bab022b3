import { silentLog } from '@colloquy/core'
import { aVoice } from '@colloquy/core/testing'
import { createPool } from 'mariadb'
import { afterAll, expect, it } from 'vitest'
import { poolConfigOf } from '../src/database/pool.ts'
import { createMariaStore } from '../src/store.ts'
import { describeMaria, nameIn } from './maria.ts'

const url = 'mariadb://me:secret@localhost/db'
const pool = { getConnection() {}, execute() {} }
const EXAMPLE = "For example createMariaStore({ url: 'mariadb://user:password@localhost:3306/colloquy' })."

it.each([
  [null, `createMariaStore takes an object of options, not null. ${EXAMPLE}`],
  [{}, `createMariaStore takes a url or a pool: one of them, and not both. ${EXAMPLE}`],
  [{ url, pool }, `createMariaStore takes a url or a pool: one of them, and not both. ${EXAMPLE}`],
  [{ url, schema: 'a' }, expect.stringContaining('createMariaStore has no option "schema".')],
  [{ url: 5 }, `url must be a text, not number. ${EXAMPLE}`],
  [{ url: 'localhost secret' }, `url must be a URL: it cannot be read as one. ${EXAMPLE}`],
  [{ url: 'postgres://localhost/db' }, `url must begin with mariadb: or mysql:, not postgres: ${EXAMPLE}`],
  [{ url: 'mariadb://localhost' }, `url must name a database, as /colloquy does. ${EXAMPLE}`],
  [{ url: `${url}?a=b` }, `url takes no parameter but ssl=true: for others hand in a pool. ${EXAMPLE}`],
  [{ pool: 'p' }, `pool must be a pool of the package mariadb, not string. ${EXAMPLE}`],
  [
    { pool, maxConnections: 2 },
    `maxConnections goes with url; a pool that is handed in has its own. ${EXAMPLE}`,
  ],
  [{ url, maxConnections: 0 }, `maxConnections must be a whole number from 1 to 10000, not 0. ${EXAMPLE}`],
])('EM4 %j is refused', async (options, message) => {
  const given: Promise<unknown> = Reflect.apply(createMariaStore, undefined, [options])
  await expect(given).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED', message })
})

describeMaria('opening', ({ fresh, pool: root }) => {
  const tablesIn = async (name: string) =>
    root.query('select table_name from information_schema.tables where table_schema = ?', [name])

  it('MA1 several that open a store at once all have it, also one whose making was cut off', async () => {
    const url = await fresh()
    const made: string[] = []
    const log = { ...silentLog, info: (message: string) => void made.push(message) }
    const openAll = async () => {
      const stores = await Promise.all([1, 2, 3].map(() => createMariaStore({ url, log, maxConnections: 1 })))
      await Promise.all(stores.map(({ access }, at) => access.voices.create(aVoice(`V-${at}`), 9)))
      expect(await stores[0]?.access.voices.list(aVoice('V').accountId)).toHaveLength(3)
      for (const store of stores) await store.close()
      expect(made.filter(message => /tables .* made/.test(message))).toHaveLength(1)
    }
    await openAll()
    const name = nameIn(url)
    await root.query(
      `drop table ${name}.voice; update ${name}.colloquy_schema set is_whole = false, kinds = '{}'`,
    )
    made.length = 0
    await openAll()
  })

  it('SQ4 another version, and another application, are refused and left as they are', async () => {
    const [theirs, other] = [await fresh(), await fresh()]
    await root.query(`create table ${nameIn(theirs)}.orders (id int)`)
    await expect(createMariaStore({ url: theirs })).rejects.toThrow(
      'it holds tables of another application, orders. Name an empty database, or one that Colloquy has made.',
    )
    expect(await tablesIn(nameIn(theirs))).toHaveLength(1)
    await (await createMariaStore({ url: other })).close()
    await root.query(`update ${nameIn(other)}.colloquy_schema set version = 'older'`)
    const before = await tablesIn(nameIn(other))
    await expect(createMariaStore({ url: other })).rejects.toThrow(
      'it was made by another version of Colloquy.',
    )
    expect(await tablesIn(nameIn(other))).toEqual(before)
  })

  it('MA3 a server that is away or says no is named with the reason, and never the password', async () => {
    const url = new URL(await fresh())
    const name = url.pathname.slice(1)
    const refusalOf = async (change: Partial<URL>): Promise<string> =>
      createMariaStore({ url: Object.assign(new URL(url), change).href }).then(
        () => 'opened',
        (error: Error) => error.message,
      )
    const where = `createMariaStore could not open the database ${name} at ${url.host}:`
    expect(await refusalOf({ username: 'nobody', password: 'secret' })).toMatch(
      new RegExp(`^${where} Access denied for user 'nobody'.*\\. Correct the user or the password\\.$`),
    )
    expect(await refusalOf({ pathname: '/none' })).toContain('Create the database, or correct its name.')
    const away = await refusalOf({ port: '1', password: 'secret' })
    expect(away).toContain('ECONNREFUSED')
    expect(away).toContain('Start the server, or correct host and port.')
    expect(away).not.toContain('secret')
  })

  it('MA4 a pool of the host is used and left open, and one whose sessions will not do is refused', async () => {
    const url = await fresh()
    const { initSql, ...config } = poolConfigOf(url, 2)
    const fit = createPool({ ...config, ...(initSql === undefined ? {} : { initSql }) })
    const [plain, changed] = [createPool(config), createPool({ ...poolConfigOf(url, 2), foundRows: false })]
    afterAll(() => Promise.all([fit.end(), plain.end(), changed.end()]))
    const store = await createMariaStore({ pool: fit })
    expect(await store.access.voices.create(aVoice('V-1'), 9)).toBe('created')
    await store.close()
    expect(await fit.query('select 1 as one')).toEqual([{ one: 1 }])
    await expect(createMariaStore({ pool: plain })).rejects.toThrow(
      'the database of the pool: its sessions have tx_isolation REPEATABLE-READ.',
    )
    await expect(createMariaStore({ pool: changed })).rejects.toThrow('make the pool with foundRows')
  })

  it('MA5 what a crash of the server may take is told', async () => {
    const told: unknown[] = []
    const tell = (level: string) => (message: string, fields?: object) =>
      void told.push({ level, message, ...fields })
    const log = { ...silentLog, info: tell('info'), warn: tell('warn') }
    await (await createMariaStore({ url: await fresh(), log })).close()
    const [{ flush }] = await root.query('select @@innodb_flush_log_at_trx_commit as flush')
    const [{ version }] = await root.query('select version() as version')
    expect(told).toContainEqual({
      level: 'info',
      message: 'The store is in MariaDB',
      version,
      innodb_flush_log_at_trx_commit: String(flush),
    })
    const warnings = told.filter(entry => JSON.stringify(entry).includes('may lose acknowledged writes'))
    expect(warnings).toHaveLength(flush === 1 ? 0 : 1)
  })

  it('MA13 a store goes by the clock of the server', async () => {
    const store = await createMariaStore({ url: await fresh() })
    const [row] = await root.query('select unix_timestamp(sysdate(6)) * 1000 as now')
    expect(Math.abs((store.clock?.now() ?? 0) - Number(row.now))).toBeLessThan(500)
    await store.close()
  })
})
