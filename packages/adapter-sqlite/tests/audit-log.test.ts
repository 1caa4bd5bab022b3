import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { anApiKey, anAuditEntry, START } from '@colloquy/core/testing'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runChild } from './children/child.ts'
import { openStore, temporaryStoreFile } from './files.ts'

/** A file past the store, as anybody can open it. */
function openFile(filename: string) {
  const database = new BetterSqlite3(filename)
  onTestFinished(() => {
    database.close()
  })
  return database
}

describe('the audit log in a file', () => {
  it('MA8 the file refuses to change an entry, and to remove one outside of a removal', async () => {
    const filename = temporaryStoreFile()
    const { audit } = openStore({ filename })
    for (const id of ['A-1', 'A-2']) await audit.append(anAuditEntry(id))
    const { values: before } = await audit.list({}, 10)
    const database = openFile(filename)
    const writes = [
      "UPDATE audit_entry SET body = '{}'",
      "UPDATE audit_entry SET at = 0 WHERE id = 'A-1'",
      'DELETE FROM audit_entry',
      "DELETE FROM audit_entry WHERE id = 'A-1'",
    ]
    for (const sql of writes) expect(() => database.exec(sql)).toThrow('audit_entry is append-only')
    expect((await audit.list({}, 10)).values).toEqual(before)
    expect(await audit.remove(START + 1, 1)).toEqual({ removed: 1, more: true })
    expect(() => database.exec('DELETE FROM audit_entry')).toThrow('audit_entry is append-only')
    expect((await audit.list({}, 10)).values).toEqual(before.slice(0, 1))
  })

  it('MA8 and AU1 a change whose entry cannot be kept is not made', async () => {
    const filename = temporaryStoreFile()
    const { access, audit } = openStore({ filename })
    const entry = anAuditEntry('A-1')
    await access.apiKeys.create(anApiKey('KEY-1'), { audit: entry })
    // The id of an entry is there but once: this one cannot be kept.
    await expect(access.apiKeys.create(anApiKey('KEY-2'), { audit: entry })).rejects.toThrow(
      /write the api key/,
    )
    await expect(access.apiKeys.revoke('KEY-1', START, { audit: entry })).rejects.toThrow(/write the api key/)
    expect(await access.apiKeys.list({}, 1e6)).toEqual([anApiKey('KEY-1')])
    expect((await audit.list({}, 10)).values).toMatchObject([{ entry }])
  })

  it('MA8 AU1 a process that is killed leaves each change with its entry, and no entry without its change', async () => {
    const filename = temporaryStoreFile()
    const child = runChild(new URL('./children/change-forever.ts', import.meta.url), [filename])
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const closed = once(child, 'close')
    const acknowledged: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      if (acknowledged.push(line) === 300) child.kill('SIGKILL')
    }
    expect(await closed).toEqual([null, 'SIGKILL'])

    const { access, audit } = openStore({ filename })
    const keys = await access.apiKeys.list({}, 1e6)
    const entries = (await audit.list({}, 100_000)).values.map(({ entry }) => entry)
    const noted = (action: string) =>
      entries
        .filter(entry => entry.action === action)
        .map(({ resource }) => resource.id ?? '')
        .sort()
    expect(noted('api_key.created')).toEqual(keys.map(({ id }) => id).sort())
    expect(noted('api_key.revoked')).toEqual(
      keys
        .filter(({ revokedAt }) => revokedAt !== null)
        .map(({ id }) => id)
        .sort(),
    )
    expect(noted('api_key.revoked')).toEqual(expect.arrayContaining(acknowledged))
    expect(acknowledged.length).toBeGreaterThanOrEqual(300)
  })
})
