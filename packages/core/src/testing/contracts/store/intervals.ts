import { describe, expect, it } from 'vitest'
import type { ConversationIndex } from '../../../domain/conversation/record.ts'
import type { IntervalFilter } from '../../../ports/store/intervals.ts'
import { aConversation, anAppend, type ConversationFixture } from '../../conversation-fixtures.ts'
import { ACCOUNT, AGENT } from '../../fixtures.ts'
import { intervalRows } from '../interval-rows.ts'
import { openForTest, type StoreFactory } from './tools.ts'

/** A conversation that was active in `[from, to)`; null: it still is. */
const active = (
  startedAt: number,
  finishedAt: number | null,
  index: Partial<ConversationIndex> = {},
): ConversationFixture => ({ startedAt, index: { finishedAt, ...index } })

/** Whether `start-end` is active at that instant. */
function isActiveAt(span: string, instant: number): boolean {
  const [start = 0, end = 0] = span.split('-').map(Number)
  return start <= instant && instant < end
}

/** Rules SC90 to SC99: which conversations were active. */
export function describeIntervals(factory: StoreFactory): void {
  /** A store with these conversations, and a reader of what was active in `[from, to)`: `start-end` each. */
  const open = async (created: readonly ConversationFixture[]) => {
    const { conversations } = await openForTest(factory)
    for (const [index, values] of created.entries())
      await conversations.create(aConversation(`AS-${index}`, values))
    const read = (from: number, to: number, filter: Partial<IntervalFilter> = {}) =>
      conversations.intervals.list({
        accountId: ACCOUNT,
        agentId: AGENT,
        environment: 'live',
        from,
        to,
        ...filter,
      })
    const spans = async (from: number, to: number, filter: Partial<IntervalFilter> = {}) =>
      intervalRows(await read(from, to, filter), { from, to }).map(({ start, end }) => `${start}-${end}`)
    return { conversations, read, spans }
  }

  describe('intervals', () => {
    it('SC90 a conversation counts when it was active at some instant of [from, to)', async () => {
      const { spans } = await open([
        active(0, 99),
        active(0, 100),
        active(0, 101),
        active(50, 500),
        active(100, 150),
        active(120, 130),
        active(150, 200),
        active(199, 300),
        active(200, 300),
      ])
      const found = ['0-101', '50-500', '100-150', '120-130', '150-200', '199-300']
      expect(await spans(100, 200)).toEqual(found)
      expect(await spans(100, 100)).toEqual([])
      expect(await spans(200, 100)).toEqual([])
      expect(await spans(500, 900)).toEqual([])
    })

    it('SC91 one in progress ends at Infinity', async () => {
      const { spans } = await open([active(10, null), active(150, null), active(200, null), active(0, 50)])
      expect(await spans(100, 200)).toEqual(['10-Infinity', '150-Infinity'])
      expect(await spans(0, 11)).toEqual(['0-50', '10-Infinity'])
    })

    it('SC92 one of zero length counts as active at its instant', async () => {
      const { spans } = await open([active(99, 99), active(100, 100), active(150, 150), active(200, 200)])
      expect(await spans(100, 200)).toEqual(['100-100', '150-150'])
      expect(await spans(150, 151)).toEqual(['150-150'])
      expect(await spans(149, 150)).toEqual([])
    })

    it('SC93 the same rows are found whatever the order of writing', async () => {
      const starts = [9, 100, 0, 1_000, 20, 8_640_000_000_000_000 - 1]
      const { spans } = await open(starts.map(start => active(start, null)))
      const expected = [...starts].sort((a, b) => a - b).map(start => `${start}-Infinity`)
      expect(await spans(0, 8_640_000_000_000_000)).toEqual(expected)
    })

    it('SC94 every row names its variant, and each variant that occurs is told once', async () => {
      const { read } = await open([
        active(1, 9),
        active(2, 9, { variantId: 'v1', variantName: 'Ritz' }),
        active(3, 9, { variantId: 'v2', variantName: 'Savoy' }),
        active(4, 9, { variantId: 'v1', variantName: 'Ritz' }),
        active(5, 9, { variantId: 'v1', variantName: 'Ritz renamed' }),
        active(6, 9),
        active(50, 60, { variantId: 'v3', variantName: 'Not in range' }),
      ])
      const intervals = await read(0, 10)
      expect(
        intervalRows(intervals, { from: 0, to: 10 }).map(({ start, id, name }) => [start, id, name]),
      ).toEqual([
        [1, null, null],
        [2, 'v1', 'Ritz'],
        [3, 'v2', 'Savoy'],
        [4, 'v1', 'Ritz'],
        [5, 'v1', 'Ritz renamed'],
        [6, null, null],
      ])
      const told = intervals.variants.map(variant => JSON.stringify([variant.id, variant.name])).sort()
      expect(new Set(told).size).toBe(told.length)
    })

    it('SC95 without conversations there are no rows', async () => {
      const { read } = await open([active(0, 5)])
      const intervals = await read(100, 200)
      expect(intervalRows(intervals, { from: 100, to: 200 })).toEqual([])
    })

    it('SC96 the filters compare exactly: variant, language, and the number that was called', async () => {
      const { spans } = await open([
        active(1, 2, {
          variantId: 'v1',
          variantName: 'Ritz',
          language: 'en-GB',
          toNumber: '+44',
          fromNumber: '+1',
        }),
        active(2, 3, {
          variantId: 'V1',
          variantName: 'ritz',
          language: 'en-gb',
          toNumber: '+441',
          fromNumber: '+44',
        }),
        active(3, 4, { variantId: 'v_', variantName: '%', language: 'en', toNumber: '%', fromNumber: '+44' }),
        active(4, 5),
      ])
      expect(await spans(0, 9, { variantId: 'v1' })).toEqual(['1-2'])
      expect(await spans(0, 9, { variantId: 'v_' })).toEqual(['3-4'])
      expect(await spans(0, 9, { variantName: 'ritz' })).toEqual(['2-3'])
      expect(await spans(0, 9, { variantName: '%' })).toEqual(['3-4'])
      expect(await spans(0, 9, { language: 'en' })).toEqual(['3-4'])
      expect(await spans(0, 9, { language: 'en-GB' })).toEqual(['1-2'])
      expect(await spans(0, 9, { phoneNumber: '+44' })).toEqual(['1-2'])
      expect(await spans(0, 9, { phoneNumber: '' })).toEqual(['4-5'])
      expect(await spans(0, 9, { variantId: 'v1', language: 'en' })).toEqual([])
      expect(
        await spans(0, 9, { variantId: 'v1', variantName: 'Ritz', language: 'en-GB', phoneNumber: '+44' }),
      ).toEqual(['1-2'])
    })

    it('SC97 only listed conversations of that account, agent and environment count', async () => {
      const { spans } = await open([
        active(1, 2),
        active(2, 3, { listed: false }),
        { ...active(3, 4), accountId: 'ws-other' },
        { ...active(4, 5), agentId: 'PROJECT-TWO' },
        { ...active(5, 6), environment: 'sandbox' },
      ])
      expect(await spans(0, 9)).toEqual(['1-2'])
      expect(await spans(0, 9, { accountId: 'ws-other' })).toEqual(['3-4'])
      expect(await spans(0, 9, { agentId: 'PROJECT-TWO' })).toEqual(['4-5'])
      expect(await spans(0, 9, { environment: 'sandbox' })).toEqual(['5-6'])
    })

    it('SC97 one that is listed and does not count is in lists, and in no interval, in progress and finished', async () => {
      const uncounted = { counted: false }
      const { conversations, spans } = await open([
        active(10, null, uncounted),
        active(20, 30, uncounted),
        active(40, 50),
        active(60, 70, { listed: false, counted: false }),
      ])
      const scope = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
      const listed = async () =>
        (await conversations.records.list(scope, { offset: 0 }, 9)).records.map(({ id }) => id)
      expect(await spans(0, 100)).toEqual(['40-50'])
      expect(await listed()).toEqual(['AS-0', 'AS-1', 'AS-2'])
      expect((await conversations.records.newest(scope, { offset: 2 }, 9)).records).toMatchObject([
        { id: 'AS-0' },
      ])
      expect(await conversations.records.sample(scope, 9)).toHaveLength(3)
      expect(await conversations.records.find(ACCOUNT, AGENT, 'AS-1')).not.toBeNull()
      expect(await conversations.records.find(ACCOUNT, AGENT, 'AS-3')).toBeNull()
      const created = aConversation('AS-0', { startedAt: 10, index: uncounted })
      await conversations.append(anAppend(created, 1, { index: { finishedAt: 45 } }))
      expect(await spans(0, 100)).toEqual(['40-50'])
      expect(await conversations.removals.remove(ACCOUNT, AGENT, 'AS-1')).toBe('removed')
      expect(await listed()).toEqual(['AS-0', 'AS-2'])
      expect(await spans(0, 100)).toEqual(['40-50'])
    })

    it('SC98 a write that finishes a conversation ends its interval', async () => {
      const { conversations, spans } = await open([active(10, null)])
      expect(await spans(0, 100)).toEqual(['10-Infinity'])
      const created = aConversation('AS-0', active(10, null))
      await conversations.append(anAppend(created, 1, { index: { finishedAt: 30 } }))
      expect(await spans(0, 100)).toEqual(['10-30'])
      expect(await spans(30, 100)).toEqual([])
    })

    it('SC233 of thousands each counts once, also those that change or go after many others have finished', async () => {
      const count = 1_200
      const at = (nth: number) => active(nth * 10, nth * 10 + (nth % 7 === 0 ? 20_000_000 : 35))
      const { conversations, spans } = await open([])
      const expected = new Map<number, string>()
      for (let nth = 0; nth < count; nth += 20)
        await Promise.all(
          Array.from({ length: 20 }, async (_, more) => {
            const { startedAt = 0, index } = at(nth + more)
            expected.set(nth + more, `${startedAt}-${index?.finishedAt}`)
            await conversations.create(aConversation(`AS-${nth + more}`, at(nth + more)))
          }),
        )
      const all = () => [...expected].sort(([one], [other]) => one - other).map(([, span]) => span)
      expect(await spans(0, count * 10)).toEqual(all())
      for (const nth of [0, 7, 8, 600, 1_199]) {
        expect(await conversations.removals.remove(ACCOUNT, AGENT, `AS-${nth}`)).toBe('removed')
        expected.delete(nth)
      }
      for (const nth of [1, 300, 1_198]) {
        const created = aConversation(`AS-${nth}`, at(nth))
        await conversations.append(anAppend(created, 1, { index: { finishedAt: nth * 10 + 1 } }))
        expected.set(nth, `${nth * 10}-${nth * 10 + 1}`)
      }
      for (let round = 0; round < 3; round++) expect(await spans(0, count * 10)).toEqual(all())
      expect(await spans(3_000, 3_001)).toEqual(all().filter(span => isActiveAt(span, 3_000)))
    })

    it('SC99 answers of one stamp are the same, and the stamp can be had without the answer', async () => {
      const { conversations, read } = await open([active(10, 20), active(15, null)])
      const known = new Map<string, string>()
      const filters = [{}, { variantId: 'v1' }, { language: 'en-GB' }, { phoneNumber: '+44' }] as const
      const look = async () => {
        for (const [at, conditions] of filters.entries()) {
          const intervals = await read(12, 18, conditions)
          const filter = { accountId: ACCOUNT, agentId: AGENT, environment: 'live', ...conditions } as const
          const ranges = [
            { from: 12, to: 18 },
            { from: 0, to: 11 },
            { from: 18, to: 12 },
          ]
          const others = await Promise.all(ranges.slice(1).map(({ from, to }) => read(from, to, conditions)))
          expect(await conversations.intervals.stamps(filter, ranges)).toEqual(
            [intervals, ...others].map(({ stamp }) => stamp),
          )
          const content = JSON.stringify(intervalRows(intervals, { from: 12, to: 18 }))
          const key = `${at} ${intervals.stamp}`
          expect(known.get(key) ?? content).toBe(content)
          known.set(key, content)
        }
      }
      const whole = { variantId: 'v1', variantName: 'Ritz', language: 'en-GB', toNumber: '+44' }
      const added = aConversation('AS-late', active(11, null, whole))
      await look()
      await conversations.create(added)
      await look()
      const finished = anAppend(added, 1, { index: { finishedAt: 14 } })
      await conversations.append(finished)
      await look()
      await conversations.append(anAppend(finished, 2, { index: { finishedAt: 13, variantName: 'Savoy' } }))
      await look()
      await conversations.removals.remove(ACCOUNT, AGENT, added.conversationId)
      await look()
      expect(known.size).toBeGreaterThan(filters.length)
    })
  })
}
