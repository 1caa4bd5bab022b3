import { readFileSync } from 'node:fs'
import { aConversation } from '@colloquy/core/testing'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { hasSchema, makeSchema, SCHEMA_VERSION } from '../src/database/open-schema.ts'
import { createSqliteStore } from '../src/store.ts'
import { openStore, temporaryFile } from './files.ts'

const REFUSAL =
  'it was made by another version of Colloquy. Until 0.1.0 a store is read by the version that made it alone: use that version, or name a new file.'

describe('the schema', () => {
  it('a new file has it, and says which one; to open the file again writes nothing', async () => {
    const filename = temporaryFile()
    await createSqliteStore({ filename }).close()
    const made = readFileSync(filename)
    await createSqliteStore({ filename }).close()
    expect(readFileSync(filename)).toEqual(made)
    const database = new BetterSqlite3(filename, { readonly: true })
    expect(database.prepare('SELECT version FROM schema_version').pluck().all()).toEqual([SCHEMA_VERSION])
    expect(SCHEMA_VERSION).toMatch(/^[0-9a-f]{12}$/)
    database.close()
  })

  it.each([
    "CREATE TABLE schema_version (version TEXT NOT NULL); INSERT INTO schema_version VALUES ('0123456789ab')",
    'CREATE TABLE schema_version (version TEXT NOT NULL)',
    'CREATE TABLE schema_migration (version INTEGER, name TEXT, applied_at INTEGER); CREATE TABLE conversation (id TEXT)',
  ])('SQ4 the file of another version is refused, and not a byte of it is changed: %s', sql => {
    const filename = temporaryFile()
    const other = new BetterSqlite3(filename)
    other.exec(sql)
    other.close()
    const before = readFileSync(filename)
    expect(() => createSqliteStore({ filename })).toThrow(
      `The SQLite file ${filename} cannot be opened: ${REFUSAL}`,
    )
    expect(readFileSync(filename)).toEqual(before)
  })

  it('SQ4 it is made whole or not at all', () => {
    const filename = temporaryFile()
    const database = new BetterSqlite3(filename)
    // Called when many tables are there already.
    database.function('randomblob', (_bytes: unknown) => {
      throw new Error('no luck')
    })
    expect(() => makeSchema(database)).toThrow('no luck')
    expect(hasSchema(database)).toBe(false)
    database.close()
  })

  it('SQ4 of several stores that begin in one new file at once one makes it, and all use it', async () => {
    const filename = temporaryFile()
    const stores = Array.from({ length: 5 }, () => openStore({ filename }))
    const made = await Promise.all(
      stores.map((store, index) => store.conversations.create(aConversation(`AS-${index}`))),
    )
    expect(made).toEqual(Array.from(stores, () => 'created'))
  })
})
