import { aConversation } from '@colloquy/core/testing'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { createPostgresStore } from '../src/store.ts'
import { describePooled } from './postgres.ts'

describePooled('a pooler in transaction mode', ({ schemas }, address) => {
  /** Calls that need several connections at once; why some failed. */
  async function reasons(prepare: boolean): Promise<ReadonlySet<string>> {
    const pool = new pg.Pool({ connectionString: await address(), max: 20 })
    onTestFinished(() => pool.end())
    const store = await createPostgresStore({ pool, schema: schemas.fresh(), prepare })
    const answers = await Promise.allSettled(
      Array.from({ length: 200 }, (_, at) =>
        at % 2 === 0 ? store.conversations.load(`AS-${at}`) : store.conversations.listOpen(`P-${at}`),
      ),
    )
    await store.close()
    return new Set(
      answers.flatMap(answer => (answer.status === 'rejected' ? [String(answer.reason?.cause?.code)] : [])),
    )
  }

  it('PG46 named statements are lost behind it, and `prepare: false` sends none', async () => {
    const named = await reasons(true)
    // There is no such statement on this connection, or there is one already.
    expect([...named].filter(code => !['26000', '42P05'].includes(code))).toEqual([])
    expect(named.size).toBeGreaterThan(0)
    expect(await reasons(false)).toEqual(new Set())
  })

  it('PG46 without `prepare: false` an own pool is refused with what to set', async () => {
    const url = await address()
    await expect(createPostgresStore({ url, schema: schemas.fresh() })).rejects.toThrow(
      'unsupported startup parameter: statement_timeout. A pooler stands before the server: set prepare to false.',
    )
  })

  it('PG46 nodes that open one schema at once through it all have a store', async () => {
    const [url, schema] = [await address(), schemas.fresh()]
    const stores = await Promise.all(
      Array.from({ length: 10 }, () =>
        createPostgresStore({ url, schema, prepare: false, maxConnections: 1 }),
      ),
    )
    onTestFinished(async () => {
      for (const store of stores) await store.close()
    })
    await stores[0]?.conversations.create(aConversation('AS-1'))
    for (const store of stores) expect(await store.conversations.load('AS-1')).toMatchObject({ version: 1 })
  })
})
