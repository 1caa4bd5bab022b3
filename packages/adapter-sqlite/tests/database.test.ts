import { chmodSync, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { aConversation, anAccount } from '@colloquy/core/testing'
import BetterSqlite3 from 'better-sqlite3'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../src/database/database.ts'
import { createSqliteStore } from '../src/store.ts'
import { openStore, temporaryFile } from './files.ts'

const FULL = 2

describe('settings', () => {
  it('SQ1 a file is opened with WAL, synchronous FULL, secure deletion, foreign keys and short tries for a lock', () => {
    const database = openDatabase({ filename: temporaryFile() }).database
    onTestFinished(() => {
      database.close()
    })
    const setting = (name: string) => database.pragma(name, { simple: true })
    expect(setting('journal_mode')).toBe('wal')
    expect(setting('synchronous')).toBe(FULL)
    expect(setting('foreign_keys')).toBe(1)
    expect(setting('secure_delete')).toBe(1)
    expect(setting('busy_timeout')).toBe(10)
  })

  it('SQ1 synchronous stays FULL when a file that is in WAL mode already is opened again', () => {
    const filename = temporaryFile()
    openDatabase({ filename }).database.close()
    const database = openDatabase({ filename, busyTimeout: 7 }).database
    onTestFinished(() => {
      database.close()
    })
    expect(database.pragma('synchronous', { simple: true })).toBe(FULL)
    expect(database.pragma('busy_timeout', { simple: true })).toBe(7)
  })

  it('the write-ahead log does not grow much beyond 8 MiB, however much is written', async () => {
    const filename = temporaryFile()
    const { conversations } = openStore({ filename })
    const text = 'a room for two '.repeat(20_000)
    for (let one = 0; one < 80; one++) {
      await conversations.create(aConversation(`AS-${one}`, { state: { variables: { text } } }))
    }
    expect(statSync(filename).size).toBeGreaterThan(2 ** 24)
    expect(statSync(`${filename}-wal`).size).toBeLessThan(1.1 * 2 ** 23)
  })

  it('a new file has pages of 8 KiB, and one that has pages of another size keeps them', () => {
    const settingsOf = (filename: string) => {
      const { database } = openDatabase({ filename })
      const setting = (name: string) => Number(database.pragma(name, { simple: true }))
      const [bytes, pages] = [setting('page_size'), setting('wal_autocheckpoint')]
      database.close()
      return { bytes, moved: bytes * pages }
    }
    const former = temporaryFile()
    const made = new BetterSqlite3(former)
    made.pragma('page_size = 4096')
    made.exec('VACUUM')
    made.close()
    expect(settingsOf(temporaryFile())).toEqual({ bytes: 8_192, moved: 2 ** 23 })
    expect(settingsOf(former)).toEqual({ bytes: 4_096, moved: 2 ** 23 })
    expect(settingsOf(former)).toEqual({ bytes: 4_096, moved: 2 ** 23 })
  })

  it('SQ25 a busy timeout that is no whole number of milliseconds is refused, and no file is made', () => {
    const filename = temporaryFile()
    for (const busyTimeout of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
      expect(() => createSqliteStore({ filename, busyTimeout })).toThrow(/busyTimeout/)
    }
    expect(existsSync(filename)).toBe(false)
  })

  it('SQ3 folders that are missing are made', async () => {
    const filename = join(dirname(temporaryFile()), 'a', 'b', 'store.db')
    expect(await openStore({ filename }).access.accounts.list({}, 100)).toEqual([])
    expect(existsSync(filename)).toBe(true)
  })

  it('SQ4 a file that is no database is refused, and its name is free again', () => {
    const folder = dirname(temporaryFile())
    expect(() => createSqliteStore({ filename: folder })).toThrow(/./)
  })
})

describe('who may read a file', () => {
  const modeOf = (filename: string) => (statSync(filename).mode & 0o777).toString(8)
  beforeEach(() => {
    const mask = process.umask(0o022)
    onTestFinished(() => {
      process.umask(mask)
    })
  })

  it('SQ3 a new file, and those that SQLite keeps beside it, are for their owner alone', async () => {
    const filename = temporaryFile()
    const { access } = openStore({ filename })
    await access.accounts.create(anAccount())
    for (const file of [filename, `${filename}-wal`, `${filename}-shm`]) expect(modeOf(file)).toBe('600')
  })

  it('SQ3 folders that are made for a new file are for their owner alone', () => {
    const folder = dirname(temporaryFile())
    chmodSync(folder, 0o755)
    openStore({ filename: join(folder, 'made/deeper/store.db') })
    const folders = [folder, join(folder, 'made'), join(folder, 'made/deeper')]
    expect(folders.map(modeOf)).toEqual(['755', '700', '700'])
  })

  it('SQ3 the mode of a file that is there is left alone', async () => {
    const filename = temporaryFile()
    await createSqliteStore({ filename }).close()
    chmodSync(filename, 0o640)
    const { access } = openStore({ filename })
    await access.accounts.create(anAccount())
    expect([modeOf(filename), modeOf(`${filename}-wal`)]).toEqual(['640', '640'])
  })
})
