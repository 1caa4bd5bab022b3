import { describe, expect, it } from 'vitest'
import type { RecordFilter, RecordPageStart } from '../../../ports/store/records.ts'
import { aConversation, type ConversationFixture } from '../../conversation-fixtures.ts'
import { START } from '../../fixtures.ts'
import { LIVE, recordIds } from './record-ids.ts'
import { EXTREME_TIMES, openForTest, type StoreFactory } from './tools.ts'

/** Rules SC80 to SC89: the order of records, and where pages of them begin and end. */
export function describeRecordPages(factory: StoreFactory): void {
  const open = async (created: Readonly<Record<string, ConversationFixture>> = {}) => {
    const { conversations } = await openForTest(factory)
    for (const [id, values] of Object.entries(created)) await conversations.create(aConversation(id, values))
    return conversations
  }

  describe('pages of records', () => {
    /** Eleven conversations of which nine started at the same moment; their ids in order. */
    const same = ['C-', 'C-1', 'C-10', 'C-9', 'C-B', 'C-a', 'C-aa', 'C-\uFF5E', 'C-\u{1F600}']
    const ordered = ['z-early', ...same, 'A-late']
    const paged = () => {
      const created: Record<string, ConversationFixture> = { 'A-late': { startedAt: START + 1 } }
      for (const id of [...same].reverse()) created[id] = {}
      return open({ ...created, 'z-early': { startedAt: START - 1 } })
    }

    it('SC80 records are ordered by start, then by the code points of the id', async () => {
      expect(await recordIds(await paged())).toEqual(ordered)
    })

    it('SC81 an offset leaves out that many records', async () => {
      const conversations = await paged()
      for (let offset = 0; offset <= ordered.length + 1; offset++) {
        expect(await recordIds(conversations, {}, { offset }, 3)).toEqual(ordered.slice(offset, offset + 3))
      }
      expect(await recordIds(conversations, {}, { offset: 1_000_000 })).toEqual([])
    })

    it('SC82 `more` says whether a record follows the page', async () => {
      const conversations = await paged()
      const more = async (from: RecordPageStart, limit: number) =>
        (await conversations.records.list(LIVE, from, limit)).more
      expect(await more({ offset: 0 }, ordered.length)).toBe(false)
      expect(await more({ offset: 0 }, ordered.length - 1)).toBe(true)
      expect(await more({ offset: ordered.length - 1 }, 1)).toBe(false)
      expect(await more({ offset: ordered.length - 2 }, 1)).toBe(true)
      expect(await more({ offset: ordered.length }, 1)).toBe(false)
      expect(await more({ after: { startedAt: START, id: 'C-\uFF5E' } }, 1)).toBe(true)
      expect(await more({ after: { startedAt: START, id: 'C-\uFF5E' } }, 2)).toBe(false)
      const filter = { ...LIVE, endTime: START }
      expect((await conversations.records.list(filter, { offset: 0 }, 1)).more).toBe(false)
    })

    it('SC83 a walk from record to record meets each exactly once, whatever the size of a page', async () => {
      const conversations = await paged()
      for (const limit of [1, 2, 3, 5, ordered.length]) {
        const seen: string[] = []
        let from: RecordPageStart = { offset: 0 }
        while (seen.length < ordered.length) {
          const page = await conversations.records.list(LIVE, from, limit)
          seen.push(...page.records.map(record => record.id))
          const last = page.records.at(-1)
          expect(page.more).toBe(seen.length < ordered.length)
          if (last === undefined) break
          from = { after: { startedAt: last.startedAt, id: last.id } }
        }
        expect(seen).toEqual(ordered)
      }
    })

    it('SC84 the record that a page begins after need not be there', async () => {
      const conversations = await paged()
      const follow = (startedAt: number, id: string) =>
        recordIds(conversations, {}, { after: { startedAt, id } })
      expect(await follow(START, 'C-5')).toEqual(ordered.slice(4))
      expect(await follow(START, '')).toEqual(ordered.slice(1))
      expect(await follow(START, 'zzz')).toEqual(['A-late'])
      expect(await follow(START, '\u{10FFFF}')).toEqual(['A-late'])
      expect(await follow(0, 'zzz')).toEqual(ordered)
      expect(await follow(START + 1, 'A-late')).toEqual([])
    })

    it('SC85 a page after a record does not shift when earlier conversations are added', async () => {
      const conversations = await paged()
      const from = { after: { startedAt: START, id: 'C-B' } }
      const before = await recordIds(conversations, {}, from)
      await conversations.create(aConversation('C-A'))
      await conversations.create(aConversation('new', { startedAt: 0 }))
      expect(await recordIds(conversations, {}, from)).toEqual(before)
      expect(before).toEqual(ordered.slice(6))
    })

    it('SC86 a position counts within the filter', async () => {
      const conversations = await open({
        'AS-1': { index: { channel: 'voice' } },
        'AS-2': { index: { listed: false } },
        'AS-3': {},
        'AS-4': { index: { channel: 'voice' } },
        'AS-5': { environment: 'sandbox', index: { channel: 'voice' } },
        'AS-6': { index: { channel: 'voice' } },
      })
      const filter = { channels: ['voice'] }
      expect(await recordIds(conversations, filter, { offset: 1 }, 1)).toEqual(['AS-4'])
      expect(await recordIds(conversations, filter, { after: { startedAt: START, id: 'AS-2' } })).toEqual([
        'AS-4',
        'AS-6',
      ])
    })

    it('SC88 the newest come first, by offset and after a position, and without those of others', async () => {
      const conversations = await paged()
      await conversations.create(aConversation('C-sandbox', { environment: 'sandbox' }))
      await conversations.create(aConversation('C-unlisted', { index: { listed: false } }))
      const newest = ordered.toReversed()
      const ids = async (from: RecordPageStart, limit: number) => {
        const { records, more } = await conversations.records.newest(LIVE, from, limit)
        return { ids: records.map(record => record.id), more }
      }
      for (let offset = 0; offset <= newest.length + 1; offset++) {
        expect(await ids({ offset }, 3)).toEqual({
          ids: newest.slice(offset, offset + 3),
          more: offset + 3 < newest.length,
        })
      }
      for (const [index, id] of newest.entries()) {
        const startedAt = id === 'A-late' ? START + 1 : id === 'z-early' ? START - 1 : START
        const following = newest.slice(index + 1)
        expect(await ids({ after: { startedAt, id } }, 100)).toEqual({ ids: following, more: false })
      }
      expect(await ids({ after: { startedAt: START, id: 'C-5' } }, 2)).toEqual({
        ids: ['C-10', 'C-1'],
        more: true,
      })
      const elsewhere = { ...LIVE, agentId: 'PROJECT-NONE' }
      expect(await conversations.records.newest(elsewhere, { offset: 0 }, 9)).toEqual({
        records: [],
        more: false,
      })
    })

    it('SC89 the newest that a filter selects are those of the list, in the opposite order', async () => {
      const created: Record<string, ConversationFixture> = {}
      for (let at = 0; at < 24; at++)
        created[`C-${String(at).padStart(2, '0')}`] = {
          startedAt: START + Math.floor(at / 3),
          index: {
            channel: at % 2 === 0 ? 'voice' : 'webchat',
            finishedAt: at % 4 === 0 ? null : START + 100 + at,
            variantId: at % 5 === 0 ? 'V-1' : 'V-2',
            variantName: at % 5 === 0 ? 'one' : 'two',
            listed: at !== 13,
          },
        }
      const conversations = await open(created)
      const filters: readonly Omit<RecordFilter, keyof typeof LIVE | 'words'>[] = [
        {},
        { inProgress: true },
        { inProgress: false },
        { startTime: START + 2 },
        { endTime: START + 5 },
        { startTime: START + 2, endTime: START + 5, inProgress: true },
        { channels: ['voice'], variantId: 'V-2' },
        { variantName: 'one', inProgress: false },
        { startTime: START + 3, endTime: START + 3 },
        { channels: ['none'] },
      ]
      for (const filter of filters) {
        const expected = (await recordIds(conversations, filter)).toReversed()
        for (const limit of [1, 2, 5, 30]) {
          const seen: string[] = []
          let from: RecordPageStart = { offset: 0 }
          for (let more = true; more; ) {
            const page = await conversations.records.newest({ ...LIVE, ...filter }, from, limit)
            seen.push(...page.records.map(({ id }) => id))
            expect([filter, page.more]).toEqual([filter, seen.length < expected.length])
            const last = page.records.at(-1)
            more = page.more && last !== undefined
            if (last !== undefined) from = { after: { startedAt: last.startedAt, id: last.id } }
          }
          expect([filter, seen]).toEqual([filter, expected])
        }
        const skipped = await conversations.records.newest({ ...LIVE, ...filter }, { offset: 2 }, 3)
        expect(skipped.records.map(({ id }) => id)).toEqual(expected.slice(2, 5))
        const newer = { after: { startedAt: START + 1_000, id: 'Z' } }
        const first = await conversations.records.newest({ ...LIVE, ...filter }, newer, 1)
        expect(first.records.map(({ id }) => id)).toEqual(expected.slice(0, 1))
      }
    })

    it('SC87 starts from moment 0 to the end of time are ordered as numbers', async () => {
      const conversations = await open()
      for (const at of [...EXTREME_TIMES].reverse()) {
        await conversations.create(aConversation(`AS-${at}`, { startedAt: at }))
      }
      const page = await conversations.records.list(LIVE, { offset: 0 }, 100)
      expect(page.records.map(record => record.startedAt)).toEqual(EXTREME_TIMES)
      expect(await recordIds(conversations, { startTime: 8_640_000_000_000_000 })).toEqual([
        'AS-8640000000000000',
      ])
    })
  })
}
