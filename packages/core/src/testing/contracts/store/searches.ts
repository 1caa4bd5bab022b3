import { describe, expect, it } from 'vitest'
import type { StoredTurn } from '../../../domain/conversation/record.ts'
import { holdWords, type Speaker, wordsOf } from '../../../domain/conversation/turn-words.ts'
import type { RecordFilter } from '../../../ports/store/records.ts'
import { aConversation, anAppend, type ConversationFixture } from '../../conversation-fixtures.ts'
import { START } from '../../fixtures.ts'
import { LIVE, recordIds } from './record-ids.ts'
import { openForTest, type StoreFactory } from './tools.ts'

const DAY = 86_400_000

const said = (user: string, agent = ''): StoredTurn => ({
  record: { user_input: user, agent_response: agent },
  details: {},
})

const words = (query: string, speaker: Speaker = 'either'): Pick<RecordFilter, 'words'> => ({
  words: { words: wordsOf(query), speaker },
})

/** Texts in which words are hard to tell. */
const TEXTS = [
  'Ein Zimmer für zwei, bitte!',
  'it\'s a ROOM; room-service? NULL OR 1=1 -- "NEAR" AND (not) {user}: x*',
  'Ζεστό ΝΕΡΌ, naïve café ﬁne ½ Ⅷ ß İstanbul',
  '東京のホテル tokyo東京2',
  '\u0000 a\u0000b \uD800 \u{1F600}smile\u{1F600} é e\u0301',
  'हिन्दी สวัสดี 안녕 عَرَبِي',
  `${'x'.repeat(70)} ${'é'.repeat(64)}`,
  '',
]

/** Rules SC130 to SC134: records by the words of their turns, and random samples. */
export function describeSearches(factory: StoreFactory): void {
  const open = async (created: Readonly<Record<string, ConversationFixture>> = {}) => {
    const { conversations } = await openForTest(factory)
    for (const [id, values] of Object.entries(created)) await conversations.create(aConversation(id, values))
    return conversations
  }

  describe('searches and samples', () => {
    it('SC130 a record matches when one of its turns contains all the words, on the selected side', async () => {
      const conversations = await open({
        'AS-1': { turns: [said('a room please', 'for two'), said('with breakfast', 'of course')] },
        'AS-2': { turns: [said('for two', 'a room'), said('please')] },
        'AS-3': {},
      })
      expect(await recordIds(conversations, words('room'))).toEqual(['AS-1', 'AS-2'])
      expect(await recordIds(conversations, words('room', 'user'))).toEqual(['AS-1'])
      expect(await recordIds(conversations, words('room', 'agent'))).toEqual(['AS-2'])
      expect(await recordIds(conversations, words('TWO room a'))).toEqual(['AS-1', 'AS-2'])
      expect(await recordIds(conversations, words('two room', 'user'))).toEqual([])
      expect(await recordIds(conversations, words('room breakfast'))).toEqual([])
      expect(await recordIds(conversations, words('roo'))).toEqual([])
    })

    it('SC131 words are those of `turnWords`, whatever the text', async () => {
      const turns = Object.fromEntries(
        TEXTS.map((text, index) => [`AS-${index}`, [said(text, TEXTS[(index + 1) % TEXTS.length])]]),
      )
      const conversations = await open(
        Object.fromEntries(Object.entries(turns).map(([id, own]) => [id, { turns: own }])),
      )
      const every = [...new Set(TEXTS.flatMap(wordsOf)), 'nowhere']
      for (const speaker of ['user', 'agent', 'either'] as const) {
        for (const [index, word] of every.entries()) {
          for (const condition of [[word], [word, every[(index + 1) % every.length] ?? word]]) {
            const expected = Object.entries(turns).flatMap(([id, own]) =>
              holdWords(own, { words: condition, speaker }) ? [id] : [],
            )
            const filter = { words: { words: condition, speaker } }
            expect(await recordIds(conversations, filter), condition.join(' ')).toEqual(expected)
          }
        }
      }
    })

    it('SC132 a search has the list’s filters, order and pages, and follows every write', async () => {
      const at = (day: number, values: ConversationFixture = {}): ConversationFixture => ({
        startedAt: START + day * DAY,
        turns: [said('hello')],
        ...values,
      })
      const conversations = await open({
        'AS-9': at(0),
        'AS-5': at(0),
        'AS-1': at(400, { index: { channel: 'CHAT' } }),
        'AS-sandbox': at(0, { environment: 'sandbox' }),
        'AS-debug': at(0, { index: { listed: false } }),
      })
      const late = aConversation('AS-7', { startedAt: START + 1 })
      await conversations.create(late)
      expect(await recordIds(conversations, words('hello'))).toEqual(['AS-5', 'AS-9', 'AS-1'])
      await conversations.append(anAppend(late, 1, { turns: [said('', 'hello hello')] }))
      const all = ['AS-5', 'AS-9', 'AS-7', 'AS-1']
      expect(await recordIds(conversations, words('hello'))).toEqual(all)
      for (let offset = 0; offset <= all.length; offset++) {
        const page = await conversations.records.list({ ...LIVE, ...words('hello') }, { offset }, 2)
        expect(page.records.map(({ id }) => id)).toEqual(all.slice(offset, offset + 2))
        expect(page.more).toBe(offset + 2 < all.length)
      }
      const after = { after: { startedAt: START, id: 'AS-5' } }
      expect(await recordIds(conversations, words('hello'), after, 2)).toEqual(['AS-9', 'AS-7'])
      const narrow = { ...words('hello'), startTime: START + 1, endTime: START + 400 * DAY }
      expect(await recordIds(conversations, narrow)).toEqual(['AS-7'])
      for (const channel of ['CHAT', 'chat', 'Chat'])
        expect(await recordIds(conversations, { ...words('hello'), channels: [channel] })).toEqual(['AS-1'])
      // Moved to another day, and hidden.
      await conversations.append(anAppend(late, 2, { index: { startedAt: START + 500 * DAY } }))
      expect(await recordIds(conversations, words('hello'))).toEqual(['AS-5', 'AS-9', 'AS-1', 'AS-7'])
      await conversations.append(anAppend(late, 3, { index: { listed: false } }))
      expect(await recordIds(conversations, words('hello'))).toEqual(['AS-5', 'AS-9', 'AS-1'])
    })

    it('SC133 what was removed is found no more, nor by those that come after it', async () => {
      const finished = { index: { finishedAt: START }, turns: [said('secret')] }
      const conversations = await open({ 'AS-1': finished, 'AS-2': finished })
      await conversations.removals.remove(LIVE.accountId, LIVE.agentId, aConversation('AS-1').conversationId)
      expect(await recordIds(conversations, words('secret'))).toEqual(['AS-2'])
      await conversations.removals.removeFinished(LIVE, START + 1, 10)
      expect(await recordIds(conversations, words('secret'))).toEqual([])
      await conversations.create(aConversation('AS-3', { turns: [said('public'), said('open')] }))
      expect(await recordIds(conversations, words('secret'))).toEqual([])
      expect(await recordIds(conversations, words('open'))).toEqual(['AS-3'])
    })

    it('SC134 a sample is of the filter’s records, each once, in order, every one as likely as any other', async () => {
      const ids = Array.from({ length: 12 }, (_, index) => `AS-${10 + index}`)
      const conversations = await open({
        ...Object.fromEntries(ids.map(id => [id, { turns: [said('hello')] }])),
        'AS-other': { environment: 'sandbox' },
        'AS-early': { startedAt: START - 1 },
      })
      const filter = { ...LIVE, startTime: START }
      const draw = async (limit: number, more: Partial<RecordFilter> = {}) =>
        (await conversations.records.sample({ ...filter, ...more }, limit)).map(({ id }) => id)
      expect(await draw(12)).toEqual(ids)
      expect(await draw(99, words('hello'))).toEqual(ids)
      expect(await draw(99, words('nowhere'))).toEqual([])
      expect(await draw(99, { endTime: START })).toEqual([])
      for (const more of [{}, words('hello')]) {
        const drawn = new Map<string, number>()
        for (let round = 0; round < 600; round++) {
          const sample = await draw(4, more)
          expect(sample).toEqual([...new Set(sample)].sort())
          expect(sample).toHaveLength(4)
          for (const id of sample) drawn.set(id, (drawn.get(id) ?? 0) + 1)
        }
        // Drawn 200 times each, with a deviation of 11.5: seven of them are never seen.
        for (const id of ids) expect(Math.abs((drawn.get(id) ?? 0) - 200)).toBeLessThan(81)
      }
      const [record] = await conversations.records.sample(filter, 1)
      const listed = await conversations.records.list(filter, { offset: 0 }, 12)
      const places = listed.records.map(({ id, startedAt }) => ({ id, startedAt }))
      expect(places).toContainEqual(record)
    })
  })
}
