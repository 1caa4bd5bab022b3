import { silentLog } from '@colloquy/core'
import { DOCUMENT_KINDS, type Kind } from '@colloquy/core/store'
import { aVoice } from '@colloquy/core/testing'
import { asVersion, testLaterKinds } from '@colloquy/test-support/later-kinds'
import { expect, it } from 'vitest'
import { describePostgres } from './postgres.ts'

// Slow: each version of a property's stores loads the adapter anew, and makes tables in a real PostgreSQL.

describePostgres('later kinds', ({ schemas }) => {
  async function load() {
    const { makeLaterIndexes } = await import('../src/database/later-indexes.ts')
    const { openDatabase } = await import('../src/database/opening.ts')
    const { createPool } = await import('../src/database/pool.ts')
    const { createSession } = await import('../src/database/session.ts')
    const { createDocuments } = await import('../src/documents/documents.ts')
    return async (schema: string) => {
      const pool = createPool({ url: schemas.url, maxConnections: 3 }, { schema, settings: true })
      const options = { schema, where: 'here', create: true, exclusive: false, log: silentLog }
      const isMissing = await openDatabase(pool, options).catch(async error => {
        await pool.end()
        throw error
      })
      const stop = isMissing ? makeLaterIndexes(pool, schema, { log: silentLog, prepare: true }) : () => {}
      const session = createSession({ pool, own: pool, schema, prepare: true, onClose: stop })
      const documents = createDocuments(session, {
        nextSequence: () => 1,
        writesPerStatement: 200,
        committed() {},
      })
      return { documents, close: session.close }
    }
  }

  testLaterKinds('postgres', { fresh: async () => schemas.fresh(), tries: [6, 20], load })

  it('an index that came later is made while others write, also one that was left unfinished', async () => {
    const schema = schemas.fresh()
    const kind = DOCUMENT_KINDS.voice as Kind<never>
    const first = await (await asVersion([{ ...kind, indexes: {} }], 1, load))(schema)
    await first.documents.write({ when: [], put: [{ kind, value: aVoice('V-1') }] })
    await first.close()
    await schemas.pool.query(`create index voice_by_account on ${schema}.voice (account_id)`)
    const isValid = async () => {
      const { rows } = await schemas.pool.query(
        "select indisvalid, indnatts from pg_index where indexrelid = ($1 || '.voice_by_account')::regclass",
        [schema],
      )
      return rows
    }
    await schemas.pool.query(
      "update pg_index set indisvalid = false where indexrelid = ($1 || '.voice_by_account')::regclass",
      [schema],
    )
    const open = await asVersion([kind], 2, load)
    const nodes = await Promise.all([1, 2].map(() => open(schema)))
    await nodes[0]?.documents.write({ when: [], put: [{ kind, value: aVoice('V-2') }] })
    // Of three columns, and no longer of one.
    await expect.poll(() => isValid().catch(() => [])).toEqual([{ indisvalid: true, indnatts: 3 }])
    for (const node of nodes) await node.close()
  })

  it('SX224 so is one whose write waits while the later version adds its columns', async () => {
    const schema = schemas.fresh()
    const kind = DOCUMENT_KINDS.voice as Kind<never>
    const { close, documents } = await (await asVersion([kind], 1, load))(schema)
    const [value, next] = [aVoice('V-1'), aVoice('V-1', { version: 2 })]
    const when = [{ kind, id: 'V-1', version: 1 }]
    await documents.write({ when: [], put: [{ kind, value }] })
    // Its plan is made, and it waits for the table alone.
    for (const version of [1, 2, 3])
      await documents.write({
        when: [{ kind, id: 'V-1', version: 9 }],
        put: [{ kind, value: { ...next, version } }],
      })
    const later = await schemas.pool.connect()
    await later.query(
      `begin; alter table ${schema}.voice add column later text; update ${schema}.schema_version set number = 2`,
    )
    const writing = [
      documents.write({ when, put: [{ kind, value: next }] }),
      documents.write({
        when: [...when, { kind, index: 'account', prefix: [value.accountId], atMost: 9 }],
        put: [{ kind, value: next }],
      }),
    ].map(one => expect(one).rejects.toThrow('a later version of Colloquy has opened the store'))
    const waiting = () =>
      schemas.pool.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%' || $1 || '%'",
        [schema],
      )
    await expect.poll(async () => (await waiting()).rowCount).toBe(2)
    await later.query('commit')
    later.release()
    await Promise.all(writing)
    expect(await documents.get(kind, ['V-1'])).toEqual([value])
    await close()
  })
})
