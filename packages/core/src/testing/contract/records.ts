import { describe, expect, it } from 'vitest'
import { type AccountId, type AgentId, asId, type ConversationId } from '../../domain/ids.ts'
import type { ConversationStore, RecordFilter, RecordPosition } from '../../ports/conversation-store.ts'
import {
  ACCOUNT,
  AGENT,
  aConversation,
  anAppend,
  aTurn,
  type ConversationFixture,
  START,
} from '../fixtures.ts'
import { EXTREME_TIMES, HARD_STRINGS, openForTest, type StoreFactory } from './tools.ts'

const WHOSE = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const

/** The ids on one page. */
async function ids(
  conversations: ConversationStore,
  filter: Partial<RecordFilter> = {},
  from: RecordPosition = { offset: 0 },
  limit = 100,
): Promise<string[]> {
  return (await conversations.records({ ...WHOSE, ...filter }, from, limit)).records.map(record => record.id)
}

/** Rules SC70 to SC79: which records, in what form and order. Paging has its own rules, SC80 to SC89. */
export function describeRecords(factory: StoreFactory): void {
  const open = async (created: Readonly<Record<string, ConversationFixture>> = {}) => {
    const { conversations } = await openForTest(factory)
    for (const [id, values] of Object.entries(created)) await conversations.create(aConversation(id, values))
    return conversations
  }

  describe('records', () => {
    it('SC70 a record is the JSON text of what was written, turns in order', async () => {
      const head = {
        summary: {
          id: 'AS-1',
          text: `it's "so"\n\u0000 é \u{1F600}`,
          nested: { b: [1.5, null, true], a: {} },
        },
        details: { z: 1, a: [], deep: [[{ x: -0.25 }]] },
      }
      const created = aConversation('AS-1', { head, turns: [aTurn('one'), aTurn(`it's "two" %`)] })
      const conversations = await open()
      await conversations.create(created)
      await conversations.append(anAppend(created, 1, { turns: [aTurn('three')] }))
      const turns = [...created.turns, aTurn('three')].map(turn => turn.record)
      const text = {
        summary: JSON.stringify(head.summary),
        details: JSON.stringify(head.details),
        turns: JSON.stringify(turns),
      }
      expect(await conversations.record(ACCOUNT, AGENT, created.conversationId)).toEqual(text)
      expect(await conversations.records(WHOSE, { offset: 0 }, 10)).toEqual({
        records: [{ id: 'AS-1', startedAt: START, text }],
        more: false,
      })
    })

    it('SC71 a record without turns has an empty array of them', async () => {
      const conversations = await open({ 'AS-1': {} })
      expect((await conversations.record(ACCOUNT, AGENT, asId('AS-1')))?.turns).toBe('[]')
      expect((await conversations.records(WHOSE, { offset: 0 }, 9)).records[0]?.text.turns).toBe('[]')
    })

    it('SC72 a record is found under its account and agent, whatever its environment; otherwise null', async () => {
      const conversations = await open({ 'AS-1': {}, 'AS-2': { environment: 'sandbox' } })
      const id = asId<ConversationId>('AS-1')
      expect(await conversations.record(ACCOUNT, AGENT, id)).not.toBeNull()
      expect(await conversations.record(ACCOUNT, AGENT, asId('AS-2'))).not.toBeNull()
      expect(await conversations.record(asId<AccountId>('ws-other'), AGENT, id)).toBeNull()
      expect(await conversations.record(ACCOUNT, asId<AgentId>('PROJECT-TWO'), id)).toBeNull()
      expect(await conversations.record(ACCOUNT, AGENT, asId('as-1'))).toBeNull()
      expect(await conversations.record(ACCOUNT, AGENT, asId('AS-_'))).toBeNull()
    })

    it('SC73 what is not listed is never shown', async () => {
      const unlisted = {
        index: { listed: false, variantId: 'v1', channel: 'chat' },
        state: { kind: 'debug' },
      } as const
      const conversations = await open({ 'AS-debug': unlisted })
      expect(await conversations.record(ACCOUNT, AGENT, asId('AS-debug'))).toBeNull()
      for (const filter of [
        {},
        { inProgress: true },
        { variantId: 'v1' },
        { channels: ['chat'] },
        { startTime: 0 },
      ]) {
        expect(await ids(conversations, filter)).toEqual([])
      }
      const interval = { ...WHOSE, from: 0, to: Number.MAX_SAFE_INTEGER }
      expect((await conversations.intervals(interval)).starts).toHaveLength(0)
    })

    it('SC74 records are those of one account, one agent and one environment', async () => {
      const otherAccount = asId<AccountId>('ws-other')
      const otherAgent = asId<AgentId>('PROJECT-TWO')
      const conversations = await open({
        'AS-mine': {},
        'AS-sandbox': { environment: 'sandbox' },
        'AS-agent': { agentId: otherAgent },
        'AS-account': { accountId: otherAccount },
      })
      expect(await ids(conversations)).toEqual(['AS-mine'])
      expect(await ids(conversations, { environment: 'sandbox' })).toEqual(['AS-sandbox'])
      expect(await ids(conversations, { environment: 'pre-release' })).toEqual([])
      expect(await ids(conversations, { agentId: otherAgent })).toEqual(['AS-agent'])
      expect(await ids(conversations, { accountId: otherAccount })).toEqual(['AS-account'])
    })

    it('SC75 the start lies in [startTime, endTime)', async () => {
      const conversations = await open({
        'AS-1': { startedAt: 1_000 },
        'AS-2': { startedAt: 2_000 },
        'AS-3': { startedAt: 3_000 },
      })
      expect(await ids(conversations, { startTime: 2_000 })).toEqual(['AS-2', 'AS-3'])
      expect(await ids(conversations, { startTime: 2_001 })).toEqual(['AS-3'])
      expect(await ids(conversations, { endTime: 2_000 })).toEqual(['AS-1'])
      expect(await ids(conversations, { endTime: 2_001 })).toEqual(['AS-1', 'AS-2'])
      expect(await ids(conversations, { startTime: 1_000, endTime: 3_000 })).toEqual(['AS-1', 'AS-2'])
      expect(await ids(conversations, { startTime: 2_000, endTime: 2_000 })).toEqual([])
      expect(await ids(conversations, { startTime: 0, endTime: 1 })).toEqual([])
    })

    it('SC76 variant ids, variant names and channels compare exactly', async () => {
      const created: Record<string, ConversationFixture> = { none: {} }
      for (const text of HARD_STRINGS) {
        created[`AS-${text}`] = { index: { variantId: text, variantName: `n${text}`, channel: `c${text}` } }
      }
      const conversations = await open(created)
      for (const text of HARD_STRINGS) {
        expect(await ids(conversations, { variantId: text })).toEqual([`AS-${text}`])
        expect(await ids(conversations, { variantName: `n${text}` })).toEqual([`AS-${text}`])
        expect(await ids(conversations, { channels: [`c${text}`] })).toEqual([`AS-${text}`])
      }
      expect(await ids(conversations, { variantId: '' })).toEqual([])
      expect(await ids(conversations, { variantName: 'n%' })).toEqual([])
    })

    it('SC77 any of the channels will do; no channel matches nothing', async () => {
      const conversations = await open({
        'AS-1': { index: { channel: 'chat' } },
        'AS-2': { index: { channel: 'voice' } },
        'AS-3': { index: { channel: 'sms' } },
      })
      expect(await ids(conversations, { channels: ['sms', 'chat', 'fax', 'sms'] })).toEqual(['AS-1', 'AS-3'])
      expect(await ids(conversations, { channels: ['fax'] })).toEqual([])
      expect(await ids(conversations, { channels: [] })).toEqual([])
    })

    it('SC78 a conversation is in progress until it is finished, also when that was at moment 0', async () => {
      const running = aConversation('AS-1')
      const conversations = await open({
        'AS-0': { startedAt: 0, index: { finishedAt: 0 } },
        'AS-2': { index: { finishedAt: START + 1 } },
      })
      await conversations.create(running)
      expect(await ids(conversations, { inProgress: true })).toEqual(['AS-1'])
      expect(await ids(conversations, { inProgress: false })).toEqual(['AS-0', 'AS-2'])
      await conversations.append(anAppend(running, 1, { index: { finishedAt: START + 2 } }))
      expect(await ids(conversations, { inProgress: true })).toEqual([])
      expect(await ids(conversations, { inProgress: false })).toEqual(['AS-0', 'AS-1', 'AS-2'])
      expect(await ids(conversations)).toEqual(['AS-0', 'AS-1', 'AS-2'])
    })

    it('SC79 all conditions hold at once, and follow the newest write', async () => {
      const index = { variantId: 'v1', variantName: 'Ritz', channel: 'chat' }
      const first = aConversation('AS-1', { startedAt: 1_000, index })
      const conversations = await open({
        'AS-2': { startedAt: 2_000, index: { ...index, variantId: 'v2' } },
        'AS-3': { startedAt: 3_000, index: { ...index, channel: 'voice' } },
        'AS-4': { startedAt: 4_000, index: { ...index, finishedAt: 4_000 } },
        'AS-5': { startedAt: 5_000, index: { ...index, variantName: 'Savoy' } },
      })
      await conversations.create(first)
      const both = { variantId: 'v1', variantName: 'Ritz', channels: ['chat'], inProgress: true }
      expect(await ids(conversations, both)).toEqual(['AS-1'])
      expect(await ids(conversations, { ...both, startTime: 1_001 })).toEqual([])
      expect(await ids(conversations, { variantName: 'Ritz', startTime: 2_000, endTime: 4_000 })).toEqual([
        'AS-2',
        'AS-3',
      ])
      await conversations.append(anAppend(first, 1, { index: { ...index, channel: 'voice' } }))
      expect(await ids(conversations, both)).toEqual([])
      expect(await ids(conversations, { ...both, channels: ['voice'] })).toEqual(['AS-1', 'AS-3'])
    })
  })

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
      expect(await ids(await paged())).toEqual(ordered)
    })

    it('SC81 an offset leaves out that many records', async () => {
      const conversations = await paged()
      for (let offset = 0; offset <= ordered.length + 1; offset++) {
        expect(await ids(conversations, {}, { offset }, 3)).toEqual(ordered.slice(offset, offset + 3))
      }
      expect(await ids(conversations, {}, { offset: 1_000_000 })).toEqual([])
    })

    it('SC82 `more` says whether a record follows the page', async () => {
      const conversations = await paged()
      const more = async (from: RecordPosition, limit: number) =>
        (await conversations.records(WHOSE, from, limit)).more
      expect(await more({ offset: 0 }, ordered.length)).toBe(false)
      expect(await more({ offset: 0 }, ordered.length - 1)).toBe(true)
      expect(await more({ offset: ordered.length - 1 }, 1)).toBe(false)
      expect(await more({ offset: ordered.length - 2 }, 1)).toBe(true)
      expect(await more({ offset: ordered.length }, 1)).toBe(false)
      expect(await more({ after: { startedAt: START, id: 'C-\uFF5E' } }, 1)).toBe(true)
      expect(await more({ after: { startedAt: START, id: 'C-\uFF5E' } }, 2)).toBe(false)
      const filter = { ...WHOSE, endTime: START }
      expect((await conversations.records(filter, { offset: 0 }, 1)).more).toBe(false)
    })

    it('SC83 a walk from record to record meets each exactly once, whatever the size of a page', async () => {
      const conversations = await paged()
      for (const limit of [1, 2, 3, 5, ordered.length]) {
        const seen: string[] = []
        let from: RecordPosition = { offset: 0 }
        for (;;) {
          const page = await conversations.records(WHOSE, from, limit)
          seen.push(...page.records.map(record => record.id))
          const last = page.records.at(-1)
          if (!page.more || last === undefined) break
          from = { after: { startedAt: last.startedAt, id: last.id } }
        }
        expect(seen).toEqual(ordered)
      }
    })

    it('SC84 the record that a page begins after need not be there', async () => {
      const conversations = await paged()
      const after = (startedAt: number, id: string) => ids(conversations, {}, { after: { startedAt, id } })
      expect(await after(START, 'C-5')).toEqual(ordered.slice(4))
      expect(await after(START, '')).toEqual(ordered.slice(1))
      expect(await after(START, 'zzz')).toEqual(['A-late'])
      expect(await after(START, '\u{10FFFF}')).toEqual(['A-late'])
      expect(await after(0, 'zzz')).toEqual(ordered)
      expect(await after(START + 1, 'A-late')).toEqual([])
    })

    it('SC85 a page after a record does not shift when earlier conversations are added', async () => {
      const conversations = await paged()
      const from = { after: { startedAt: START, id: 'C-B' } }
      const before = await ids(conversations, {}, from)
      await conversations.create(aConversation('C-A'))
      await conversations.create(aConversation('new', { startedAt: 0 }))
      expect(await ids(conversations, {}, from)).toEqual(before)
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
      expect(await ids(conversations, filter, { offset: 1 }, 1)).toEqual(['AS-4'])
      expect(await ids(conversations, filter, { after: { startedAt: START, id: 'AS-2' } })).toEqual([
        'AS-4',
        'AS-6',
      ])
    })

    it('SC87 starts from moment 0 to the end of time are ordered as numbers', async () => {
      const conversations = await open()
      for (const at of [...EXTREME_TIMES].reverse()) {
        await conversations.create(aConversation(`AS-${at}`, { startedAt: at }))
      }
      const page = await conversations.records(WHOSE, { offset: 0 }, 100)
      expect(page.records.map(record => record.startedAt)).toEqual(EXTREME_TIMES)
      expect(await ids(conversations, { startTime: 8_640_000_000_000_000 })).toEqual(['AS-8640000000000000'])
    })
  })
}
