import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventOf } from '../../../../domain/conversation/event.ts'
import { wordsOf } from '../../../../domain/conversation/turn-words.ts'
import type { ConversationStore } from '../../../../ports/store/conversations.ts'
import type { RecordPageStart } from '../../../../ports/store/records.ts'
import { aConversation, anAppend, anEvent, aTurn } from '../../../conversation-fixtures.ts'
import { ACCOUNT, AGENT } from '../../../fixtures.ts'
import { intervalRows } from '../../interval-rows.ts'
import { pageTexts, recordTexts } from '../json-texts.ts'
import { eventsOf } from '../stored.ts'
import { openForTest, RACERS, race, type StoreFactory, untilWon } from '../tools.ts'
import { Conversations, history, pageOf, question, textsOf } from './histories.ts'

const OWN = { isLive: true, isOwn: true, isOwnAccount: true }

type Question = typeof question extends fc.Arbitrary<infer T> ? T : never
type Compare = (
  conversations: ConversationStore,
  model: Conversations,
  questions: readonly Question[],
) => Promise<void>

/** Compares the answers about each single conversation. */
async function compareEach(conversations: ConversationStore, model: Conversations): Promise<void> {
  const { accountId, agentId } = model.whose(OWN)
  for (const id of model.ids()) {
    const told = model.held.get(id)
    const stored = told && { state: told.state, version: told.version, pendingExternalEvents: [] }
    expect([await conversations.load(id), await conversations.version(id)]).toEqual([
      stored ?? null,
      told?.version ?? null,
    ])
    const events = told?.events.map((event, at) => ({ ...event, sequence: at + 1 })) ?? []
    expect(await eventsOf(conversations, id, 0)).toEqual(events)
    for (const [after, count] of [
      [0, 2],
      [1, 2],
      [3, 1],
      [9, 9],
    ] as const) {
      const page = await conversations.eventPage(id, after, { count, bytes: 1_000_000 })
      expect(page.events.map(eventOf)).toEqual(events.slice(after, after + count))
      expect([page.more, page.version]).toEqual([events.length > after + count, told?.version ?? null])
    }
    for (const clientId of ['a', 'A', 'b', 'b ', '%', '_', 'null']) {
      const known = events.find(event => [event.clientEventId, event.localId].includes(clientId)) ?? null
      expect(await conversations.clientEvent(id, ['new', clientId])).toEqual(known)
    }
    const turns = told?.turns ?? []
    expect(await conversations.turns(id)).toEqual(turns)
    for (const limit of [0, 1, 2])
      expect(await conversations.turns(id, limit)).toEqual(
        turns.slice(turns.length - Math.min(limit, turns.length)),
      )
    const isFound = told?.index.listed && told.index.accountId === accountId && told.index.agentId === agentId
    const found = await conversations.records.find(accountId, agentId, id)
    expect(found && recordTexts(found)).toEqual(isFound ? textsOf(told) : null)
  }
}

/** Compares the answers about handoffs and open conversations. */
async function compareHandoffs(conversations: ConversationStore, model: Conversations): Promise<void> {
  const { accountId, agentId } = model.whose(OWN)
  const all = [...model.held]
  for (const status of ['waiting', 'active'] as const) {
    const own = all.filter(
      ([, { index }]) => index.accountId === accountId && index.handoff?.status === status,
    )
    const entries = own
      .toSorted(([, one], [, other]) => one.handoffAt - other.handoffAt)
      .map(
        ([
          conversationId,
          {
            index: { handoff, language },
          },
        ]) => {
          const { id: handoffId = '', ...rest } = handoff ?? {}
          return { conversationId, handoffId, ...rest, language }
        },
      )
    expect(await conversations.handoffs.list(accountId, status)).toEqual(entries)
  }
  const own = all.filter(([, { index }]) => index.agentId === agentId)
  for (const shared of ['S', 's', 'S-%', 'S%']) {
    const [last] = own
      .filter(([, { index }]) => index.accountId === accountId && index.shared?.id === shared)
      .toSorted(([, one], [, other]) => (other.index.shared?.at ?? 0) - (one.index.shared?.at ?? 0))
    expect(await conversations.handoffs.findShared(accountId, agentId, shared)).toBe(last?.[0] ?? null)
  }
  const open = own.filter(([, { index }]) => index.finishedAt === null).map(([id]) => id)
  expect((await conversations.listOpen(agentId)).toSorted()).toEqual(open.toSorted())
}

/** Compares lists and samples. */
async function compareLists(
  conversations: ConversationStore,
  model: Conversations,
  questions: readonly Question[],
): Promise<void> {
  for (const { filter, limit, offset, place, whose } of questions) {
    const { words: _, ...plain } = { ...model.whose(whose), ...filter }
    const all = model.selected({ ...plain, ...filter })
    const from = offset === null ? { after: { ...place, id: model.idOf(place.id) } } : { offset }
    const pages = [
      [pageOf(all, from, limit), await conversations.records.list({ ...plain, ...filter }, from, limit)],
      [
        pageOf(model.selected(plain), from, limit, true),
        await conversations.records.newest(plain, from, limit),
      ],
    ] as const
    for (const [{ more, page }, found] of pages) {
      const records = page.map(([id, told]) => ({ id, startedAt: told.index.startedAt, ...textsOf(told) }))
      expect(pageTexts(found), JSON.stringify([filter, from])).toEqual({ records, more })
    }
    const positions = all.map(([id, { index }]) => ({ startedAt: index.startedAt, id }))
    expect(await conversations.records.sample({ ...plain, ...filter }, 99)).toEqual(positions)
  }
}

/** Compares the active conversations. */
async function compareIntervals(
  conversations: ConversationStore,
  model: Conversations,
  questions: readonly Question[],
): Promise<void> {
  for (const { conditions, range, sliceBy, whose } of questions) {
    const filter = { ...model.whose(whose), ...conditions }
    const intervals = await conversations.intervals.list({ ...filter, ...range, sliceBy })
    const rows = intervalRows(intervals, range).map(
      ({ end, id, name, start }) => `${start}-${end} ${id} ${name}`,
    )
    expect(rows.toSorted(), JSON.stringify([conditions, range, sliceBy])).toEqual(
      model.active(filter, range, sliceBy),
    )
    expect(new Set(intervals.variants.map(variant => JSON.stringify(variant))).size).toBe(
      intervals.variants.length,
    )
    expect(await conversations.intervals.stamps(filter, [range])).toEqual([intervals.stamp])
  }
}

/**
 * Tests of conversations as they are read, whatever was written (SC10 to SC20, SX4, RC80, SC70, SC80, CC1 and SC130).
 */
export function describeConversations(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).conversations

  /** Random histories in one store, each of which is then read. */
  async function overHistories(compare: Compare): Promise<void> {
    const conversations = await open()
    let histories = 0
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.array(question, { minLength: 6, maxLength: 10 }),
        async (steps, questions) => {
          const model = new Conversations(`H${histories++}`)
          for (const step of steps) {
            const [expected, answered] = await model.take(conversations, step)
            expect(answered, JSON.stringify(step)).toEqual(expected)
          }
          await compare(conversations, model, questions)
        },
      ),
      { numRuns: 50 },
    )
  }

  describe('conversations', () => {
    it('SC10, ST7, EN6, SC20, SC70 and SC113 each is told as it was written, whatever was written before', () =>
      overHistories(compareEach))

    it('SX4 and RC80 handoffs, shared ids and open ones are those of the last writes', () =>
      overHistories(compareHandoffs))

    it('SC70, SA26, SC80, SC113 and SC130 lists hold what a filter selects, in order, in pages either way', () =>
      overHistories(compareLists))

    it('CC1 and SC113 figures are of who was active, whatever was written before', () =>
      overHistories(compareIntervals))

    it('ST7 losers who load and try again all get their turn, and the sequences have no gap', async () => {
      const conversations = await open()
      const created = aConversation('AS-1')
      await conversations.create(created)
      await race(racer =>
        untilWon(async () => {
          const stored = await conversations.load('AS-1')
          if (stored === null) throw new Error('The conversation is gone.')
          const events = [anEvent({ id: `a-${racer}` }), anEvent({ id: `b-${racer}` })]
          const append = anAppend({ ...created, state: stored.state }, stored.version, { events })
          return (await conversations.append(append)).status === 'appended'
        }),
      )
      const ids = (await eventsOf(conversations, 'AS-1', 1)).map(({ id }) => id)
      expect(new Set(ids).size).toBe(2 * RACERS)
      expect(ids.filter((_, at) => at % 2 === 1)).toEqual(
        ids.filter((_, at) => at % 2 === 0).map(id => id.replace('a', 'b')),
      )
      expect(await conversations.load('AS-1')).toMatchObject({
        version: 1 + RACERS,
        state: { sequence: 1 + 2 * RACERS },
      })
    })

    it('EN6 of racing appends of one client event exactly one is written, the others are its duplicates', async () => {
      const conversations = await open()
      const created = aConversation('AS-1')
      await conversations.create(created)
      const events = [anEvent({ id: 'e-1' }), anEvent({ id: 'e-2', clientEventId: 'once' })]
      const results = await race(() => conversations.append(anAppend(created, 1, { events })))
      expect(results.filter(({ status }) => status === 'appended')).toHaveLength(1)
      const duplicate = { status: 'duplicate', sequence: 3 }
      expect(results.filter(result => JSON.stringify(result) === JSON.stringify(duplicate))).toHaveLength(
        RACERS - 1,
      )
      expect(await eventsOf(conversations, 'AS-1', 0)).toHaveLength(3)
    })

    it('ST7 writes to many conversations at once stand and fall each for itself', async () => {
      const conversations = await open()
      const events = [anEvent({ clientEventId: 'first' })]
      const created = Array.from({ length: 30 }, (_, nth) => aConversation(`AS-${nth}`, { events }))
      await Promise.all(created.map(one => conversations.create(one)))
      const outcomes = ['appended', 'stale', 'duplicate'] as const
      const append = (one: (typeof created)[number], nth: number) =>
        conversations.append(anAppend(one, nth % 3 === 1 ? 7 : 1, nth % 3 === 2 ? { events } : {}))
      const results = await Promise.all(created.map(append))
      expect(results.map(({ status }) => status)).toEqual(created.map((_, nth) => outcomes[nth % 3]))
      const versions = await Promise.all(created.map(one => conversations.version(one.conversationId)))
      expect(versions).toEqual(created.map((_, nth) => (nth % 3 === 0 ? 2 : 1)))
    })

    it('SC80 a walk from record to record meets each exactly once, and does not shift when earlier ones are added', async () => {
      const conversations = await open()
      const ids = Array.from({ length: 12 }, (_, nth) => `AS-${10 + nth}`)
      for (const id of ids) await conversations.create(aConversation(id))
      const scope = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
      for (const limit of [1, 3, 5, 12]) {
        const seen: string[] = []
        for (let from: RecordPageStart = { offset: 0 }, more = true; more; ) {
          const page = await conversations.records.list(scope, from, limit)
          seen.push(...page.records.map(({ id }) => id))
          await conversations.create(aConversation(`before ${limit} ${seen.length}`, { startedAt: 0 }))
          const last = page.records.at(-1)
          from = { after: { startedAt: last?.startedAt ?? 0, id: last?.id ?? '' } }
          more = page.more
        }
        expect(seen.filter(id => !id.startsWith('before'))).toEqual(ids)
        expect(new Set(seen).size).toBe(seen.length)
      }
    })

    it('SC130 finds words however they are written, their beginnings, and parts of German compounds', async () => {
      const conversations = await open()
      const say = (user: string, language: string) => ({
        turns: [{ record: { user_input: user, agent_response: '' }, details: { language } }],
      })
      await conversations.create(aConversation('de', say('Früh\u00adstückszeiten im Gästehaus?', 'de-DE')))
      await conversations.create(aConversation('en', say('an e-mail about the breakfasthouse', 'en-GB')))
      await conversations.create(aConversation('fi', say('aamiaisaika EMAIL', 'fi')))
      await conversations.create(aConversation('th', say('ขอทราบที่จอดรถ', 'th')))
      await conversations.create(aConversation('ar', say('السَّلام عليكم', 'ar')))
      const scope = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
      const found = async (query: string) => {
        const words = { words: wordsOf(query), speaker: 'user' } as const
        const page = await conversations.records.list({ ...scope, words }, { offset: 0 }, 10)
        return page.records.map(({ id }) => id).toSorted()
      }
      for (const query of ['Frühstück', 'FRUHSTUCK', 'Zeiten', 'Gäste', 'haus', 'Frühstückszeiten'])
        expect([query, await found(query)]).toEqual([query, ['de']])
      expect(await found('email')).toEqual(['en', 'fi'])
      expect(await found('E‑Mail')).toEqual(['en', 'fi'])
      expect(await found('house')).toEqual([])
      for (const query of ['früh', 'gäs', 'Frühstücksz'])
        expect([query, await found(query)]).toEqual([query, ['de']])
      expect(await found('breakf')).toEqual(['en'])
      expect(await found('aamiais')).toEqual(['fi'])
      expect(await found('จอดรถ')).toEqual(['th'])
      expect(await found('السلام')).toEqual(['ar'])
    })

    it('SC130 a sample is drawn in pages, between which others have their turn', async () => {
      const conversations = await open()
      const ids = Array.from({ length: 450 }, (_, nth) => `AS-${100 + nth}`)
      for (const id of ids) await conversations.create(aConversation(id))
      const scope = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
      let rests = 0
      const rest = async (): Promise<void> => void rests++
      const sample = await conversations.records.sample(scope, 1_000, rest)
      expect(sample.map(({ id }) => id)).toEqual(ids)
      expect(rests).toBe(2)
    })

    it('SC130 of a sample every record is as likely as any other', async () => {
      const conversations = await open()
      const ids = Array.from({ length: 12 }, (_, nth) => `AS-${10 + nth}`)
      for (const id of ids) await conversations.create(aConversation(id, { turns: [aTurn('hello')] }))
      const scope = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
      for (const words of [undefined, { words: ['hello'], speaker: 'user' } as const]) {
        const drawn = new Map<string, number>()
        for (let round = 0; round < 600; round++) {
          const sample = await conversations.records.sample({ ...scope, ...(words && { words }) }, 4)
          expect(sample.map(({ id }) => id)).toEqual([...new Set(sample.map(({ id }) => id))].toSorted())
          expect(sample).toHaveLength(4)
          for (const { id } of sample) drawn.set(id, (drawn.get(id) ?? 0) + 1)
        }
        // Drawn 200 times each, with a deviation of 11.5: seven of them are never seen.
        for (const id of ids) expect(Math.abs((drawn.get(id) ?? 0) - 200)).toBeLessThan(81)
      }
    })
  })
}
