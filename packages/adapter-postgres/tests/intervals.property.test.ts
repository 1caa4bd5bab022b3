import { createMemoryStore } from '@colloquy/adapter-memory'
import { ACCOUNT, AGENT, aConversation, anAppend, START } from '@colloquy/core/testing'
import { command, question, rowsOf, tell } from '@colloquy/test-support/interval-histories'
import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createPlaces } from '../src/conversations/conversation-place.ts'
import { createIntervalPacking } from '../src/conversations/intervals/interval-packing.ts'
import { createPool } from '../src/database/pool.ts'
import { createSession } from '../src/database/session.ts'
import { describePostgres, type TestStores } from './postgres.ts'

const live = { accountId: ACCOUNT, environment: 'live' } as const

/** Everything, as a range. */
const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** A store, and what packs its conversations when it is asked to, however few there are. */
async function openPacked(stores: TestStores) {
  const store = await stores.open()
  const schema = stores.schemaOf(store)
  const own = createPool({ url: stores.schemas.url, maxConnections: 3 }, { schema, settings: true })
  const session = createSession({ pool: own, own, schema, prepare: true, onClose: () => undefined })
  onTestFinished(async () => {
    await packing.quiet()
    await session.close()
    await store.close()
  })
  const places = createPlaces(session.define, session.accepted)
  const packing = createIntervalPacking(session, { least: 1, most: 2, pause: 0 })
  return {
    conversations: store.conversations,
    pool: own,
    schema,
    /** Begins to pack. */
    async pack(agentId: string) {
      const scope = await places.find({ ...live, agentId })
      if (scope !== null) packing.foundMany(scope, ALWAYS)
    },
    quiet: packing.quiet,
    async number(sql: string): Promise<number> {
      const { rows } = await stores.schemas.pool.query(
        `select (${sql.replaceAll('$schema', `"${schema}"`)})::int as n`,
      )
      return rows[0].n
    },
  }
}

const PACKED = 'select coalesce(sum(intervals), 0) from $schema.interval_block where packed is not null'

describePostgres('packed intervals', stores => {
  it(
    'PG61 whatever is created, changed, removed and packed meanwhile, the answers are those of a store without blocks',
    async () => {
      const packed = await openPacked(stores)
      const plain = createMemoryStore().conversations
      let histories = 0
      const drawn = fc.tuple(
        fc.array(command, { minLength: 30, maxLength: 80, size: 'max' }),
        fc.array(question, { minLength: 1, maxLength: 12 }),
      )
      let mostPacked = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(command, { minLength: 30, maxLength: 80, size: 'max' }),
          fc.array(question, { minLength: 1, maxLength: 12 }),
          async (commands, questions) => {
            const name = `H${histories++}`
            const agents = [`${name}-ONE`, `${name}-TWO`]
            const pack = async () => {
              for (const agent of agents) await packed.pack(agent)
            }
            const carryOut = tell([packed.conversations, plain], agents, pack)
            for (const [at, given] of commands.entries()) await carryOut(given, `${name}-${at}`)
            // While it is packed, and afterwards.
            for (const settled of [false, true]) {
              if (settled) {
                await pack()
                await packed.quiet()
                mostPacked = Math.max(mostPacked, await packed.number(PACKED))
              }
              for (const { agent, length, from, ...conditions } of questions) {
                const filter = {
                  ...live,
                  ...conditions,
                  agentId: agents[agent] ?? AGENT,
                  from,
                  to: from + length,
                }
                expect(await rowsOf(packed.conversations, filter)).toEqual(await rowsOf(plain, filter))
                if (!settled) continue
                const { stamp } = await packed.conversations.intervals.list(filter)
                expect(await packed.conversations.intervals.stamps(filter, [filter, ALWAYS])).toEqual([
                  stamp,
                  (await packed.conversations.intervals.list({ ...filter, ...ALWAYS })).stamp,
                ])
              }
            }
          },
        ),
        // Drawn with a seed, so that something is packed for certain.
        { numRuns: runs(6, 60), examples: fc.sample(drawn, { seed: 1, numRuns: 2 }) },
      )
      expect(mostPacked).toBeGreaterThan(0)
    },
    runs(120_000, 300_000),
  )

  describe('while a conversation changes', () => {
    const AGO = START
    const index = { agentId: AGENT, listed: true, startedAt: AGO, finishedAt: AGO + 60_000 }
    const filter = { ...live, agentId: AGENT, ...ALWAYS }
    const endsOf = async ({ conversations }: Awaited<ReturnType<typeof openPacked>>) =>
      (await rowsOf(conversations, filter)).map(row => JSON.parse(row).end)

    it('PG61 a change that was not committed when a block began is not missed', async () => {
      const packed = await openPacked(stores)
      await packed.conversations.create(aConversation('one', { index }))
      const other = await packed.pool.connect()
      try {
        await other.query({ text: 'begin' })
        await other.query({
          text: `update "${packed.schema}".conversation set finished_at = ${AGO + 90_000}, place = place + 1 where id = 'one'`,
        })
        await packed.pack(AGENT)
        const begun = () => packed.number('select count(*) from $schema.interval_block')
        await expect.poll(begun).toBe(1)
        expect(await packed.number(PACKED)).toBe(0)
        await other.query({ text: 'commit' })
      } finally {
        other.release()
      }
      await packed.quiet()
      expect(await packed.number(PACKED)).toBe(1)
      expect(await endsOf(packed)).toEqual([AGO + 90_000])
    })

    it('PG61 a write that knows nothing of blocks makes them again', async () => {
      const packed = await openPacked(stores)
      await packed.conversations.create(aConversation('one', { index }))
      await packed.pack(AGENT)
      await packed.quiet()
      expect(await packed.number(PACKED)).toBe(1)
      await stores.schemas.pool.query(
        `update "${packed.schema}".conversation set finished_at = ${AGO + 90_000}, place = place + 1 where id = 'one'`,
      )
      expect(await packed.number(PACKED)).toBe(0)
      expect(await endsOf(packed)).toEqual([AGO + 90_000])
    })

    it('PG61 what changes nothing of it leaves a block as it is', async () => {
      const packed = await openPacked(stores)
      const write = aConversation('one', { index })
      await packed.conversations.create(write)
      await packed.pack(AGENT)
      await packed.quiet()
      await packed.conversations.append(anAppend(write, 1, { index: write.index }))
      expect(await packed.number(PACKED)).toBe(1)
      expect(await endsOf(packed)).toEqual([AGO + 60_000])
    })
  })
})
