import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { createSqliteStore } from '../src/store.ts'
import { openStore, temporaryFile } from './files.ts'

const given = (options?: unknown): unknown => Reflect.apply(createSqliteStore, undefined, [options])
const refused = (message: string | RegExp) =>
  expect.objectContaining({
    code: 'SCHEMA_VALIDATION_FAILED',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  })

describe('options', () => {
  const EXAMPLE = "For example createSqliteStore({ filename: 'a.db' })."

  it.each([
    ['a.db', `createSqliteStore takes an object of options, not string. ${EXAMPLE}`],
    [undefined, `createSqliteStore takes an object of options, not undefined. ${EXAMPLE}`],
    [{}, `filename must be a path, or ":memory:", not undefined. ${EXAMPLE}`],
    [{ filename: '' }, `filename must be a path, or ":memory:", not an empty string. ${EXAMPLE}`],
    [{ filename: 'a.db', exclusive: 'yes' }, `exclusive must be true or false, not string. ${EXAMPLE}`],
    [{ filename: 5 }, `filename must be a path, or ":memory:", not number. ${EXAMPLE}`],
    [{ fileName: 'a.db' }, 'createSqliteStore has no option "fileName". Did you mean filename?'],
    [
      { filename: ':memory:', readonly: true },
      'createSqliteStore has no option "readonly". It knows filename, busyTimeout, exclusive.',
    ],
  ])('EM4 %j is refused', (options, message) => {
    expect(() => given(options)).toThrow(refused(message))
  })
})

describe('files of others', () => {
  it('SQ4 the file of another application is refused by name, and not a byte of it is changed', () => {
    const filename = temporaryFile()
    const theirs = new BetterSqlite3(filename)
    theirs.exec(
      'CREATE TABLE invoice (id INTEGER); CREATE TABLE customer (id INTEGER); INSERT INTO invoice VALUES (7)',
    )
    theirs.close()
    const before = [readFileSync(filename), statSync(filename).mode]
    expect(() => createSqliteStore({ filename })).toThrow(
      `The SQLite file ${filename} cannot be opened: it holds tables of another application, customer, invoice. Name a new file, or one that Colloquy has made.`,
    )
    expect([readFileSync(filename), statSync(filename).mode]).toEqual(before)
  })

  it('SQ4 so is one that has a table of the same name, of other columns', () => {
    const filename = temporaryFile()
    const theirs = new BetterSqlite3(filename)
    theirs.exec('CREATE TABLE schema_version (id TEXT)')
    theirs.close()
    const before = readFileSync(filename)
    expect(() => createSqliteStore({ filename })).toThrow(
      'it holds tables of another application, schema_version.',
    )
    expect(readFileSync(filename)).toEqual(before)
  })

  it.each([['Dear diary, '.repeat(200)], ['Hi']])(
    'SQ4 a file that is no database is named, and left as it is: case %#',
    text => {
      const filename = temporaryFile()
      writeFileSync(filename, text)
      expect(() => createSqliteStore({ filename })).toThrow(
        expect.objectContaining({
          message: `The SQLite file ${filename} cannot be opened: file is not a database.`,
          cause: expect.objectContaining({ code: 'SQLITE_NOTADB' }),
        }),
      )
      expect(readFileSync(filename, 'utf8')).toBe(text)
    },
  )

  it('SQ4 a file without a byte, and one of SQLite without a table, become stores', async () => {
    const empty = temporaryFile()
    writeFileSync(empty, '')
    const bare = temporaryFile()
    const database = new BetterSqlite3(bare)
    database.pragma('journal_mode = WAL')
    database.close()
    for (const filename of [empty, bare])
      expect(await openStore({ filename }).access.accounts.list({}, 9)).toEqual([])
  })

  it('SQ4 what cannot be opened is named, with the reason', () => {
    const folder = dirname(temporaryFile())
    expect(() => createSqliteStore({ filename: folder })).toThrow(
      `The SQLite file ${folder} cannot be opened: unable to open database file.`,
    )
    const file = join(folder, 'text')
    writeFileSync(file, 'text')
    const below = join(file, 'store.db')
    expect(() => createSqliteStore({ filename: below })).toThrow(
      new RegExp(`^The SQLite file ${below} cannot be opened: .*(EEXIST|ENOTDIR).*\\.$`),
    )
  })

  it('SQ4 a folder that cannot be made is refused at once', () => {
    for (const filename of ['/proc/x/y.db', '/proc/x/z/y.db'])
      expect(() => createSqliteStore({ filename })).toThrow(
        /^The SQLite file \/proc\/.* cannot be opened: E[A-Z]+: .*\/proc\/x.*\.$/,
      )
  })

  it('SQ4 folders that are missing are made, each for its owner alone', () => {
    const filename = join(dirname(temporaryFile()), 'one', 'two', 'store.db')
    openStore({ filename })
    for (const folder of [dirname(filename), dirname(dirname(filename))])
      expect(statSync(folder).mode & 0o777).toBe(0o700)
  })
})

describe('exclusive stores', () => {
  it('SQ8 a file that others have open is waited for, and they wait for it in turn', async () => {
    const filename = temporaryFile()
    const other = createSqliteStore({ filename, busyTimeout: 50 })
    await other.access.accounts.list({}, 1)
    const refusedOne = openStore({ filename, exclusive: true, busyTimeout: 50 })
    await expect(refusedOne.access.accounts.list({}, 1)).rejects.toMatchObject({ code: 'STORE_BUSY' })
    await refusedOne.close()
    const waiting = createSqliteStore({ filename, exclusive: true })
    const listed = waiting.access.accounts.list({}, 1)
    await other.close()
    expect(await listed).toEqual([])
    await waiting.access.tokenKeys.secret('name', 'value')
    const late = openStore({ filename, busyTimeout: 50 })
    await expect(late.access.accounts.list({}, 1)).rejects.toMatchObject({ code: 'STORE_BUSY' })
    await waiting.close()
    expect(await late.access.tokenKeys.secret('name', 'another')).toBe('value')
  })
})
