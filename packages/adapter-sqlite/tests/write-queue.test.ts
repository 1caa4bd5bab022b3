import { createPlatform, NO_SPAN } from '@colloquy/core'
import { aConnector, anAuditEntry, createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import BetterSqlite3 from 'better-sqlite3'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createWriteQueue } from '../src/database/write-queue.ts'
import { openStore, temporaryStoreFile } from './files.ts'

describe('grouped writes', () => {
  let log: string[] = []
  beforeEach(() => {
    log = []
  })

  /** A real database that tells which SQL it runs, and a queue over it. */
  const open = () => {
    const database = new BetterSqlite3(':memory:', { verbose: sql => log.push(String(sql)) })
    onTestFinished(() => {
      database.close()
    })
    database.exec('CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT')
    database.exec(
      'CREATE TABLE child (parent INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED) STRICT',
    )
    database.pragma('foreign_keys = ON')
    const insert = database.prepare('INSERT INTO parent (id) VALUES (?)')
    const orphan = database.prepare('INSERT INTO child (parent) VALUES (?)')
    const queue = createWriteQueue(database, 5_000)
    return {
      queue,
      insertNow: (id: number) => insert.run(id).changes,
      add: (id: number) => queue.add(`write ${id}`, () => insert.run(id).changes),
      addOrphan: (id: number) => queue.add(`write orphan ${id}`, () => orphan.run(id).changes),
      ids: () => database.prepare('SELECT id FROM parent ORDER BY id').pluck().all(),
      times: (sql: string) => log.filter(entry => entry === sql).length,
    }
  }

  it('SQ20 writes of one tick share one transaction, also those that begin after a promise of that tick', async () => {
    const { add, ids, times } = open()
    const later = async (id: number) => {
      await Promise.resolve()
      return add(id)
    }
    expect(await Promise.all([add(1), add(2), later(3), later(4)])).toEqual([1, 1, 1, 1])
    expect([times('BEGIN IMMEDIATE'), times('COMMIT'), times('SAVEPOINT one_write')]).toEqual([1, 1, 0])
    await add(5)
    expect([times('BEGIN IMMEDIATE'), times('COMMIT')]).toEqual([2, 2])
    expect(ids()).toEqual([1, 2, 3, 4, 5])
  })

  it('PM1 each commit tells how many writes it carried, those that were undone not among them', async () => {
    const { queue, add } = open()
    const told: number[] = []
    queue.onCommit(writes => told.push(writes))
    await Promise.all([add(1), add(2), add(3)])
    await Promise.allSettled([add(4), add(1)])
    await add(5)
    expect(told).toEqual([3, 1, 1])
  })

  it('PM1 a platform measures the commits of its store', async () => {
    const measured: (readonly [string, number])[] = []
    const platform = createPlatform({
      store: openStore({ filename: temporaryStoreFile() }),
      runtime: createScriptedRuntime({}, createFakeClock()),
      telemetry: { begin: () => NO_SPAN, measure: (metric, value) => void measured.push([metric, value]) },
    })
    const commits = () => measured.filter(([metric]) => metric === 'colloquy.store.commit')
    const before = commits().length
    await Promise.all(['a', 'b', 'c'].map(slug => platform.access.createAccount({ slug, name: slug })))
    expect(commits().slice(before)).toEqual([['colloquy.store.commit', 3]])
    await platform.close()
  })

  it('SQ20 writes that come in the tick after the first share its transaction', async () => {
    const { add, ids, times } = open()
    const first = add(1)
    await new Promise(setImmediate)
    expect(times('COMMIT')).toBe(0)
    await Promise.all([first, add(2)])
    expect([times('COMMIT'), ids()]).toEqual([1, [1, 2]])
  })

  /** Time that passes only when it is told to. */
  function standStill() {
    let time = 0
    const now = vi.spyOn(performance, 'now').mockImplementation(() => time)
    onTestFinished(() => now.mockRestore())
    return {
      pass(milliseconds: number) {
        time += milliseconds
      },
    }
  }

  it('SQ20 a group grows as long as every tick adds to it', async () => {
    standStill()
    const { add, ids, times } = open()
    const writes = [add(1)]
    for (let id = 2; id <= 5; id++) {
      await new Promise(setImmediate)
      expect(times('COMMIT')).toBe(0)
      writes.push(add(id))
    }
    await Promise.all(writes)
    expect([times('COMMIT'), ids()]).toEqual([1, [1, 2, 3, 4, 5]])
  })

  it('SQ20 a group that every tick adds to is committed after four milliseconds', async () => {
    const { pass } = standStill()
    const { add, ids, times } = open()
    const writes: Promise<number>[] = []
    while (times('COMMIT') === 0 && writes.length < 100) {
      writes.push(add(writes.length + 1))
      pass(1)
      await new Promise(setImmediate)
    }
    expect([times('COMMIT'), ids().length <= 7]).toEqual([1, true])
    await Promise.all(writes)
    expect(ids()).toHaveLength(writes.length)
  })

  it('SQ20 of more than two hundred writes in one tick a full group is committed at once', async () => {
    const { add, ids, times } = open()
    const writes = Array.from({ length: 250 }, (_, index) => add(index + 1))
    expect([times('COMMIT'), ids().length]).toEqual([1, 200])
    await Promise.all(writes)
    expect([times('COMMIT'), ids().length]).toEqual([2, 250])
  })

  it('SQ20 a write is acknowledged after its group is committed, in the order of the writes', async () => {
    const { add } = open()
    const note = (id: number) => add(id).then(() => log.push(`acknowledged ${id}`))
    await Promise.all([note(1), note(2)])
    const order = log.filter(entry => entry === 'COMMIT' || entry.startsWith('acknowledged'))
    expect(order).toEqual(['COMMIT', 'acknowledged 1', 'acknowledged 2'])
  })

  it('SQ20 a write that fails is undone and rejects alone, with what it had written before it failed', async () => {
    const { queue, add, insertNow, ids, times } = open()
    const fail = () =>
      queue.add('write and fail', () => {
        throw new Error('no')
      })
    const half = () =>
      queue.add('write half', () => {
        insertNow(7)
        return insertNow(1)
      })
    const results = await Promise.allSettled([add(1), fail(), add(2), add(1), half(), add(3)])
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ])
    expect(ids()).toEqual([1, 2, 3])
    expect(times('COMMIT')).toBe(1)
  })

  it('SQ20 when the commit fails every write of the group rejects, none is there, and the next group works', async () => {
    const { add, addOrphan, ids } = open()
    const results = await Promise.allSettled([add(1), addOrphan(99), add(2)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(ids()).toEqual([])
    expect(await Promise.all([add(1), add(2)])).toEqual([1, 1])
    expect(ids()).toEqual([1, 2])
  })

  it('SQ20 a write that failed for itself keeps its own reason when the commit fails too', async () => {
    const { queue, add, addOrphan } = open()
    const failing = queue.add('fail', () => {
      throw new Error('its own reason')
    })
    const [own, other] = await Promise.allSettled([failing, addOrphan(99), add(1)])
    expect(own).toMatchObject({
      status: 'rejected',
      reason: { message: 'SQLite could not fail: its own reason' },
    })
    expect(other).toMatchObject({ reason: { message: expect.stringContaining('FOREIGN KEY') } })
  })
})

describe('errors', () => {
  it('PG23 what no outcome of the port covers names the operation and keeps the driver’s error', async () => {
    const { access } = openStore({ filename: ':memory:' })
    const audit = anAuditEntry('AE-1')
    await access.connectors.create(aConnector('C-1'), { audit })
    const clash = access.connectors.create(aConnector('C-2'), { audit })
    await expect(clash).rejects.toMatchObject({
      message: expect.stringMatching(/^SQLite could not write the connector: UNIQUE constraint failed/),
      cause: { code: 'SQLITE_CONSTRAINT_UNIQUE' },
    })
  })

  it('SQ25 a write that waits longer than the busy timeout says so, and can be tried again', async () => {
    const filename = temporaryStoreFile()
    const { access } = openStore({ filename, busyTimeout: 1 })
    const other = new BetterSqlite3(filename)
    onTestFinished(() => {
      other.close()
    })
    other.exec('BEGIN IMMEDIATE')
    await expect(access.tokenKeys.secret('token', 'one')).rejects.toThrow(
      'SQLite could not write the secret: another process kept the database locked for longer than the busy timeout',
    )
    expect(await access.accounts.list({}, 100)).toEqual([])
    other.exec('ROLLBACK')
    expect(await access.tokenKeys.secret('token', 'two')).toBe('two')
  })
})
