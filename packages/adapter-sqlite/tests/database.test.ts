import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../src/database.ts'
import { createSqliteStore } from '../src/store.ts'
import { openStore, temporaryFile } from './files.ts'

const FULL = 2

describe('settings', () => {
  it('SQ1 a file is opened with WAL, synchronous FULL, foreign keys and a busy timeout of 5 s', () => {
    const database = openDatabase({ filename: temporaryFile() })
    onTestFinished(() => {
      database.close()
    })
    const setting = (name: string) => database.pragma(name, { simple: true })
    expect(setting('journal_mode')).toBe('wal')
    expect(setting('synchronous')).toBe(FULL)
    expect(setting('foreign_keys')).toBe(1)
    expect(setting('busy_timeout')).toBe(5_000)
  })

  it('SQ1 synchronous stays FULL when a file that is in WAL mode already is opened again', () => {
    const filename = temporaryFile()
    openDatabase({ filename }).close()
    const database = openDatabase({ filename, busyTimeout: 17 })
    onTestFinished(() => {
      database.close()
    })
    expect(database.pragma('synchronous', { simple: true })).toBe(FULL)
    expect(database.pragma('busy_timeout', { simple: true })).toBe(17)
  })

  it('SQ2 a busy timeout that is no whole number of milliseconds is refused, and no file is made', () => {
    const filename = temporaryFile()
    for (const busyTimeout of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
      expect(() => createSqliteStore({ filename, busyTimeout })).toThrow(/busyTimeout/)
    }
    expect(existsSync(filename)).toBe(false)
  })

  it('SQ3 folders that are missing are made', async () => {
    const filename = join(dirname(temporaryFile()), 'a', 'b', 'store.db')
    expect(await openStore({ filename }).access.accounts({}, 100)).toEqual([])
    expect(existsSync(filename)).toBe(true)
  })

  it('SQ4 a file that is no database is refused, and its name is free again', () => {
    const folder = dirname(temporaryFile())
    expect(() => createSqliteStore({ filename: folder })).toThrow(/./)
  })
})
