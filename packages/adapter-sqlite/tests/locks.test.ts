import { statSync } from 'node:fs'
import { ACCOUNT, AGENT, aConversation, anAppend, START } from '@colloquy/core/testing'
import { eventsOf } from '@colloquy/test-support/stored'
import BetterSqlite3, { type Database } from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../src/database/database.ts'
import { SCHEMA_VERSION } from '../src/database/open-schema.ts'
import { createSession } from '../src/database/session.ts'
import { createSqliteStore } from '../src/store.ts'
import { openStore, temporaryFile } from './files.ts'

/** How long a lock is waited for that goes while the test runs, milliseconds. */
const LONG = 600_000

function openFile(filename: string): Database {
  const database = new BetterSqlite3(filename, { timeout: 0 })
  onTestFinished(() => {
    database.close()
  })
  return database
}

/** Lets the event loop turn so many times; a process that is stopped does not come through it. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(resolve => setTimeout(resolve, 1))
}

const schemaVersion = (database: Database) =>
  database.prepare('SELECT version FROM schema_version').pluck().all()

/** Files that a start has to write to, and a connection that has locked them. */
const TO_BE_MADE = {
  'a new file that somebody else writes': () => {
    const filename = temporaryFile()
    const other = openFile(filename)
    other.pragma('journal_mode = WAL')
    other.exec('BEGIN IMMEDIATE')
    return { filename, other }
  },
  'a new file': () => {
    const filename = temporaryFile()
    const other = openFile(filename)
    other.exec('BEGIN EXCLUSIVE')
    return { filename, other }
  },
} as const

describe('a file that somebody else has locked', () => {
  it('SQ25 writes wait for the lock while the process goes on, and then are all made, in their order', async () => {
    const filename = temporaryFile()
    const { conversations } = openStore({ filename, busyTimeout: LONG })
    const created = aConversation('AS-1')
    await conversations.create(created)
    await conversations.create(aConversation('AS-2'))
    const other = openFile(filename)
    other.exec('BEGIN EXCLUSIVE')
    const order: string[] = []
    const first = conversations.append(anAppend(created, 1)).then(({ status }) => order.push(status))
    await turns(30)
    const second = conversations
      .append(anAppend(aConversation('AS-2'), 1))
      .then(({ status }) => order.push(`then ${status}`))
    await turns(30)
    expect(order).toEqual([])
    expect(await eventsOf(conversations, 'AS-1', 0)).toHaveLength(1)
    other.exec('ROLLBACK')
    await Promise.all([first, second])
    expect(order).toEqual(['appended', 'then appended'])
    expect(await eventsOf(conversations, 'AS-1', 0)).toHaveLength(2)
    expect(await eventsOf(conversations, 'AS-2', 0)).toHaveLength(2)
  })

  it('SQ25 what waited longer than the busy timeout is refused, can be tried again, and has changed nothing', async () => {
    const filename = temporaryFile()
    const { conversations } = openStore({ filename, busyTimeout: 40 })
    const created = aConversation('AS-1')
    await conversations.create(created)
    const other = openFile(filename)
    other.exec('BEGIN EXCLUSIVE')
    const refused = conversations.append(anAppend(created, 1))
    await expect(refused).rejects.toMatchObject({
      code: 'STORE_BUSY',
      message: expect.stringContaining('another process kept the database locked'),
      cause: { code: 'SQLITE_BUSY' },
    })
    other.exec('ROLLBACK')
    expect(await conversations.append(anAppend(created, 1))).toEqual({ status: 'appended' })
  })

  it('SQ25 reads wait in the same way', async () => {
    const filename = temporaryFile()
    const database = new BetterSqlite3(filename, { timeout: 0 })
    // Without the write-ahead log, where nobody who writes is in the way of who reads.
    database.exec('CREATE TABLE one (value INTEGER); INSERT INTO one VALUES (42)')
    const select = database.prepare('SELECT value FROM one').pluck()
    const session = createSession({ database, prepare: null }, LONG)
    onTestFinished(() => session.close())
    const other = openFile(filename)
    other.exec('BEGIN EXCLUSIVE')
    const read = session.read('read', () => select.get())
    const several = session.read('read', () => session.snapshot(() => [select.get(), select.get()]))
    await turns(30)
    other.exec('ROLLBACK')
    expect(await read).toBe(42)
    expect(await several).toEqual([42, 42])
  })

  it('reads of one snapshot see one state, and one that fails is in nobody’s way', async () => {
    const filename = temporaryFile()
    const session = createSession(openDatabase({ filename }))
    onTestFinished(() => session.close())
    const other = openFile(filename)
    const count = session.define<number>('select count(*) from removal')
    const counted = (between: () => void) =>
      session.read('count', () =>
        session.snapshot(() => {
          const before = count.get()
          between()
          return [before, count.get()]
        }),
      )
    expect(await counted(() => other.exec('insert into removal values (1)'))).toEqual([0, 0])
    const fail = () => {
      throw new Error('No.')
    }
    await expect(counted(fail)).rejects.toThrow('SQLite could not count: No.')
    expect(await session.write('count', () => count.get())).toBe(1)
  })

  it('SQ25 a file of the newest schema is opened while somebody else writes', async () => {
    const filename = temporaryFile()
    await createSqliteStore({ filename }).close()
    const other = openFile(filename)
    other.exec('BEGIN EXCLUSIVE')
    const store = createSqliteStore({ filename, busyTimeout: 0 })
    expect(await store.conversations.removals.scopes()).toEqual([])
    await store.close()
  })

  for (const [file, make] of Object.entries(TO_BE_MADE)) {
    it(`SQ25 a start waits for the lock while the process goes on, and then the store works: ${file}`, async () => {
      const { filename, other } = make()
      const { conversations } = openStore({ filename, busyTimeout: LONG })
      const order: string[] = []
      const note = (name: string) => (result: unknown) => order.push(`${name} ${JSON.stringify(result)}`)
      const created = aConversation('AS-1')
      const calls = [
        conversations.removals.scopes().then(note('scopes')),
        conversations.create(created).then(note('create')),
        conversations.create(aConversation('AS-2')).then(note('create')),
      ]
      await turns(30)
      expect(order).toEqual([])
      other.exec('ROLLBACK')
      await Promise.all(calls)
      expect(order).toEqual(['scopes []', 'create "created"', 'create "created"'])
      expect(await eventsOf(conversations, 'AS-1', 0)).toHaveLength(1)
      expect(schemaVersion(other)).toEqual([SCHEMA_VERSION])
    })

    it(`SQ25 calls are refused after the busy timeout with the file's name, and a later one opens it: ${file}`, async () => {
      const { filename, other } = make()
      const { conversations } = openStore({ filename, busyTimeout: 40 })
      const busy = {
        code: 'STORE_BUSY',
        cause: { message: expect.stringContaining(filename), cause: { code: 'SQLITE_BUSY' } },
      }
      await expect(conversations.removals.scopes()).rejects.toMatchObject(busy)
      await expect(conversations.create(aConversation('AS-1'))).rejects.toMatchObject(busy)
      other.exec('ROLLBACK')
      expect(await conversations.create(aConversation('AS-1'))).toBe('created')
    })

    it(`SQ25 closing waits for what is under way, as long as that may wait: ${file}`, async () => {
      const { filename, other } = make()
      const idle = createSqliteStore({ filename, busyTimeout: 40 })
      const refused = expect(idle.conversations.removals.scopes()).rejects.toMatchObject({
        code: 'STORE_BUSY',
      })
      await Promise.all([idle.close(), refused])
      const store = createSqliteStore({ filename, busyTimeout: LONG })
      const written = store.conversations.create(aConversation('AS-1'))
      const closed = store.close()
      await turns(30)
      other.exec('ROLLBACK')
      await closed
      expect(await written).toBe('created')
      expect(other.prepare('SELECT id FROM conversation').pluck().all()).toEqual(['AS-1'])
    })
  }

  it('SQ25 a file of another version is refused at once, locked or not', () => {
    const filename = temporaryFile()
    const other = openFile(filename)
    other.pragma('journal_mode = WAL')
    other.exec("CREATE TABLE schema_version (version TEXT); INSERT INTO schema_version VALUES ('newer')")
    other.exec('BEGIN IMMEDIATE')
    expect(() => createSqliteStore({ filename })).toThrow(/made by another version of Colloquy/)
  })

  it('SQ40 closing waits for the lock, too, and commits what waited', async () => {
    const filename = temporaryFile()
    const store = createSqliteStore({ filename, busyTimeout: LONG })
    const other = openFile(filename)
    other.exec('BEGIN EXCLUSIVE')
    const written = store.conversations.create(aConversation('AS-1'))
    const closed = store.close()
    await turns(30)
    other.exec('ROLLBACK')
    await closed
    expect(await written).toBe('created')
    expect(other.prepare('SELECT id FROM conversation').pluck().all()).toEqual(['AS-1'])
  })

  it('SQ75 whoever reads while a conversation is removed does not keep its words for good', async () => {
    const filename = temporaryFile()
    const { conversations } = openStore({ filename, busyTimeout: LONG })
    await conversations.create(aConversation('AS-1', { index: { finishedAt: START + 1 } }))
    const reader = openFile(filename)
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM conversation').get()
    const removal = conversations.removals.remove(ACCOUNT, AGENT, 'AS-1')
    await turns(30)
    expect(statSync(`${filename}-wal`).size).toBeGreaterThan(0)
    reader.exec('COMMIT')
    expect(await removal).toBe('removed')
    expect(statSync(`${filename}-wal`).size).toBe(0)
  })
})
