import type { ConversationWrite, RecordFilter } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, anAppend, aTurn, START } from '@colloquy/core/testing'
import { intervalRows } from '@colloquy/core/testing/contracts'
import BetterSqlite3 from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SPANS, spanOf, UNPACKED_SPAN } from '../src/conversations/intervals/spans.ts'
import { DEEP_OFFSET } from '../src/conversations/records.ts'
import { openStore, temporaryStoreFile } from './files.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const live = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const

describe('records', () => {
  /** Conversations over five days, in the order of lists; some moved, some unlisted, some of another agent. */
  const open = async () => {
    const { conversations } = openStore({ filename: ':memory:' })
    const startOf = (index: number) => START + ((index * 7_919) % 5) * DAY + ((index * 104_729) % 3_000_000)
    const created = Array.from({ length: 1_400 }, (_, index) =>
      aConversation(`AS-${index}`, {
        startedAt: startOf(index),
        agentId: index % 50 === 1 ? 'PROJECT-TWO' : AGENT,
        index: { listed: index % 40 !== 0 },
      }),
    )
    await Promise.all(created.map(one => conversations.create(one)))
    const change = (one: ConversationWrite, index: number) => {
      if (index % 60 === 0) return anAppend(one, 1, { index: { listed: true } })
      if (index % 70 === 0) return anAppend(one, 1, { index: { listed: false } })
      return anAppend(one, 1, { index: { startedAt: one.index.startedAt + DAY } })
    }
    const changed = created.map((one, index) => (index % 10 === 0 ? change(one, index) : one))
    await Promise.all(
      changed.map(one => ('expectedVersion' in one ? conversations.append(asAppend(one)) : undefined)),
    )
    const expected = changed
      .filter(({ index }) => index.listed && index.agentId === AGENT)
      .map(({ conversationId: id, index }) => ({ id, startedAt: index.startedAt }))
      .sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
    return { conversations, expected }
  }
  const asAppend = (write: ConversationWrite) => ({
    expectedVersion: 1,
    joinedWait: null,
    changes: null,
    deliveredExternalEvents: [],
    ...write,
  })

  it('SQ50 a page at any depth holds what the whole list holds there', async () => {
    const { conversations, expected } = await open()
    expect(expected.length).toBeGreaterThan(DEEP_OFFSET + 100)
    const time = fc.option(fc.integer({ min: START - DAY, max: START + 2 * DAY }), { nil: undefined })
    const cases = fc.record({
      offset: fc.integer({ min: DEEP_OFFSET - 20, max: expected.length + 20 }),
      limit: fc.integer({ min: 1, max: 60 }),
      startTime: time,
      length: fc.option(fc.integer({ min: 0, max: 6 * DAY }), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ offset, limit, startTime, length }) => {
        const endTime = length === undefined ? undefined : (startTime ?? START) + length
        const filter: RecordFilter = {
          ...live,
          ...(startTime === undefined ? {} : { startTime }),
          ...(endTime === undefined ? {} : { endTime }),
        }
        const matching = expected.filter(
          ({ startedAt }) => startedAt >= (startTime ?? 0) && startedAt < (endTime ?? Infinity),
        )
        const page = await conversations.records.list(filter, { offset }, limit)
        expect(page.records.map(({ id }) => id)).toEqual(
          matching.slice(offset, offset + limit).map(({ id }) => id),
        )
        expect(page.more).toBe(matching.length > offset + limit)
      }),
      { numRuns: 200 },
    )
  })

  it('SQ51 turns that come after the end are part of the record, and so are those after it is open again', async () => {
    const { conversations } = openStore({ filename: ':memory:' })
    const created = aConversation('AS-1', { turns: [aTurn('one')] })
    const turns = async () =>
      (await conversations.records.find(ACCOUNT, AGENT, created.conversationId))?.turns?.text
    const texts = (...names: string[]) => JSON.stringify(names.map(name => aTurn(name).record))
    await conversations.create(created)
    const finished = anAppend(created, 1, { index: { finishedAt: START + 1 } })
    await conversations.append(finished)
    expect(await turns()).toBe(texts('one'))
    const late = anAppend(finished, 2, { turns: [aTurn('two')] })
    await conversations.append(late)
    expect(await turns()).toBe(texts('one', 'two'))
    const reopened = anAppend(late, 3, { turns: [aTurn('three')], index: { finishedAt: null } })
    await conversations.append(reopened)
    expect(await turns()).toBe(texts('one', 'two', 'three'))
    await conversations.append(anAppend(reopened, 4, { turns: [aTurn('four')] }))
    expect(await turns()).toBe(texts('one', 'two', 'three', 'four'))
  })

  it('RC60 turns that are long together end without being put into one text, and are read and removed all the same', async () => {
    const filename = temporaryStoreFile()
    const { conversations } = openStore({ filename })
    const long = Array.from({ length: 6 }, (_, index) => aTurn(`${index} ${'x'.repeat(500_000)}`))
    const created = aConversation('AS-1', { turns: long.slice(0, 5) })
    await conversations.create(created)
    const end = { turns: long.slice(5), index: { finishedAt: START + 1 } }
    await conversations.append(anAppend(created, 1, end))
    const database = new BetterSqlite3(filename, { readonly: true })
    expect(database.prepare('SELECT turns FROM conversation').pluck().all()).toEqual([null])
    database.close()
    const id = created.conversationId
    const record = await conversations.records.find(ACCOUNT, AGENT, id)
    expect(record?.turns?.text).toBe(JSON.stringify(long.map(turn => turn.record)))
    expect(await conversations.records.find(ACCOUNT, AGENT, id, 4_000_000)).toMatchObject({ turns: null })
    let read = 0
    while (read < long.length) read += (await conversations.turnPage(id, read, 2_000_000)).turns.length
    expect(read).toBe(6)
    expect(await conversations.removals.remove(ACCOUNT, AGENT, id)).toBe('removed')
  })
})

describe('intervals', () => {
  it('SQ52 a class of durations holds no longer one, and the classes cover all durations', () => {
    const edges = SPANS.flatMap(({ longest }) => [longest - 1, longest, longest + 1])
    const durations = fc.oneof(
      fc.constantFrom(...edges.filter(edge => edge <= 8.64e15)),
      fc.integer({ min: 0, max: 8.64e15 }),
    )
    fc.assert(
      fc.property(durations, duration => {
        const own = SPANS.find(({ span }) => span === spanOf(0, duration))
        expect(own?.longest).toBeGreaterThanOrEqual(duration)
        if (own?.span !== UNPACKED_SPAN) expect(duration).toBeLessThan(2 ** 32)
      }),
    )
    expect(spanOf(5, 4)).toBe(UNPACKED_SPAN)
  })

  it('SQ53 whatever the durations, those active in a range are found, in the order of their starts', async () => {
    const { conversations } = openStore({ filename: ':memory:' })
    const interval = fc.record({
      start: fc.integer({ min: 0, max: 200 }).map(minutes => START + minutes * MINUTE),
      duration: fc.oneof(
        fc.constantFrom(0, MINUTE, MINUTE + 1, 2 * MINUTE, 2 * MINUTE + 1, 64 * MINUTE, 64 * MINUTE + 1),
        fc.integer({ min: 0, max: 300 * MINUTE }),
        fc.constant(null),
      ),
    })
    const range = fc.record({
      from: fc.integer({ min: -10, max: 300 }).map(minutes => START + minutes * MINUTE),
      length: fc.integer({ min: 1, max: 100 * MINUTE }),
    })
    let scopes = 0
    await fc.assert(
      fc.asyncProperty(fc.array(interval, { maxLength: 30 }), range, async (intervals, { from, length }) => {
        const agentId = `PROJECT-${scopes++}`
        const all = intervals.map(({ start, duration }) => ({
          start,
          end: duration === null ? Infinity : start + duration,
        }))
        await Promise.all(
          all.map(({ start, end }, index) =>
            conversations.create(
              aConversation(`${agentId}-${index}`, {
                agentId,
                startedAt: start,
                index: { finishedAt: end === Infinity ? null : end },
              }),
            ),
          ),
        )
        const to = from + length
        const found = await conversations.intervals.list({ ...live, agentId, from, to })
        const rows = intervalRows(found, { from, to }).map(({ start, end }) => `${start} ${end}`)
        const active = all.filter(
          ({ start, end }) => start < to && (end > from || (end === start && start >= from)),
        )
        expect(rows.sort()).toEqual(active.map(({ start, end }) => `${start} ${end}`).sort())
      }),
    )
  })
})
