import { describe, expect, it } from 'vitest'
import { comparedChannel } from '../../../domain/conversation/channel.ts'
import { projectRecord } from '../../../domain/conversation/project-record.ts'
import {
  aConversation,
  anAppend,
  aState,
  aTurn,
  type ConversationFixture,
} from '../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, START } from '../../fixtures.ts'
import { intervalRows } from '../interval-rows.ts'
import { pageTexts, recordTexts } from './json-texts.ts'
import { LIVE, recordIds } from './record-ids.ts'
import { HARD_STRINGS, openForTest, type StoreFactory } from './tools.ts'

/** Rules SC70 to SC79: which records, in what form and order. */
export function describeRecords(factory: StoreFactory): void {
  const open = async (created: Readonly<Record<string, ConversationFixture>> = {}) => {
    const { conversations } = await openForTest(factory)
    for (const [id, values] of Object.entries(created)) await conversations.create(aConversation(id, values))
    return conversations
  }

  describe('records', () => {
    it('SC70 a record is the JSON of what was written, as text and as value, turns in order', async () => {
      const text = `it's "so"\n\u0000 é \u{1F600}`
      const state = {
        variables: { text, nested: { b: [1.5, null, true], a: {} }, a: [], deep: [[{ x: -0.25 }]] },
        metrics: { [text]: [text, text], one: text },
        record: { ...aState('AS-1').record, variantName: text, language: text, aiSince: START },
        seenAt: START + 61_500,
      }
      const created = aConversation('AS-1', { state, turns: [aTurn('one'), aTurn(`it's "two" %`)] })
      const conversations = await open()
      await conversations.create(created)
      await conversations.append(anAppend(created, 1, { turns: [aTurn('three')] }))
      const turns = [...created.turns, aTurn('three')].map(turn => turn.record)
      const { summary, details } = projectRecord(created.state)
      expect(summary).toMatchObject({ variant_name: text, metrics: state.metrics, state: state.variables })
      expect([details.language, summary.total_duration, summary.ai_duration]).toEqual([text, 62, 62])
      const record = {
        summary: JSON.stringify(summary),
        details: JSON.stringify(details),
        turns: JSON.stringify(turns),
      }
      const found = await conversations.records.find(ACCOUNT, AGENT, created.conversationId)
      expect(found && recordTexts(found)).toEqual(record)
      expect(pageTexts(await conversations.records.list(LIVE, { offset: 0 }, 10))).toEqual({
        records: [{ id: 'AS-1', startedAt: START, ...record }],
        more: false,
      })
    })

    it('SC71 a record without turns has an empty array of them', async () => {
      const conversations = await open({ 'AS-1': {} })
      const found = await conversations.records.find(ACCOUNT, AGENT, 'AS-1')
      const { records } = await conversations.records.list(LIVE, { offset: 0 }, 9)
      for (const json of [found, records[0]?.json]) expect(json && recordTexts(json).turns).toBe('[]')
    })

    it('SC72 a record is found under its account and agent, whatever its environment; otherwise null', async () => {
      const conversations = await open({ 'AS-1': {}, 'AS-2': { environment: 'sandbox' } })
      const id = 'AS-1'
      expect(await conversations.records.find(ACCOUNT, AGENT, id)).not.toBeNull()
      expect(await conversations.records.find(ACCOUNT, AGENT, 'AS-2')).not.toBeNull()
      expect(await conversations.records.find('ws-other', AGENT, id)).toBeNull()
      expect(await conversations.records.find(ACCOUNT, 'PROJECT-TWO', id)).toBeNull()
      expect(await conversations.records.find(ACCOUNT, AGENT, 'as-1')).toBeNull()
      expect(await conversations.records.find(ACCOUNT, AGENT, 'AS-_')).toBeNull()
    })

    it('SC73 what is not listed is never shown', async () => {
      const unlisted = {
        index: { listed: false, variantId: 'v1', channel: 'chat' },
        state: { kind: 'debug' },
      } as const
      const conversations = await open({ 'AS-debug': unlisted })
      expect(await conversations.records.find(ACCOUNT, AGENT, 'AS-debug')).toBeNull()
      for (const filter of [
        {},
        { inProgress: true },
        { variantId: 'v1' },
        { channels: ['chat'] },
        { startTime: 0 },
      ]) {
        expect(await recordIds(conversations, filter)).toEqual([])
      }
      const interval = { ...LIVE, from: 0, to: Number.MAX_SAFE_INTEGER }
      expect(intervalRows(await conversations.intervals.list(interval), interval)).toEqual([])
    })

    it('SC74 records are those of one account, one agent and one environment', async () => {
      const otherAccount = 'ws-other'
      const otherAgent = 'PROJECT-TWO'
      const conversations = await open({
        'AS-mine': {},
        'AS-sandbox': { environment: 'sandbox' },
        'AS-agent': { agentId: otherAgent },
        'AS-account': { accountId: otherAccount },
      })
      expect(await recordIds(conversations)).toEqual(['AS-mine'])
      expect(await recordIds(conversations, { environment: 'sandbox' })).toEqual(['AS-sandbox'])
      expect(await recordIds(conversations, { environment: 'pre-release' })).toEqual([])
      expect(await recordIds(conversations, { agentId: otherAgent })).toEqual(['AS-agent'])
      expect(await recordIds(conversations, { accountId: otherAccount })).toEqual(['AS-account'])
    })

    it('SC75 the start lies in [startTime, endTime)', async () => {
      const conversations = await open({
        'AS-1': { startedAt: 1_000 },
        'AS-2': { startedAt: 2_000 },
        'AS-3': { startedAt: 3_000 },
      })
      expect(await recordIds(conversations, { startTime: 2_000 })).toEqual(['AS-2', 'AS-3'])
      expect(await recordIds(conversations, { startTime: 2_001 })).toEqual(['AS-3'])
      expect(await recordIds(conversations, { endTime: 2_000 })).toEqual(['AS-1'])
      expect(await recordIds(conversations, { endTime: 2_001 })).toEqual(['AS-1', 'AS-2'])
      expect(await recordIds(conversations, { startTime: 1_000, endTime: 3_000 })).toEqual(['AS-1', 'AS-2'])
      expect(await recordIds(conversations, { startTime: 2_000, endTime: 2_000 })).toEqual([])
      expect(await recordIds(conversations, { startTime: 0, endTime: 1 })).toEqual([])
    })

    it('SC76 variant ids and variant names compare exactly, channels in any case of the letters of ASCII', async () => {
      const created: Record<string, ConversationFixture> = { none: {} }
      for (const text of HARD_STRINGS) {
        created[`AS-${text}`] = { index: { variantId: text, variantName: `n${text}`, channel: `c${text}` } }
      }
      const conversations = await open(created)
      for (const text of HARD_STRINGS) {
        expect(await recordIds(conversations, { variantId: text })).toEqual([`AS-${text}`])
        expect(await recordIds(conversations, { variantName: `n${text}` })).toEqual([`AS-${text}`])
        const alike = HARD_STRINGS.filter(other => comparedChannel(other) === comparedChannel(text))
        for (const channel of [`c${text}`, `C${text}`])
          expect((await recordIds(conversations, { channels: [channel] })).toSorted()).toEqual(
            alike.map(other => `AS-${other}`).toSorted(),
          )
      }
      expect(await recordIds(conversations, { variantId: '' })).toEqual([])
      expect(await recordIds(conversations, { variantName: 'n%' })).toEqual([])
    })

    it('SC77 any of the channels will do; no channel matches nothing', async () => {
      const conversations = await open({
        'AS-1': { index: { channel: 'chat' } },
        'AS-2': { index: { channel: 'voice' } },
        'AS-3': { index: { channel: 'sms' } },
      })
      expect(await recordIds(conversations, { channels: ['sms', 'chat', 'fax', 'sms'] })).toEqual([
        'AS-1',
        'AS-3',
      ])
      expect(await recordIds(conversations, { channels: ['fax'] })).toEqual([])
      expect(await recordIds(conversations, { channels: [] })).toEqual([])
    })

    it('SC78 a conversation is in progress until it is finished, also when that was at moment 0', async () => {
      const running = aConversation('AS-1')
      const conversations = await open({
        'AS-0': { startedAt: 0, index: { finishedAt: 0 } },
        'AS-2': { index: { finishedAt: START + 1 } },
      })
      await conversations.create(running)
      expect(await recordIds(conversations, { inProgress: true })).toEqual(['AS-1'])
      expect(await recordIds(conversations, { inProgress: false })).toEqual(['AS-0', 'AS-2'])
      await conversations.append(anAppend(running, 1, { index: { finishedAt: START + 2 } }))
      expect(await recordIds(conversations, { inProgress: true })).toEqual([])
      expect(await recordIds(conversations, { inProgress: false })).toEqual(['AS-0', 'AS-1', 'AS-2'])
      expect(await recordIds(conversations)).toEqual(['AS-0', 'AS-1', 'AS-2'])
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
      expect(await recordIds(conversations, both)).toEqual(['AS-1'])
      expect(await recordIds(conversations, { ...both, startTime: 1_001 })).toEqual([])
      expect(
        await recordIds(conversations, { variantName: 'Ritz', startTime: 2_000, endTime: 4_000 }),
      ).toEqual(['AS-2', 'AS-3'])
      await conversations.append(anAppend(first, 1, { index: { ...index, channel: 'voice' } }))
      expect(await recordIds(conversations, both)).toEqual([])
      expect(await recordIds(conversations, { ...both, channels: ['voice'] })).toEqual(['AS-1', 'AS-3'])
    })
  })
}
