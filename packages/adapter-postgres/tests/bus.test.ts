import { randomUUID } from 'node:crypto'
import { type BusMessage, type NoticeTopic, silentLog } from '@colloquy/core'
import type { BrokerBus } from '@colloquy/core/broker'
import { ears, growth, keepingLog, spokenGrowth } from '@colloquy/test-support/bus-ends'
import { ownPgbouncer } from '@colloquy/test-support/own-pgbouncer'
import { requireProgram } from '@colloquy/test-support/servers'
import { talkAcrossPlatforms } from '@colloquy/test-support/two-platforms'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createPostgresBus } from '../src/index.ts'
import { nameOf, openBus, ownChannel } from './bus-ends.ts'
import { describePostgres } from './postgres.ts'

const TOPIC: NoticeTopic = 'conversation:a'

/** The sequence of a notice that comes before those of a test. */
const BEFORE = 1_000

/** Resolves when what one says is heard. */
async function talking(one: BrokerBus, heard: readonly unknown[]): Promise<void> {
  await vi.waitFor(() => {
    one.publish(TOPIC, growth(0))
    expect(heard).toContain(0)
  })
}

describePostgres('the bus', stores => {
  const { schemas } = stores
  const { url, pool } = schemas

  /** What the server passes on, as it comes. */
  async function payloads(channel: string): Promise<readonly string[]> {
    const client = new pg.Client({ connectionString: url })
    onTestFinished(() => client.end())
    const came: string[] = []
    client.on('notification', ({ payload = '' }) => came.push(payload))
    await client.connect()
    await client.query(`listen "${nameOf(channel)}"`)
    return came
  }

  it('PG71 a bus has one connection, which is no other client’s; when the server ends it, a gap is told, and the outage once', async () => {
    const channel = ownChannel()
    const { told, log } = keepingLog()
    const { heard, listener } = ears()
    const connection = { connectionString: url, application_name: channel }
    openBus({ connection, channel, log }).subscribe(TOPIC, listener)
    const other = openBus({ url, channel })
    await talking(other, heard)
    heard.length = 0
    const { rows } = await pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
      [channel],
    )
    expect(rows).toHaveLength(1)
    await vi.waitFor(() => expect(heard).toContain('gap'))
    await talking(other, heard)
    expect(told.map(({ message, fields }) => [message, fields.reason])).toEqual([
      [
        expect.stringMatching(
          /^The bus has no connection to PostgreSQL at .*, and tries again\. Until then notices are lost\.$/,
        ),
        'terminating connection due to administrator command',
      ],
      [expect.stringMatching(/^The bus is connected to PostgreSQL at .* again\.$/), undefined],
    ])
  })

  it('notices of one interval go with one statement, and small ones share a payload; after a pause one goes at once', async () => {
    const channel = ownChannel()
    const came = await payloads(channel)
    const { heard, listener } = ears()
    openBus({ url, channel }).subscribe(TOPIC, listener)
    await vi.waitFor(() => expect(heard).toContain('gap'))
    // Time passes for it when the test says so.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const interval = 3_000
    const bus = openBus({ url, channel, batchInterval: interval, pingInterval: 2_147_483_647 })
    const hears = async (sequence: number, milliseconds: number): Promise<void> => {
      while (!heard.includes(sequence)) {
        await new Promise<void>(resolve => setImmediate(resolve))
        vi.advanceTimersByTime(milliseconds)
      }
    }
    bus.publish(TOPIC, growth(BEFORE))
    await hears(BEFORE, 0)
    vi.advanceTimersByTime(interval)
    bus.publish(TOPIC, growth(1))
    await hears(1, 0)
    for (let number = 2; number <= 100; number++) {
      bus.publish(TOPIC, growth(number))
      await new Promise<void>(resolve => setImmediate(resolve))
      vi.advanceTimersByTime(0)
    }
    await hears(100, interval)
    expect(heard.slice(-100)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    // Another connection hears it by itself, sooner or later.
    const numbers = await vi.waitFor(() => {
      const all = came
        .filter(payload => !payload.includes(`"sequence":${BEFORE},`))
        .map(payload => payload.split(' ')[0])
      expect(new Set(all).size).toBe(2)
      return all
    })
    expect(numbers.length).toBeLessThan(8)
  })

  it('PG71 what is longer than a payload comes in several; than maxNotice, as a gap', async () => {
    const channel = ownChannel()
    const came = await payloads(channel)
    const messages: BusMessage[] = []
    const { heard, listener } = ears()
    openBus({ url, channel }).subscribe(TOPIC, {
      ...listener,
      message(message) {
        messages.push(message)
        listener.message(message)
      },
    })
    const bus = openBus({ url, channel, maxNotice: 60_000 })
    await talking(bus, heard)
    heard.length = 0
    const long = (sequence: number, letters: number) => spokenGrowth(sequence, '漢😀'.repeat(letters))
    bus.publish(TOPIC, long(1, 7_000))
    bus.publish(TOPIC, long(2, 12_000))
    bus.publish(TOPIC, growth(4))
    await vi.waitFor(() => expect(heard.filter(one => one !== 0)).toEqual([1, 'gap', 4]))
    expect(messages.filter(({ notice }) => 'sequence' in notice && notice.sequence > 0)).toEqual([
      long(1, 7_000),
      growth(4),
    ])
    // Another connection hears it by itself, sooner or later.
    await vi.waitFor(() => expect(came.length).toBeGreaterThan(6))
    expect(Math.max(...came.map(payload => Buffer.byteLength(payload)))).toBeLessThan(8_000)
  })

  it('PG71 a batch that the server refuses is lost: said in its words, and its listeners are told of a gap', async () => {
    const schema = schemas.fresh()
    await pool.query(`create schema "${schema}"`)
    await pool.query(`
      create function "${schema}".pg_notify(channel text, payload text) returns void language plpgsql as $$
      begin
        if payload like '%"sequence":7,%' then raise 'not this one'; end if;
        perform pg_catalog.pg_notify(channel, payload);
      end $$`)
    const channel = ownChannel()
    const { told, log } = keepingLog()
    const [missing, beside] = [ears(), ears()]
    const listening = openBus({ url, channel })
    listening.subscribe(TOPIC, missing.listener)
    listening.subscribe('line:a', beside.listener)
    const options = `-c search_path=${schema},pg_catalog`
    const bus = openBus({ connection: { connectionString: url, options }, channel, log })
    await talking(bus, missing.heard)
    missing.heard.length = 0
    beside.heard.length = 0
    bus.publish(TOPIC, growth(7))
    await vi.waitFor(() => expect(missing.heard.filter(one => one !== 0)).toEqual(['gap']))
    await talking(bus, missing.heard)
    expect(beside.heard).toEqual([])
    expect(told.map(({ fields }) => fields)).toEqual([
      { reason: 'not this one' },
      { lost: expect.any(Number) },
    ])
  })

  describe('behind PgBouncer', () => {
    const program = requireProgram('pgbouncer', 'pgbouncer')

    it('PG46 a pooler in transaction mode is told in words, and nothing is heard over it', async () => {
      const pooler = await ownPgbouncer(program, url, { poolMode: 'transaction' })
      await pooler.start()
      const { told, log } = keepingLog()
      const { heard, listener } = ears()
      openBus({ url: pooler.url, channel: ownChannel(), log }).subscribe(TOPIC, listener)
      await vi.waitFor(() => expect(told).not.toEqual([]))
      expect(told[0]?.fields.reason).toBe(
        'A pooler gives the statements of this connection to several connections of the server, so that nothing could be heard: the bus needs an address of the server itself, or of a pooler in session mode.',
      )
      expect(heard).toEqual([])
    })

    it('PG46 one in session mode is taken', async () => {
      const pooler = await ownPgbouncer(program, url, { poolMode: 'session' })
      await pooler.start()
      const channel = ownChannel()
      const { told, log } = keepingLog()
      const { heard, listener } = ears()
      openBus({ url: pooler.url, channel, log }).subscribe(TOPIC, listener)
      await talking(openBus({ url, channel }), heard)
      expect(told).toEqual([])
    })
  })

  it('PG76 buses with different channels do not hear each other', async () => {
    const heard = [ownChannel(), ownChannel()].map((channel, index) => {
      const { heard, listener } = ears()
      openBus({ url, channel }).subscribe(TOPIC, listener)
      return { channel, heard, index: index + 1 }
    })
    for (const { channel, heard: own, index } of heard) {
      const speaker = openBus({ url, channel })
      await talking(speaker, own)
      speaker.publish(TOPIC, growth(index))
      await vi.waitFor(() => expect(own).toContain(index))
    }
    expect(heard.map(({ heard }) => heard.filter(one => one !== 'gap' && one !== 0))).toEqual([[1], [2]])
  })

  it('what is said in one of two platforms over one database reaches the other', async () => {
    const channel = ownChannel()
    const first = await stores.open()
    const others = [first, await stores.openAgain(first)]
    await talkAcrossPlatforms({
      store: () => others.pop() ?? first,
      bus: () => createPostgresBus({ url, channel, log: silentLog }),
    })
  })

  it('PG76 a role without a right on the schema hears no notice, finds no channel’s name, and nobody hears it', async () => {
    const role = `bystander_${randomUUID().replaceAll('-', '')}`
    await pool.query(`create role ${role} login`)
    onTestFinished(async () => {
      await pool.query(`drop role ${role}`)
    })
    const address = new URL(url)
    address.username = role
    const bystander = new pg.Client({ connectionString: address.href })
    onTestFinished(() => bystander.end())
    const overheard: string[] = []
    bystander.on('notification', ({ payload = '' }) => overheard.push(payload))
    await bystander.connect()
    const channel = 'colloquy'
    await bystander.query(`listen ${channel}`)
    const { told, log } = keepingLog()
    const { heard, listener } = ears()
    openBus({ url, log }).subscribe(TOPIC, listener)
    const other = openBus({ url })
    await talking(other, heard)
    heard.length = 0
    const payload = `1 0 1\n${JSON.stringify(TOPIC)}\tevil ${JSON.stringify(growth(666))}`
    await bystander.query('select pg_notify($1, $2)', [channel, payload])
    const { rows } = await bystander.query('select query from pg_stat_activity')
    expect(JSON.stringify(rows)).not.toContain(nameOf(channel))
    other.publish(TOPIC, growth(1))
    await vi.waitFor(() => expect(heard.filter(one => one !== 0)).toEqual([1]))
    // Its own, and nobody else's.
    expect(overheard).toEqual([payload])
    expect(told).toEqual([])
  })

  it('PG76 a bus belongs to one store: another secret is refused', () => {
    const bus = openBus({ url, channel: ownChannel() })
    expect(() => bus.nameChannels?.('of another store')).toThrow(
      'This bus serves the platforms of another store. Give each store a bus of its own.',
    )
  })

  it('BN4 a wrong password and a database that is not there are told in words, without the password', async () => {
    const { told, log } = keepingLog()
    const nowhere = new URL(url)
    nowhere.pathname = '/no-such-database'
    nowhere.password = 'secret'
    openBus({ url: nowhere.href, log })
    await vi.waitFor(() => expect(told[0]?.fields.reason).toBe('database "no-such-database" does not exist'))
    expect(JSON.stringify(told)).not.toContain('secret')
  })

  it('BN4 so is a database whose encoding lacks characters', async () => {
    const name = schemas.fresh()
    await pool.query(
      `create database "${name}" encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`,
    )
    onTestFinished(async () => {
      await pool.query(`drop database "${name}" with (force)`)
    })
    const { told, log } = keepingLog()
    const latin = new URL(url)
    latin.pathname = `/${name}`
    openBus({ url: latin.href, log })
    await vi.waitFor(() =>
      expect(told[0]?.fields.reason).toBe('The database has the encoding LATIN1. It must be UTF8.'),
    )
  })
})

describe('options of the bus', () => {
  const url = 'postgres://me:secret@localhost/db'
  const example = / For example createPostgresBus\(\{ url: 'postgres:.*$/

  it.each<readonly [unknown, RegExp]>([
    [{}, /^createPostgresBus takes a url or the options of a connection, and not both\./],
    [
      { url, connection: {} },
      /^createPostgresBus takes a url or the options of a connection, and not both\./,
    ],
    [{ url: 7 }, /^url must be a text, not number\./],
    [{ url: 'redis://me:secret@localhost' }, /^url must begin with postgres: or postgresql:, not redis: /],
    [{ connection: 'a' }, /^connection must be an object, not string\./],
    [{ connection: null }, /^connection must be an object, not null\./],
    [{ url, channel: '' }, /^channel must be a name of 1 to 63 bytes\./],
    [{ url, channel: 'é'.repeat(32) }, /^channel must be a name of 1 to 63 bytes\./],
    [{ url, batchInterval: -1 }, /^batchInterval must be a whole number from 0 to 2147483647, not -1\./],
    [{ url, maxNotice: 0 }, /^maxNotice must be a whole number from 1 to 2147483647, not 0\./],
    [{ url, pingInterval: 0 }, /^pingInterval must be a whole number from 1 to 2147483647, not 0\.$/],
    [{ url, chanel: 'a' }, /^createPostgresBus has no option "chanel"\. Did you mean channel\?$/],
  ])('BN4 %j is refused in words, without a password', (options, words) => {
    const given = (): unknown => Reflect.apply(createPostgresBus, undefined, [options])
    expect(given).toThrow(words)
    expect(given).not.toThrow('secret')
    if (!/pingInterval|chanel/.test(JSON.stringify(options))) expect(given).toThrow(example)
  })
})
