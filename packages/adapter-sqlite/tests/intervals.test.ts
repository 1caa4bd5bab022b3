import { setImmediate } from 'node:timers/promises'
import { createMemoryStore } from '@colloquy/adapter-memory'
import type { AgentId } from '@colloquy/core'
import type { ConversationStore, ConversationWrite, IntervalFilter } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, anAppend, START } from '@colloquy/core/testing'
import { intervalRows } from '@colloquy/core/testing/contracts'
import BetterSqlite3 from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { auditStatements } from '../src/audit/audit-statements.ts'
import { conversationWriting, createConversationStore } from '../src/conversations/conversations.ts'
import { PACKING_SIZES } from '../src/conversations/intervals/interval-places.ts'
import { openDatabase } from '../src/database/database.ts'
import { intervalChunks } from '../src/database/migrations/0008-interval-chunks.ts'
import { MIGRATIONS } from '../src/database/migrations/all.ts'
import { createSession } from '../src/database/session.ts'
import { createOutboxKeeper } from '../src/outbox/outbox-keeper.ts'
import { createSqliteStore } from '../src/store.ts'
import { webhookStatements } from '../src/webhooks/webhook-statements.ts'
import { openStore, temporaryFile } from './files.ts'
import { takeBack } from './take-back.ts'

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

async function startsOf(conversations: ConversationStore, filter: IntervalFilter) {
  return intervalRows(await conversations.intervals.list(filter), filter).map(({ start }) => start)
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await setImmediate()
}

/** Makes a file what it was before intervals were packed. */
function takeIntervalsBack(filename: string): void {
  const database = new BetterSqlite3(filename)
  takeBack(database, MIGRATIONS.indexOf(intervalChunks))
  database.close()
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
    const filename = temporaryFile()
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
      { numRuns: 40 },
    )
    expect(mostChunks).toBeGreaterThan(10)
    // When all of it is gone, nothing of it is kept, loose or packed.
    for (const scope of await packed.removals.scopes()) {
      let more = true
      while (more) more = (await packed.removals.removeFinished(scope, Number.MAX_SAFE_INTEGER, 100)).more
    }
    expect([file.loose(), file.chunks()]).toEqual([0, 0])
  }, 60_000)

  it('SQ55 one of zero length is found at its instant, also where its chunk ends with it', async () => {
    const filename = temporaryFile()
    const packed = openPacked(filename, 1)
    const starts = Array.from({ length: 8 }, (_, index) => START + index * HOUR)
    for (const [index, startedAt] of starts.entries()) {
      await packed.create(aConversation(`AS-${index}`, { startedAt, index: { finishedAt: startedAt } }))
    }
    const file = readFile(filename)
    await until(() => file.packed() > 0)
    for (const from of starts) {
      expect(await startsOf(packed, { ...live, from, to: from + 1 })).toEqual([from])
    }
  })

  it('SQ56 many that have finished are packed by themselves, into less than 20 bytes each', async () => {
    const filename = temporaryFile()
    const { conversations } = openStore({ filename })
    const total = PACKING_SIZES.loose + 3 * PACKING_SIZES.chunk
    const write = (index: number) => {
      const startedAt = START + index * 1_000
      return aConversation(`AS-${index}`, { startedAt, index: { finishedAt: startedAt + 60_000 } })
    }
    await Promise.all(Array.from({ length: total }, (_, index) => conversations.create(write(index))))
    const file = readFile(filename)
    await until(() => file.packed() === total - PACKING_SIZES.loose)
    expect(file.loose()).toBe(PACKING_SIZES.loose)
    expect(file.bytes() / file.packed()).toBeLessThan(20)
    const week = { ...live, from: START, to: START + 7 * DAY }
    expect(await startsOf(conversations, week)).toEqual(
      Array.from({ length: total }, (_, index) => START + index * 1_000),
    )
  })

  it('SQ57 stores that pack and remove in one file at once lose nothing and double nothing', async () => {
    const filename = temporaryFile()
    const stores = [openPacked(filename, 5), openPacked(filename, 5), openPacked(filename, 7)]
    const total = 600
    const startOf = (index: number) => START + ((index * 7_919) % 50) * HOUR
    await Promise.all(
      Array.from({ length: total }, async (_, index) => {
        const store = stores[index % 3]
        const write = aConversation(`AS-${index}`, { startedAt: startOf(index) })
        await store?.create(write)
        const finished = anAppend(write, 1, { index: { finishedAt: startOf(index) + 60_000 } })
        expect(await stores[(index + 1) % 3]?.append(finished)).toEqual({ status: 'appended' })
        if (index % 4 !== 0) return
        const removed = await stores[(index + 2) % 3]?.removals.remove(ACCOUNT, AGENT, write.conversationId)
        expect(removed).toBe('removed')
      }),
    )
    const left = Array.from({ length: total }, (_, index) => index).filter(index => index % 4 !== 0)
    const expected = left.map(startOf).sort()
    for (const store of stores) {
      expect(await startsOf(store, { ...live, from: START, to: START + 7 * DAY })).toEqual(expected)
    }
    const file = readFile(filename)
    await until(() => file.packed() > 100)
    expect(file.packed() + file.loose()).toBe(left.length)
  })

  it('SQ14 a file from before intervals were packed keeps them all, and packs them when they are asked for', async () => {
    const filename = temporaryFile()
    const store = createSqliteStore({ filename })
    const total = PACKING_SIZES.loose + 2 * PACKING_SIZES.chunk
    const durations = [0, 60_000, 5 * HOUR, 3 * DAY, 60 * DAY, null]
    const all = Array.from({ length: total }, (_, index) => {
      const lasts = durations[index % 60] ?? (index % 60 === 5 ? null : 30_000)
      return { startedAt: START + index * 1_000, lasts, listed: index % 97 !== 0 }
    })
    await Promise.all(
      all.map(({ startedAt, lasts, listed }, index) => {
        const finishedAt = lasts === null ? null : startedAt + lasts
        return store.conversations.create(
          aConversation(`AS-${index}`, { startedAt, index: { finishedAt, listed } }),
        )
      }),
    )
    const range = { ...live, from: START, to: START + DAY }
    const before = await rowsOf(store.conversations, range)
    await store.close()
    takeIntervalsBack(filename)

    const { conversations } = openStore({ filename })
    const file = readFile(filename)
    expect(file.packed()).toBe(0)
    expect(await rowsOf(conversations, range)).toEqual(before)
    await until(() => file.packed() > 0)
    expect(await rowsOf(conversations, range)).toEqual(before)
    expect(await conversations.removals.removeFinished(live, Number.MAX_SAFE_INTEGER, 5)).toMatchObject({
      removed: 5,
    })
  })
})
