import { silentLog } from '@colloquy/core'
import { DOCUMENT_KINDS, type Kind } from '@colloquy/core/store'
import { aVoice } from '@colloquy/core/testing'
import { asVersion, testLaterKinds } from '@colloquy/test-support/later-kinds'
import { createConnection, createPool } from 'mariadb'
import { expect, it } from 'vitest'
import { describeMaria, nameIn } from './maria.ts'

const text = <T>(of: (value: T) => string) => ({ type: 'text', of }) as const

// Slow: each version of a property's stores loads the adapter anew, and makes tables in a real MariaDB.

describeMaria('later kinds', ({ fresh, pool }) => {
  async function load() {
    const { openDatabase } = await import('../src/database/opening.ts')
    const { makeLaterIndexes } = await import('../src/database/later-indexes.ts')
    const { poolConfigOf } = await import('../src/database/pool.ts')
    const { createSession } = await import('../src/database/session.ts')
    const { createDocuments } = await import('../src/documents/documents.ts')
    const { nameOfIndex } = await import('../src/documents/statements.ts')
    return async (url: string) => {
      const config = poolConfigOf(url, 2)
      const connection = await createConnection(config)
      const missing = await openDatabase(connection, silentLog).finally(() => connection.end())
      const own = createPool(config)
      const absent = new Set(missing.map(({ index, kind }) => nameOfIndex(kind, index)))
      const made = (index: string): void => void absent.delete(index)
      const stop = makeLaterIndexes(missing, () => createConnection(config), { log: silentLog, made })
      const close = async () => {
        stop()
        await own.end()
      }
      return { documents: createDocuments(createSession(own), () => 1, absent), close }
    }
  }

  testLaterKinds('mariadb', { fresh, tries: [6, 20], load })

  it('an index that came later is made while others write, and its list is read meanwhile', async () => {
    const url = await fresh()
    const kind = DOCUMENT_KINDS.voice as Kind<never>
    const name = text<{ readonly name: string }>(value => value.name)
    const [before, now] = [
      { ...kind, columns: { ...kind.columns, name }, indexes: {} },
      { ...kind, columns: { ...kind.columns, name }, indexes: { name: ['name'], ...kind.indexes } },
    ]
    const first = await (await asVersion([before], 1, load))(url)
    const values = ['V-1', 'V-2'].map((id, at) => aVoice(id, { name: `${at} ${'long '.repeat(400)}` }))
    await first.documents.write({ when: [], put: values.map(value => ({ kind: before, value })) })
    await first.close()
    const { close, documents } = await (await asVersion([now], 2, load))(url)
    const indexes = () =>
      pool.query(
        "select distinct index_name as name from information_schema.statistics where table_schema = ? and table_name = 'voice' order by 1",
        [nameIn(url)],
      )
    expect(await documents.scan(now, 'name', { prefix: [], descending: true })).toEqual(values.toReversed())
    await expect
      .poll(indexes)
      .toEqual(['PRIMARY', 'voice_by_account', 'voice_by_name'].map(name => ({ name })))
    expect(await documents.scan(now, 'name', { prefix: [], descending: true })).toEqual(values.toReversed())
    await close()
  })

  it('SX224 so is one whose write waits while the later version opens the store', async () => {
    const url = await fresh()
    const kind = DOCUMENT_KINDS.voice as Kind<never>
    const { close, documents } = await (await asVersion([kind], 1, load))(url)
    const [value, next] = [aVoice('V-1'), aVoice('V-1', { version: 2 })]
    const when = [{ kind, id: 'V-1', version: 1 }]
    await documents.write({ when: [], put: [{ kind, value }] })
    const name = nameIn(url)
    const later = await pool.getConnection()
    await later.query(`lock tables ${name}.voice write, ${name}.colloquy_schema write`)
    const writing = [
      documents.write({ when, put: [{ kind, value: next }] }),
      documents.write({ when: [{ kind, id: 'V-2', version: 0 }], put: [{ kind, value: aVoice('V-2') }] }),
      documents.write({ when: [], put: [{ kind, value: next }] }),
    ].map(one => expect(one).rejects.toThrow('a later version of Colloquy has opened the store'))
    const waiting = () =>
      pool.query("select 1 from information_schema.processlist where db = ? and state like 'Waiting for%'", [
        name,
      ])
    // The third has no connection yet.
    await expect.poll(async () => (await waiting()).length).toBe(2)
    await later.query(`update ${name}.colloquy_schema set number = 2; unlock tables`)
    await later.release()
    await Promise.all(writing)
    expect(await documents.get(kind, ['V-1', 'V-2'])).toEqual([value, null])
    await close()
  })
})
