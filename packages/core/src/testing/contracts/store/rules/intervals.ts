import { describe, expect, it } from 'vitest'
import type { ConversationIndex } from '../../../../domain/conversation/record.ts'
import type { IntervalFilter } from '../../../../ports/store/intervals.ts'
import { aConversation, anAppend, type ConversationFixture } from '../../../conversation-fixtures.ts'
import { ACCOUNT, AGENT } from '../../../fixtures.ts'
import { intervalRows } from '../../interval-rows.ts'
import { openForTest, type StoreFactory } from '../tools.ts'

const LIVE = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const

/** Returns a conversation that was active in `[from, to)`; null: it still is. */
const active = (
  startedAt: number,
  finishedAt: number | null,
  index: Partial<ConversationIndex> = {},
): ConversationFixture => ({
  ...{ startedAt, index: { finishedAt, ...index } },
})

/** Tests of figures of many conversations, and when they have changed (CC1). */
export function describeIntervals(factory: StoreFactory): void {
  const open = async () => {
    const { conversations } = await openForTest(factory)
    const read = (from: number, to: number, filter: Partial<IntervalFilter> = {}) =>
      conversations.intervals.list({ ...LIVE, from, to, ...filter })
    return { conversations, read }
  }

  describe('figures', () => {
    it('CC1 of thousands each counts once, also those that change or go after many others have finished', async () => {
      const count = 1_200
      const at = (nth: number) => active(nth * 10, nth * 10 + (nth % 7 === 0 ? 20_000_000 : 35))
      const { conversations, read } = await open()
      const spans = async (from: number, to: number) =>
        intervalRows(await read(from, to), { from, to }).map(({ start, end }) => `${start}-${end}`)
      const expected = new Map<number, readonly [number, number]>()
      for (let nth = 0; nth < count; nth += 20)
        await Promise.all(
          Array.from({ length: 20 }, async (_, more) => {
            const { startedAt = 0, index } = at(nth + more)
            expected.set(nth + more, [startedAt, index?.finishedAt ?? 0])
            await conversations.create(aConversation(`AS-${nth + more}`, at(nth + more)))
          }),
        )
      const all = () => [...expected].sort(([one], [other]) => one - other).map(([, span]) => span.join('-'))
      expect(await spans(0, count * 10)).toEqual(all())
      for (const nth of [0, 7, 8, 600, 1_199]) {
        expect(await conversations.removals.remove(ACCOUNT, AGENT, `AS-${nth}`)).toBe('removed')
        expected.delete(nth)
      }
      for (const nth of [1, 300, 1_198]) {
        const created = aConversation(`AS-${nth}`, at(nth))
        await conversations.append(anAppend(created, 1, { index: { finishedAt: nth * 10 + 1 } }))
        expected.set(nth, [nth * 10, nth * 10 + 1])
      }
      for (let round = 0; round < 3; round++) expect(await spans(0, count * 10)).toEqual(all())
      for (const [nth, [start, end]] of expected) if (start > 3_000 || end <= 3_000) expected.delete(nth)
      expect(await spans(3_000, 3_001)).toEqual(all())
    })

    it('CC1 answers of one stamp are the same, and the stamp can be had without the answer', async () => {
      const { conversations, read } = await open()
      for (const [id, values] of Object.entries({ 'AS-1': active(10, 20), 'AS-2': active(15, null) }))
        await conversations.create(aConversation(id, values))
      const known = new Map<string, string>()
      const filters = [
        {},
        { variantId: 'v1' },
        { deploymentId: 'd1' },
        { language: 'en-GB' },
        { phoneNumber: '+44' },
      ] as const
      const ranges = [
        { from: 12, to: 18 },
        { from: 0, to: 11 },
        { from: 18, to: 12 },
      ] as const
      const look = async () => {
        for (const [at, conditions] of filters.entries()) {
          const answers = await Promise.all(ranges.map(({ from, to }) => read(from, to, conditions)))
          const stamps = answers.map(({ stamp }) => stamp)
          expect(await conversations.intervals.stamps({ ...LIVE, ...conditions }, ranges)).toEqual(stamps)
          const content = answers.map((answer, at) => intervalRows(answer, ranges[at] ?? ranges[0]))
          for (const [nth, rows] of content.entries()) {
            const key = `${at} ${nth} ${stamps[nth]}`
            expect(known.get(key) ?? JSON.stringify(rows)).toBe(JSON.stringify(rows))
            known.set(key, JSON.stringify(rows))
          }
        }
      }
      const whole = {
        variantId: 'v1',
        variantName: 'Ritz',
        deploymentId: 'd1',
        language: 'en-GB',
        toNumber: '+44',
      }
      const added = aConversation('AS-late', active(11, null, whole))
      const finished = anAppend(added, 1, { index: { finishedAt: 14 } })
      const steps: readonly (() => Promise<unknown>)[] = [
        async () => {},
        () => conversations.create(added),
        () => conversations.append(finished),
        () =>
          conversations.append(anAppend(finished, 2, { index: { finishedAt: 13, variantName: 'Savoy' } })),
        () => conversations.removals.remove(ACCOUNT, AGENT, added.conversationId),
      ]
      for (const step of steps) {
        await step()
        await look()
      }
      expect(known.size).toBeGreaterThan(filters.length * ranges.length)
    })
  })
}
