import { DOCUMENT_KINDS, type Kind } from '@colloquy/core/store'
import { aVoice } from '@colloquy/core/testing'
import { asVersion, testLaterKinds } from '@colloquy/test-support/later-kinds'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { temporaryFile } from './files.ts'

// Slow: each version of a property's stores loads the adapter anew.

async function load() {
  const { openDatabase } = await import('../src/database/database.ts')
  const { createSession } = await import('../src/database/session.ts')
  const { createDocuments } = await import('../src/documents/documents.ts')
  return async (filename: string) => {
    const session = createSession(openDatabase({ filename }))
    return { documents: createDocuments(session, () => 1), close: session.close }
  }
}

testLaterKinds('sqlite', { fresh: async () => temporaryFile(), tries: [12, 60], load })

describe('an index that came later', () => {
  it('holds what its rows hold, and nothing of before', async () => {
    const filename = temporaryFile()
    const kind = DOCUMENT_KINDS.voice as Kind<never>
    const put = (version: number, accountId: string) =>
      ['V-1', 'V-2', 'V-3'].map(id => ({ kind, value: aVoice(id, { version, accountId }) }))
    const first = await (await asVersion([{ ...kind, indexes: {} }], 1, load))(filename)
    await first.documents.write({ when: [], put: put(1, 'one') })
    await first.close()
    const { close, documents } = await (await asVersion([kind], 2, load))(filename)
    expect(await documents.refill(kind, ['account_id'], { after: null, limit: 2 })).toBe('V-2')
    await documents.write({ when: [], put: put(2, 'two').slice(0, 1), remove: [{ kind, id: 'V-2' }] })
    expect(await documents.refill(kind, ['account_id'], { after: 'V-2', limit: 2 })).toBe('V-3')
    expect(await documents.refill(kind, ['account_id'], { after: 'V-3', limit: 2 })).toBe(null)
    const file = new BetterSqlite3(filename, { readonly: true })
    const held = file.prepare('select account_id, id from voice_by_account').raw().all()
    expect(held).toEqual([
      ['one', 'V-3'],
      ['two', 'V-1'],
    ])
    const plan = file
      .prepare(
        'explain query plan select body from voice_by_account cross join voice using (account_id, created_at, id) where account_id = ? order by account_id, created_at, id',
      )
      .all('x')
    expect(JSON.stringify(plan)).not.toContain('TEMP B-TREE')
    file.close()
    await documents.write({ when: [], clear: [{ kind, index: 'account', prefix: ['one'] }] })
    expect(await documents.get(kind, ['V-1', 'V-3'])).toEqual([
      aVoice('V-1', { version: 2, accountId: 'two' }),
      null,
    ])
    await close()
  })
})
