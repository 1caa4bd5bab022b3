import { setImmediate } from 'node:timers/promises'
import { createMemoryStore } from '@colloquy/adapter-memory'
import type { AgentId } from '@colloquy/core'
import type { ConversationStore, ConversationWrite, IntervalFilter } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, anAppend, START } from '@colloquy/core/testing'
import { intervalRows } from '@colloquy/core/testing/contracts'
import { runs } from '@colloquy/test-support/runs'
import BetterSqlite3 from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { auditStatements } from '../src/audit/audit-statements.ts'
import { conversationWriting, createConversationStore } from '../src/conversations/conversations.ts'
import { openDatabase } from '../src/database/database.ts'
import { createSession } from '../src/database/session.ts'
import { createOutboxKeeper } from '../src/outbox/outbox-keeper.ts'
import { webhookStatements } from '../src/webhooks/webhook-statements.ts'
import { temporaryStoreFile } from './files.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const live = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const

/** Conversations in a file, packed into chunks that are as small as asked for. */
function openPacked(filename: string, chunk: number): ConversationStore {
  const session = createSession(openDatabase({ filename }))
  onTestFinished(() => session.close())
  const keeper = createOutboxKeeper(auditStatements(session.define), webhookStatements(session.define))
  return createConversationStore(session, keeper, conversationWriting(session, keeper, { chunk, loose: 3 }))
}

/** What a file holds, read past the store. */
function readFile(filename: string) {
  const database = new BetterSqlite3(filename, { readonly: true })
  onTestFinished(() => {
    database.close()
  })
  const number = (sql: string): number => Number(database.prepare(sql).pluck().get())
  return {
    loose: () => number('SELECT count(*) FROM loose_interval'),
    chunks: () => number('SELECT count(*) FROM interval_chunk'),
    packed: () => number('SELECT coalesce(sum(intervals), 0) FROM interval_chunk'),
    bytes: () => number('SELECT sum(length(packed) + length(called)) FROM interval_chunk'),
  }
}

/** Rows in an order of their own: stores promise none. */
async function rowsOf(conversations: ConversationStore, filter: IntervalFilter) {
  const rows = intervalRows(await conversations.intervals.list(filter), filter)
  return rows.map(row => JSON.stringify(row)).sort()
}

/** Moments on, and beside, the borders of stretches of time. */
const moment = fc
  .tuple(fc.integer({ min: 0, max: 12 }), fc.constantFrom(-1, 0, 1, 60_000, HOUR))
  .map(([stretch, offset]) => START + stretch * 4 * HOUR + offset)
const duration = fc.oneof(
  fc.constantFrom(0, 1, 4 * HOUR, 4 * HOUR + 1, 2 * DAY, 2 * DAY + 1, 45 * DAY, 45 * DAY + 1, -5),
  fc.integer({ min: 0, max: HOUR }),
)
const place = fc.record({
  startedAt: moment,
  duration: fc.option(duration, { nil: null, freq: 5 }),
  listed: fc.constantFrom(true, true, true, true, false),
  agent: fc.constantFrom(0, 0, 0, 1),
  variant: fc.constantFrom(null, 'a', 'b'),
  variantName: fc.constantFrom('Old', 'New'),
  language: fc.constantFrom(null, 'en-GB', 'de-DE'),
  toNumber: fc.constantFrom('', '+44', '+49'),
})

type Place = typeof place extends fc.Arbitrary<infer Value> ? Value : never

const indexOf = ({ startedAt, duration: lasted, ...rest }: Place) => ({
  startedAt,
  finishedAt: lasted === null ? null : startedAt + lasted,
  listed: rest.listed,
  variantId: rest.variant,
  variantName: rest.variant === null ? null : rest.variantName,
  language: rest.language,
  toNumber: rest.toNumber,
})

const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('create' as const), place }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('change' as const), which: fc.nat(), place }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('remove' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('purge' as const), before: moment }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('pause' as const) }) },
)
const question = fc.record(
  {
    from: moment,
    length: fc.constantFrom(1, 300_000, 4 * HOUR, DAY, 60 * DAY),
    agent: fc.constantFrom(0, 0, 1),
    variantId: fc.constantFrom('a', 'b', 'none'),
    variantName: fc.constantFrom('Old', 'New'),
    language: fc.constantFrom('en-GB', 'de-DE', 'fr-FR'),
    phoneNumber: fc.constantFrom('', '+44', '+49'),
  },
  { requiredKeys: ['from', 'length', 'agent'] },
)

type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never

/** Conversations of one history, which stores are told alike. */
function tell(stores: readonly ConversationStore[], agents: readonly AgentId[]) {
  const held: { write: ConversationWrite; version: number }[] = []
  const agree = async <T>(ask: (store: ConversationStore) => Promise<T>): Promise<T | undefined> => {
    const answers = await Promise.all(stores.map(ask))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    return answers[0]
  }
  const placed = (given: Place) => ({ ...indexOf(given), agentId: agents[given.agent] ?? '' })
  return async (given: Command, id: string): Promise<void> => {
    if (given.type === 'pause') return setImmediate()
    if (given.type === 'create') {
      const write = aConversation(id, { index: placed(given.place) })
      held.push({ write, version: 1 })
      await agree(store => store.create(write))
    } else if (given.type === 'purge') {
      for (const store of stores) {
        for (const agentId of agents) {
          let more = true
          while (more)
            more = (await store.removals.removeFinished({ ...live, agentId }, given.before, 4)).more
        }
      }
    } else {
      const chosen = held[given.which % Math.max(held.length, 1)]
      if (chosen === undefined) return
      const { conversationId, index } = chosen.write
      if (given.type === 'remove') {
        await agree(store => store.removals.remove(index.accountId, index.agentId, conversationId))
        return
      }
      const append = anAppend(chosen.write, chosen.version, { index: placed(given.place) })
      const result = await agree(store => store.append(append))
      if (result?.status === 'appended') {
        chosen.write = append
        chosen.version++
      }
    }
  }
}

describe('packed intervals', () => {
  it('SQ55 whatever is created, changed, removed and packed, the answers are those of a store without chunks', async () => {
    const filename = temporaryStoreFile()
    const packed = openPacked(filename, 3)
    const plain = createMemoryStore().conversations
    let histories = 0
    let mostChunks = 0
    const file = readFile(filename)
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { minLength: 60, maxLength: 160, size: 'max' }),
        fc.array(question, { minLength: 1, maxLength: 12 }),
        async (commands, questions) => {
          const name = `H${histories++}`
          const agents = [`${name}-ONE`, `${name}-TWO`]
          const carryOut = tell([packed, plain], agents)
          for (const [at, given] of commands.entries()) await carryOut(given, `${name}-${at}`)
          mostChunks = Math.max(mostChunks, file.chunks())
          for (const { agent, length, from, ...conditions } of questions) {
            const filter = {
              ...live,
              ...conditions,
              agentId: agents[agent] ?? AGENT,
              from,
              to: from + length,
            }
            expect(await rowsOf(packed, filter)).toEqual(await rowsOf(plain, filter))
            const { stamp } = await packed.intervals.list(filter)
            expect(await packed.intervals.stamps(filter, [filter])).toEqual([stamp])
          }
        },
      ),
      { numRuns: runs(40, 200) },
    )
    expect(mostChunks).toBeGreaterThan(10)
    // When all of it is gone, nothing of it is kept, loose or packed.
    for (const scope of await packed.removals.scopes()) {
      let more = true
      while (more) more = (await packed.removals.removeFinished(scope, Number.MAX_SAFE_INTEGER, 100)).more
    }
    expect([file.loose(), file.chunks()]).toEqual([0, 0])
  }, 60_000)
})
