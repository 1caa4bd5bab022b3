import { readdirSync, readFileSync } from 'node:fs'
import { type ConversationId, createPlatform } from '@colloquy/core'
import { createFakeClock, createScriptedRuntime, START } from '@colloquy/core/testing'
import { eventsOf } from '@colloquy/test-support/stored'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { MIGRATIONS } from '../src/database/migrations/all.ts'
import { createPostgresStore } from '../src/store.ts'
import { describePostgres } from './postgres.ts'

const EARLIER = new URL('earlier/', import.meta.url)
const versionOf = (name: string): number => Number(/\d+/.exec(name)?.[0])
const DUMPS = readdirSync(EARLIER)
  .filter(name => name.endsWith('.sql'))
  .sort((one, other) => versionOf(one) - versionOf(other))

/** The dump of a version, for a schema of another name. */
const dumpOf = (name: string, schema: string): string =>
  readFileSync(new URL(name, EARLIER), 'utf8')
    .replaceAll("'earlier'", `'${schema}'`)
    .replaceAll(/\bearlier\b/g, `"${schema}"`)

/** Columns, defaults, indexes, constraints and triggers of a schema, by name. */
const SHAPE = `
  select 'column' as kind, table_name || '.' || column_name as name,
    concat_ws(' ', data_type, udt_name, is_nullable, column_default, collation_name, is_identity) as says
  from information_schema.columns where table_schema = $1
  union all select 'index', indexname, indexdef from pg_indexes where schemaname = $1
  union all select 'constraint', conrelid::regclass::text || '.' || conname, pg_get_constraintdef(oid)
  from pg_constraint where connamespace = $1::text::regnamespace
  union all select 'trigger', tgname, pg_get_triggerdef(oid) from pg_trigger
  where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = $1::text::regnamespace)
  order by 1, 2, 3`

describe('dumps', () => {
  it('PG25 there is one of every schema that was released', () => {
    expect(DUMPS).toEqual(MIGRATIONS.map(({ version }) => `schema-${version}.sql`))
  })
})

describePostgres('an earlier schema', ({ schemas }) => {
  async function restored(name: string): Promise<string> {
    const schema = schemas.fresh()
    const client = await schemas.pool.connect()
    // The dump sets what its session searches.
    await client.query(dumpOf(name, schema)).finally(() => client.release(true))
    return schema
  }

  it.each(DUMPS)('PG25 of %s opens with everything in it, and its conversations go on', async name => {
    const schema = await restored(name)
    const { rows } = await schemas.pool.query<{
      readonly id: ConversationId
      readonly version: number
      readonly sequence: number
    }>(`select id, version::int, sequence::int from "${schema}".conversation_head order by row`)
    expect(rows).toHaveLength(4)
    const store = await createPostgresStore({ url: schemas.url, schema })
    const clock = createFakeClock(START)
    const platform = createPlatform({
      ...{ store, clock, wakeInterval: 1e9 },
      runtime: createScriptedRuntime({ greeting: 'Welcome.', otherwise: 'Yes.' }, clock),
    })
    onTestFinished(() => platform.close())
    for (const { id, version, sequence } of rows) {
      expect(await store.conversations.load(id)).toMatchObject({
        version,
        state: { id, sequence },
        pendingExternalEvents: [],
      })
      const events = await eventsOf(store.conversations, id, 0)
      expect(events.map(event => event.sequence)).toEqual(Array.from({ length: sequence }, (_, at) => at + 1))
    }
    const [connector] = await store.access.connectors.list({}, 9)
    expect(await store.conversations.handoffs.list(connector?.accountId ?? '', 'waiting')).toHaveLength(1)
    const visitor = await openVisitor(platform, clock)
    await vi.waitFor(async () => {
      await visitor.join()
      expect(visitor.texts('AI_AGENT_MESSAGE')).toContain('Welcome.')
    })
    expect(visitor.accountId).toBe(connector?.accountId)
  })

  it.each(DUMPS)('PG25 of %s comes to the same tables, indexes and constraints as a new one', async name => {
    const shapeOf = async (schema: string) => {
      const { rows } = await schemas.pool.query(SHAPE, [schema])
      return JSON.parse(JSON.stringify(rows).replaceAll(schema, 'S').replaceAll('\\"S\\"', 'S'))
    }
    const [old, fresh] = [await restored(name), schemas.fresh()]
    for (const schema of [old, fresh]) await (await createPostgresStore({ url: schemas.url, schema })).close()
    const shape = await shapeOf(fresh)
    expect(await shapeOf(old)).toEqual(shape)
    expect(shape.length).toBeGreaterThan(100)
  })
})
