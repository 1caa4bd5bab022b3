import { describe, expect, it } from 'vitest'
import { projectRecord } from '../../../domain/conversation/project-record.ts'
import type { StoredTurn } from '../../../domain/conversation/record.ts'
import type { RecordPageStart } from '../../../ports/store/records.ts'
import { aConversation, anAppend, type ConversationFixture } from '../../conversation-fixtures.ts'
import { ACCOUNT, AGENT } from '../../fixtures.ts'
import { pageTexts, recordTexts, turnTexts } from './json-texts.ts'
import { LIVE } from './record-ids.ts'
import { openForTest, type StoreFactory } from './tools.ts'

const ID = 'C-1'

/** A turn whose record has about that many bytes; of two bytes a character, so that characters are not bytes. */
const long = (bytes: number, name = ''): StoredTurn => ({
  record: { user_input: name, agent_response: 'é'.repeat(bytes / 2) },
  details: { name },
})

/** Rules SC150 to SC159: records and turns are read within a number of bytes. */
export function describeRecordSlices(factory: StoreFactory): void {
  const open = async (created: Readonly<Record<string, ConversationFixture>> = {}) => {
    const { conversations } = await openForTest(factory)
    for (const [id, values] of Object.entries(created)) await conversations.create(aConversation(id, values))
    return conversations
  }
  const FINISHED = { index: { finishedAt: 1_800_000_000_000 } } as const

  describe('slices of records', () => {
    it.each([
      ['finished', FINISHED],
      ['in progress', {}],
    ])(
      'SC150 a page ends where its records (%s) would have more bytes, but holds one at least',
      async (_, more) => {
        const sizes = [1_000, 1_000, 1_000, 9_000, 1_000, 1_000]
        const conversations = await open(
          Object.fromEntries(sizes.map((bytes, index) => [`C-${index}`, { ...more, turns: [long(bytes)] }])),
        )
        const walk = async (bytes: number, limit = 100) => {
          const pages: string[] = []
          let from: RecordPageStart = { offset: 0 }
          for (;;) {
            const page = await conversations.records.list(LIVE, from, limit, bytes)
            pages.push(page.records.map(({ id }) => id.slice(2)).join(''))
            const last = page.records.at(-1)
            if (!page.more || last === undefined) return pages
            from = { after: { startedAt: last.startedAt, id: last.id } }
          }
        }
        // What a record has beside its turn is about 600 bytes.
        expect(await walk(4_500)).toEqual(['01', '234', '5'])
        expect(await walk(14_000)).toEqual(['012', '345'])
        expect(await walk(1)).toEqual(['0', '1', '2', '3', '4', '5'])
        expect(await walk(100_000)).toEqual(['012345'])
        expect(await walk(100_000, 2)).toEqual(['01', '23', '45'])
        expect((await conversations.records.list(LIVE, { offset: 0 }, 100)).more).toBe(false)
      },
    )

    it('SC150 so does a page of a search', async () => {
      const conversations = await open(
        Object.fromEntries(['C-1', 'C-2', 'C-3'].map(id => [id, { turns: [long(2_000, 'needle')] }])),
      )
      const words = { words: ['needle'], speaker: 'user' } as const
      const page = await conversations.records.list({ ...LIVE, words }, { offset: 0 }, 100, 7_000)
      expect([page.records.map(({ id }) => id), page.more]).toEqual([['C-1', 'C-2'], true])
    })

    it.each([
      ['finished', FINISHED],
      ['in progress', {}],
    ])('SC151 turns of more bytes than that are left out: of a conversation that is %s', async (_, more) => {
      const turns = Array.from({ length: 8 }, (_, index) => long(1_000, `${index}`))
      const created = aConversation(ID, { ...more, turns })
      const conversations = await open()
      await conversations.create(created)
      const whole = JSON.stringify(turns.map(({ record }) => record))
      const bytes = new TextEncoder().encode(whole).length
      const read = async (limit?: number) => {
        const found = await conversations.records.find(ACCOUNT, AGENT, ID, limit)
        return found && recordTexts(found)
      }
      expect(await read()).toMatchObject({ turns: whole })
      expect(await read(bytes)).toMatchObject({ turns: whole })
      const without = { summary: JSON.stringify(projectRecord(created.state).summary), turns: null }
      expect(await read(bytes - 1)).toMatchObject(without)
      const listed = await conversations.records.list(LIVE, { offset: 0 }, 9, bytes - 1)
      expect(pageTexts(listed)).toMatchObject({ records: [{ id: ID, ...without }], more: false })
    })

    it('SC152 turns come page by page within the bytes, one at least, in their order', async () => {
      const sizes = [1_000, 1_000, 9_000, 1_000, 1_000, 1_000]
      const turns = sizes.map((bytes, index) => long(bytes, `${index}`))
      const created = aConversation(ID, { turns: turns.slice(0, 2) })
      const conversations = await open({ 'C-2': { turns: [long(50, 'other')] } })
      await conversations.create(created)
      await conversations.append(anAppend(created, 1, { turns: turns.slice(2) }))
      const page = async (after: number, bytes: number) => {
        const found = await conversations.turnPage(ID, after, bytes)
        return [found.turns.map(({ details }) => details.value.name).join(''), found.more]
      }
      expect(await page(0, 3_000)).toEqual(['01', true])
      expect(await page(2, 3_000)).toEqual(['2', true])
      expect(await page(3, 3_000)).toEqual(['34', true])
      expect(await page(5, 3_000)).toEqual(['5', false])
      expect(await page(1, 1)).toEqual(['1', true])
      expect(await page(0, 100_000)).toEqual(['012345', false])
      expect(await page(6, 100_000)).toEqual(['', false])
      const all = (await conversations.turnPage(ID, 0, 100_000)).turns
      const text = ({ record, details }: StoredTurn) => ({
        record: JSON.stringify(record),
        details: JSON.stringify(details),
      })
      expect(turnTexts(all)).toEqual(turns.map(text))
      expect(await conversations.turnPage('none', 0, 1_000)).toEqual({ turns: [], more: false })
    })

    it('SC153 of the newest turns come those that fit into the bytes, one at least', async () => {
      const turns = [1_000, 9_000, 1_000, 1_000].map((bytes, index) => long(bytes, `${index}`))
      const conversations = await open({ [ID]: { turns } })
      const newest = async (limit: number, bytes?: number) =>
        (await conversations.turns(ID, limit, bytes)).map(({ details }) => details.name).join('')
      expect(await newest(9, 3_000)).toBe('23')
      expect(await newest(9, 11_500)).toBe('123')
      expect(await newest(1, 11_500)).toBe('3')
      expect(await newest(9, 1)).toBe('3')
      expect(await newest(9)).toBe('0123')
      expect(await newest(0, 1)).toBe('')
    })

    it.each([
      ['finished', FINISHED],
      ['in progress', {}],
    ])(
      'SC154 JSON is there as a text and as its value, whichever is asked for first: of a conversation that is %s',
      async (_, more) => {
        const turns = [long(100, `it's "one" \u2028`), long(100, 'two')]
        const created = aConversation(ID, { ...more, turns })
        const conversations = await open()
        await conversations.create(created)
        const { summary, details } = projectRecord(created.state)
        const records = turns.map(turn => turn.record)
        const read = async () => {
          const found = await conversations.records.find(ACCOUNT, AGENT, ID)
          const page = await conversations.turnPage(ID, 0, 100_000)
          return [
            found?.summary,
            found?.details,
            found?.turns,
            ...page.turns.flatMap(one => [one.record, one.details]),
          ]
        }
        const written = [summary, details, records, ...turns.flatMap(one => [one.record, one.details])]
        const texts = written.map(value => JSON.stringify(value))
        const valueFirst = await read()
        expect(valueFirst.map(json => json?.value)).toEqual(written)
        expect(valueFirst.map(json => json?.text)).toEqual(texts)
        const textFirst = await read()
        expect(textFirst.map(json => json?.text)).toEqual(texts)
        expect(textFirst.map(json => json?.value)).toEqual(written)
      },
    )
  })
}
