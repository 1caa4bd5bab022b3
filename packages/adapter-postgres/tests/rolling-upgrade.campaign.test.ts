import { readFileSync } from 'node:fs'
import { linesOf, type Program, run, within } from '@colloquy/test-support/program'
import { eventsOf } from '@colloquy/test-support/stored'
import { expect, it, onTestFinished } from 'vitest'
import { programAt } from '../../../scripts/programs/program.ts'
import { MIGRATIONS } from '../src/database/migrations/all.ts'
import { createPostgresStore } from '../src/store.ts'
import { describePostgres } from './postgres.ts'

const NODES = 10

describePostgres('a rolling upgrade', ({ schemas }) => {
  const { pool, url } = schemas

  const start = (script: string, ...args: readonly string[]): Program =>
    run(process.execPath, [
      ...programAt(`packages/adapter-postgres/tests/children/${script}.ts`),
      ...[url, ...args],
    ])

  /** What ten processes that start at once say. */
  const tenOf = (script: string, schema: string): Promise<readonly string[]> =>
    Promise.all(
      Array.from({ length: NODES }, async (_, index) => {
        const node = start(script, schema, `NODE-${index}`)
        expect(await within(node.exit, script), node.output.stderr).toBe(0)
        return node.output.stdout.trim()
      }),
    )

  const versions = async (schema: string): Promise<readonly number[]> => {
    const { rows } = await pool.query<{ readonly version: number }>(
      `select version from "${schema}".schema_migration order by version`,
    )
    return rows.map(({ version }) => version)
  }

  async function expectTheirConversations(schema: string): Promise<void> {
    const store = await createPostgresStore({ url, schema })
    onTestFinished(() => store.close())
    for (let index = 0; index < NODES; index++)
      expect(await store.conversations.load(`NODE-${index}`)).toMatchObject({ version: 1 })
  }

  it('PG11 ten processes that start at once over an empty database all have a store', async () => {
    const schema = schemas.fresh()
    expect(new Set(await tenOf('open-store', schema))).toEqual(new Set(['opened created']))
    expect(await versions(schema)).toEqual(MIGRATIONS.map(({ version }) => version))
    await expectTheirConversations(schema)
  })

  it('PG11 so do ten over the oldest schema', async () => {
    const schema = schemas.fresh()
    const dump = readFileSync(new URL('earlier/schema-1.sql', import.meta.url), 'utf8')
    const client = await pool.connect()
    await client.query(dump.replaceAll(/\bearlier\b/g, `"${schema}"`)).finally(() => client.release(true))
    expect(new Set(await tenOf('open-store', schema))).toEqual(new Set(['opened created']))
    expect(await versions(schema)).toEqual(MIGRATIONS.map(({ version }) => version))
    await expectTheirConversations(schema)
  })

  it('PG34 a node goes on writing while ten of its version, and then ten of the next one, start; nothing is lost', async () => {
    const schema = schemas.fresh()
    const node = start('append-on', schema)
    await node.line(/^RUNNING-3 5$/)
    expect(new Set(await tenOf('open-store', schema))).toEqual(new Set(['opened created']))
    const further = await tenOf('migrate-further', schema)
    // Those that came when it was there already found nothing to do.
    expect(further).toContain(`migrated from ${MIGRATIONS.length}`)
    expect(await versions(schema)).toEqual([
      ...MIGRATIONS.map(({ version }) => version),
      MIGRATIONS.length + 1,
    ])
    const known = linesOf(node.output.stdout).filter(line => line.startsWith('RUNNING-0')).length
    await node.line(new RegExp(`^RUNNING-0 ${known + 20}$`))
    node.kill('SIGTERM')
    expect(await within(node.exit, 'the node'), node.output.stderr).toBe(0)
    const acknowledged = new Map(
      linesOf(node.output.stdout).flatMap(line => {
        const [id = '', version] = line.split(' ')
        return version === undefined ? [] : [[id, Number(version)] as const]
      }),
    )

    // The version that is running refuses the newer schema only when it starts anew.
    await expect(createPostgresStore({ url, schema })).rejects.toThrow(`has version ${MIGRATIONS.length + 1}`)
    await pool.query(`delete from "${schema}".schema_migration where version > ${MIGRATIONS.length}`)
    const store = await createPostgresStore({ url, schema })
    onTestFinished(() => store.close())
    expect(acknowledged.size).toBe(4)
    for (const [id, version] of acknowledged) {
      expect(await store.conversations.load(id)).toMatchObject({ version: version + 1 })
      const events = await eventsOf(store.conversations, id, 0)
      expect(events.map(event => event.clientEventId)).toEqual(
        Array.from({ length: version }, (_, at) => `c-${at + 1}`),
      )
    }
  })
})
