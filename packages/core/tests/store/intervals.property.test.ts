import { setImmediate } from 'node:timers/promises'
import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryDocuments } from '../../src/memory/index.ts'
import type { IntervalFilter } from '../../src/ports/store/intervals.ts'
import {
  COLUMN_NAMES,
  INTERVAL_CHUNK,
  INTERVAL_COLUMN,
  LOOSE_INTERVAL,
} from '../../src/store/conversations/interval-kinds.ts'
import { LISTED_CONVERSATION, type ListedConversation } from '../../src/store/conversations/kinds.ts'
import type { Documents } from '../../src/store/documents.ts'
import { storeOver } from '../../src/store/groups.ts'
import { intervalRows } from '../../src/testing/contracts/interval-rows.ts'
import { aConversation, anAppend } from '../../src/testing/conversation-fixtures.ts'
import { ACCOUNT, AGENT, START } from '../../src/testing/fixtures.ts'

// Slow: each call of each process waits for its turn, in a random order.

const DAY = 86_400_000
const LIVE = { accountId: ACCOUNT, environment: 'live' } as const
const AGENTS = [AGENT, 'PROJECT-TWO'] as const

const LENGTHS = [0, 1, 5, 600_000, 600_001, 7_200_001, DAY + 1, 45 * DAY, 45 * DAY + 1, -5]
const place = fc.record({
  startedAt: fc.constantFrom(0, 0, 0, 0, 1, 2, 600_000, 50 * DAY).map(offset => START + offset),
  lasted: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(1, 2, 5) },
    { weight: 2, arbitrary: fc.constantFrom(...LENGTHS) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  listed: fc.constantFrom(true, true, true, true, true, true, false),
  counted: fc.constantFrom(true, true, true, true, true, true, false),
  agentId: fc.constantFrom(AGENTS[0], AGENTS[0], AGENTS[0], AGENTS[0], AGENTS[0], AGENTS[1]),
  variantId: fc.constantFrom(null, 'a', 'b'),
  deploymentId: fc.constantFrom(null, 'd1', 'd2'),
  language: fc.constantFrom(null, 'en-GB'),
  toNumber: fc.constantFrom('', '+44'),
})
type Place = typeof place extends fc.Arbitrary<infer Value> ? Value : never

const indexOf = ({ lasted, ...rest }: Place) => ({
  ...rest,
  variantName: rest.variantId,
  finishedAt: lasted === null ? null : rest.startedAt + lasted,
})

const id = fc.nat({ max: 7 }).map(number => `AS-${number}`)
const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('put' as const), id, place }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('remove' as const), id }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('purge' as const), agentId: fc.constantFrom(...AGENTS) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('kill' as const), writes: fc.nat({ max: 3 }) }) },
)
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never

const question = fc
  .record(
    {
      agentId: fc.constantFrom(...AGENTS),
      from: fc.constantFrom(0, 1, 3, 600_000, 7_200_000, DAY, 50 * DAY).map(offset => START + offset),
      length: fc.constantFrom(1, 4, 600_000, DAY, 60 * DAY),
      variantId: fc.constantFrom('a', 'b'),
      variantName: fc.constantFrom('a', 'b'),
      deploymentId: fc.constantFrom('d1', 'd2'),
      sliceBy: fc.constantFrom('variant', 'deployment'),
      language: fc.constant('en-GB'),
      phoneNumber: fc.constantFrom('', '+44'),
    },
    { requiredKeys: ['agentId', 'from', 'length'] },
  )
  .map(({ length, ...rest }): IntervalFilter => ({ ...LIVE, ...rest, to: rest.from + length }))

/** What figures should count, of the conversations in lists. */
function modelOf(listed: readonly ListedConversation[], filter: IntervalFilter): readonly string[] {
  const { agentId, deploymentId, from, language, phoneNumber, sliceBy, to, variantId, variantName } = filter
  const nameOf = (one: ListedConversation) =>
    sliceBy === 'deployment' ? [one.deploymentId, null] : [one.variantId, one.variantName]
  return listed
    .filter(
      one =>
        one.counted &&
        one.agentId === agentId &&
        [undefined, one.variantId].includes(variantId) &&
        [undefined, one.variantName].includes(variantName) &&
        [undefined, one.deploymentId].includes(deploymentId) &&
        [undefined, one.language].includes(language) &&
        [undefined, one.toNumber].includes(phoneNumber),
    )
    .map(one => ({ ...one, end: one.finishedAt ?? Number.POSITIVE_INFINITY }))
    .filter(
      ({ end, startedAt }) => startedAt < to && (end > from || (end === startedAt && startedAt === from)),
    )
    .map(one => JSON.stringify([one.startedAt, String(one.end), ...nameOf(one)]))
    .sort()
}

/** Documents with all states that lists had; calls wait before they do anything. */
function recording(wait: () => Promise<unknown>) {
  const documents = createMemoryDocuments()
  const states: Promise<readonly ListedConversation[]>[] = []
  const look = (): void => void states.push(documents.scan(LISTED_CONVERSATION, 'id', { prefix: [] }))
  look()
  const waiting: Documents = {
    ...documents,
    async write(batch) {
      await wait()
      const written = documents.write(batch)
      look()
      return written
    },
    async get(...given) {
      await wait()
      return documents.get(...given)
    },
    async scan(...given) {
      await wait()
      return documents.scan(...given)
    },
  }
  return { documents, states, waiting }
}

/** A process that can be killed before a write, and begins again then. Its clock differs from those of others. */
function createProcess(documents: Documents, nth: number, inChunk: number) {
  let last = 10_000_000 * (1 - nth) + nth
  let killedIn = Number.POSITIVE_INFINITY
  const begin = () => {
    let alive = true
    const mortal: Documents = {
      ...documents,
      async write(batch) {
        if (alive && killedIn-- <= 0) {
          alive = false
          killedIn = Number.POSITIVE_INFINITY
        }
        if (!alive) throw new Error('The process was killed.')
        return documents.write(batch)
      },
    }
    const nextSequence = () => {
      last += 2
      return last
    }
    return storeOver(mortal, { nextSequence, random: Math.random, inChunk }, async () => {})
  }
  let store = begin()
  let created = 0
  return {
    store: () => store,
    async carryOut(given: Command): Promise<void> {
      const { conversations } = store
      try {
        if (given.type === 'kill') killedIn = given.writes
        else if (given.type === 'purge') {
          const scope = { ...LIVE, agentId: given.agentId }
          while ((await conversations.removals.removeFinished(scope, START + 10, 3)).more);
        } else if (given.type === 'remove') {
          for (const agentId of AGENTS) await conversations.removals.remove(ACCOUNT, agentId, given.id)
        } else {
          // No state begins when another one did, so that each write reads what is there.
          const state = { startedAt: 1 + nth + 2 * created++ }
          const index = indexOf(given.place)
          const write = aConversation(given.id, { index, state })
          if ((await conversations.create(write)) === 'created') return
          const held = await conversations.load(given.id)
          if (held !== null)
            await conversations.append(anAppend({ ...write, state: held.state }, held.version))
        }
      } catch (error) {
        expect(error).toMatchObject({ message: 'The process was killed.' })
        store = begin()
      }
    },
  }
}

async function ask(
  { conversations }: Pick<ReturnType<typeof storeOver>, 'conversations'>,
  filter: IntervalFilter,
) {
  const answer = await conversations.intervals.list(filter)
  const rows = intervalRows(answer, filter).map(row =>
    JSON.stringify([row.start, String(row.end), row.id, row.name]),
  )
  return { rows: rows.sort(), stamp: answer.stamp, chunks: answer.blocks.length }
}

describe('intervals over documents', () => {
  test('at every instant figures count what lists hold, whoever writes, packs and is killed meanwhile', async () => {
    let [most, repeated] = [0, 0]
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(command, { maxLength: 40, size: 'max' }),
        fc.array(command, { maxLength: 40, size: 'max' }),
        fc.array(question, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(1, 2, 3, 3),
        async (scheduler, one, other, questions, inChunk) => {
          const { documents, states, waiting } = recording(() => scheduler.schedule(Promise.resolve()))
          const processes = [createProcess(waiting, 0, inChunk), createProcess(waiting, 1, inChunk)]
          const stamps = new Map<string, string>()
          async function read(filter: IntervalFilter, nth: number): Promise<void> {
            const from = states.length - 1
            const store = processes[nth % 2]?.store() ?? expect.unreachable()
            const { chunks, rows, stamp } = await ask(store, filter)
            most = Math.max(most, chunks)
            const during = await Promise.all(states.slice(from))
            expect(during.map(state => modelOf(state, filter))).toContainEqual(rows)
            // Answers of one stamp are the same.
            const key = JSON.stringify([filter, stamp])
            if (stamps.has(key)) repeated++
            expect(stamps.get(key) ?? rows.join()).toBe(rows.join())
            stamps.set(key, rows.join())
          }
          const actors = [one, other].map(async (commands, nth) => {
            for (const given of commands) await processes[nth]?.carryOut(given)
          })
          const readers = [0, 1].map(async nth => {
            for (let round = 0; round < 3; round++) for (const filter of questions) await read(filter, nth)
          })
          await scheduler.waitFor(Promise.all([...actors, ...readers]))
          await scheduler.waitIdle()
          for (const filter of questions) {
            await scheduler.waitFor(read(filter, 0))
            const store = processes[1]?.store() ?? expect.unreachable()
            let [stamp, told]: (string | undefined)[] = ['', 'another']
            // Answers may have more packed, each time less.
            for (let left = 99; stamp !== told && left > 0; left--) {
              stamp = (await scheduler.waitFor(ask(store, filter))).stamp
              await scheduler.waitIdle()
              const ranges = [filter, { from: 2, to: 1 }]
              told = (await scheduler.waitFor(store.conversations.intervals.stamps(filter, ranges)))[0]
            }
            expect(told).toBe(stamp)
          }
          await scheduler.waitIdle()
          const later = createProcess(documents, 2, inChunk).store().conversations
          for (const agentId of AGENTS) await later.removals.removeFinished({ ...LIVE, agentId }, 0, 1)
          // Nothing is kept of conversations that are gone, and no column without its chunk.
          const loose = await documents.scan(LOOSE_INTERVAL, 'id', { prefix: [] })
          expect(loose.filter(({ gone }) => gone)).toEqual([])
          const chunks = await documents.scan(INTERVAL_CHUNK, 'id', { prefix: [] })
          const columns = await documents.scan(INTERVAL_COLUMN, 'id', { prefix: [] })
          expect(columns.length).toBe(COLUMN_NAMES.length * chunks.length)
        },
      ),
      { numRuns: runs(150, 1_500), endOnFailure: true },
    )
    expect(most).toBeGreaterThan(2)
    expect(repeated).toBeGreaterThan(0)
  })

  /** Conversations that began one after the other and have all finished. */
  const finished = (count: number, first = 0) =>
    Array.from({ length: count }, (_, at) =>
      aConversation(`AS-${first + at}`, {
        index: { startedAt: START + first + at, finishedAt: START + first + at + 5, toNumber: '+44' },
      }),
    )
  const week: IntervalFilter = { ...LIVE, agentId: AGENT, from: START, to: START + DAY }
  const sequence = () => {
    let last = 0
    return () => ++last
  }
  const ports = () => ({ nextSequence: sequence(), random: Math.random, inChunk: 4 })
  const countOf = async (documents: Documents) => ({
    loose: (await documents.scan(LOOSE_INTERVAL, 'id', { prefix: [] })).length,
    chunks: (await documents.scan(INTERVAL_CHUNK, 'id', { prefix: [] })).length,
  })

  test('a process packs once enough have finished, and without more of them writes nothing', async () => {
    const documents = createMemoryDocuments()
    let writes = 0
    const counting: Documents = {
      ...documents,
      async write(batch) {
        writes++
        return documents.write(batch)
      },
    }
    const { conversations } = storeOver(counting, ports(), async () => {})
    for (const write of finished(3)) await conversations.create(write)
    await setImmediate()
    // One more for the scope.
    expect([writes, await countOf(documents)]).toEqual([4, { loose: 3, chunks: 0 }])
    for (const write of finished(6, 3)) {
      await conversations.create(write)
      await setImmediate()
    }
    expect([writes, await countOf(documents)]).toEqual([12, { loose: 1, chunks: 2 }])
    for (let round = 0; round < 3; round++) expect((await ask({ conversations }, week)).rows).toHaveLength(9)
    await setImmediate()
    expect(writes).toBe(12)
  })

  test('RO10 a chunk that was packed before its conversations had deployments is of no deployment', async () => {
    const documents = createMemoryDocuments()
    const { conversations } = storeOver(documents, ports(), async () => {})
    for (const { conversationId, index, ...write } of finished(4))
      await conversations.create({ ...write, conversationId, index: { ...index, deploymentId: 'd1' } })
    await setImmediate()
    const ofDeployment = async (deploymentId: string) =>
      (await ask({ conversations }, { ...week, deploymentId })).rows.length
    expect([await countOf(documents), await ofDeployment('d1')]).toEqual([{ loose: 0, chunks: 1 }, 4])
    const columns = await documents.scan(INTERVAL_COLUMN, 'id', { prefix: [] })
    const late = columns.filter(({ id }) => id.startsWith('deployments '))
    expect(late).toHaveLength(1)
    const remove = late.map(({ id }) => ({ kind: INTERVAL_COLUMN, id }))
    await documents.write({ when: [], remove })
    expect([await ofDeployment('d1'), (await ask({ conversations }, week)).rows.length]).toEqual([0, 4])
    const { rows } = await ask({ conversations }, { ...week, sliceBy: 'deployment' })
    expect(rows.map(row => JSON.parse(row).slice(2))).toEqual(Array.from({ length: 4 }, () => [null, null]))
    // It can be packed anew.
    await conversations.removals.remove(ACCOUNT, AGENT, 'AS-1')
    await setImmediate()
    expect((await ask({ conversations }, week)).rows).toHaveLength(3)
    expect(await documents.scan(INTERVAL_COLUMN, 'id', { prefix: [] })).toHaveLength(COLUMN_NAMES.length)
  })

  test('of what is removed nothing is left in chunks once it is removed, and what was left is taken out later', async () => {
    const documents = createMemoryDocuments()
    const process = createProcess(documents, 0, 2)
    for (const write of finished(8)) await process.store().conversations.create(write)
    await setImmediate()
    const holds = async (id: string) =>
      (await documents.scan(INTERVAL_COLUMN, 'id', { prefix: [] })).some(({ values }) => values.includes(id))
    expect(await holds('AS-3')).toBe(true)
    await process.carryOut({ type: 'remove', id: 'AS-3' })
    expect(await holds('AS-3')).toBe(false)
    await process.carryOut({ type: 'kill', writes: 1 })
    await process.carryOut({ type: 'remove', id: 'AS-5' })
    expect([await holds('AS-5'), (await ask(process.store(), week)).rows.length]).toEqual([true, 6])
    await createProcess(documents, 0, 2).carryOut({ type: 'purge', agentId: AGENT })
    expect([await holds('AS-5'), (await ask(process.store(), week)).rows.length]).toEqual([false, 2])
  })

  test('a store that closes while it packs waits for one step, and begins no other', async () => {
    const documents = createMemoryDocuments()
    const filled = storeOver(documents, { ...ports(), inChunk: 1_000 }, async () => {})
    for (const write of finished(80)) await filled.conversations.create(write)
    let writes = 0
    const counting: Documents = {
      ...documents,
      async write(batch) {
        await setImmediate()
        writes++
        return documents.write(batch)
      },
    }
    const store = storeOver(counting, ports(), async () => {})
    expect((await ask(store, week)).rows).toHaveLength(80)
    await store.close()
    expect(writes).toBe(1)
    await setImmediate()
    await setImmediate()
    expect([writes, await countOf(documents)]).toEqual([1, { loose: 76, chunks: 1 }])
  })

  test('a conversation that is copied again, or dropped, is counted as it then is', async () => {
    const documents = createMemoryDocuments()
    const { conversations, copies } = storeOver(documents, { ...ports(), inChunk: 1 }, async () => {})
    const taken = (id: string, place: Partial<Place> & { readonly finishedAt: number | null }) => {
      const { events, index, state, turns, wakeAt } = aConversation(id, {
        index: { startedAt: START, ...place },
      })
      const log = events.map((event, at) => ({ ...event, sequence: at + 1 }))
      const none = { externalEvents: [], pendingExternalEvents: [] }
      return { id, version: 1, state, index, turns, wakeAt, events: log, ...none }
    }
    const rows = async () => {
      const { rows: found } = await ask({ conversations }, week)
      await setImmediate()
      return found.map(row =>
        JSON.parse(row)
          .slice(0, 2)
          .map((at: string | number) => Number(at) - START),
      )
    }
    await copies.takeConversations([
      taken('AS-1', { finishedAt: START + 5 }),
      taken('AS-2', { finishedAt: START + 6 }),
    ])
    expect(await rows()).toEqual([
      [0, 5],
      [0, 6],
    ])
    expect(await countOf(documents)).toEqual({ loose: 0, chunks: 2 })
    await copies.takeConversations([taken('AS-1', { startedAt: START + 3, finishedAt: null })])
    expect((await rows()).map(([start]) => start)).toEqual([0, 3])
    await copies.takeConversations([taken('AS-2', { listed: false, finishedAt: START + 6 })])
    expect((await rows()).map(([start]) => start)).toEqual([3])
    await copies.takeConversations([taken('AS-1', { finishedAt: START + 7 })])
    expect(await rows()).toEqual([[0, 7]])
    await copies.dropConversations(['AS-1', 'AS-2'])
    expect([await rows(), await countOf(documents)]).toEqual([[], { loose: 0, chunks: 0 }])
  })

  test('one that changes leaves its chunk, and the others stay in it, whatever is packed later', async () => {
    const documents = createMemoryDocuments()
    const { conversations } = storeOver(documents, { ...ports(), inChunk: 2 }, async () => {})
    const [first, ...others] = finished(5)
    if (first === undefined) return expect.unreachable()
    const put = async (some: typeof others) => {
      for (const write of some) {
        await conversations.create(write)
        await setImmediate()
      }
    }
    await put([first, ...others.slice(0, 1)])
    await conversations.append(anAppend(first, 1, { index: { finishedAt: START + 7 } }))
    await put(others.slice(1))
    const ends = (await ask({ conversations }, week)).rows.map(row => Number(JSON.parse(row)[1]) - START)
    expect([ends, await countOf(documents)]).toEqual([[7, 6, 7, 8, 9], { loose: 0, chunks: 3 }])
  })
})
