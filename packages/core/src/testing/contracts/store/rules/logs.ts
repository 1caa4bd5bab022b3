import { describe, expect, it } from 'vitest'
import { eventOf } from '../../../../domain/conversation/event.ts'
import { projectRecord } from '../../../../domain/conversation/project-record.ts'
import type { StoredTurn } from '../../../../domain/conversation/record.ts'
import type {
  ConversationStore,
  ConversationWrite,
  EventPageBounds,
} from '../../../../ports/store/conversations.ts'
import type { RecordPageStart } from '../../../../ports/store/records.ts'
import { aConversation, anAppend, anEvent, type ConversationFixture } from '../../../conversation-fixtures.ts'
import { ACCOUNT, AGENT } from '../../../fixtures.ts'
import { pageTexts, recordTexts, textOf, turnTexts } from '../json-texts.ts'
import { eventsOf } from '../stored.ts'
import { openForTest, type StoreFactory } from '../tools.ts'

const ID = 'AS-1'
const LIVE = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
/** Records of both are kept in another way. */
const KINDS = [
  ['finished', { index: { finishedAt: 1_800_000_000_000 } }],
  ['in progress', {}],
] as const

/** A turn whose record has about that many bytes; of two bytes a character, so that characters are not bytes. */
const long = (bytes: number, name = ''): StoredTurn => ({
  record: { user_input: name, agent_response: 'é'.repeat(bytes / 2) },
  details: { name },
})

/** Tests of long logs, and pages within a number of bytes (SC20 and SC80). */
export function describeLogs(factory: StoreFactory): void {
  const open = async (
    created: Readonly<Record<string, ConversationFixture>> = {},
  ): Promise<ConversationStore> => {
    const { conversations } = await openForTest(factory)
    for (const [id, values] of Object.entries(created)) await conversations.create(aConversation(id, values))
    return conversations
  }

  describe('logs', () => {
    it('SC20 a log of thousands is whole, in whatever steps it was written, and page by page', async () => {
      const conversations = await open()
      const many = (from: number, length: number) =>
        Array.from({ length }, (_, index) =>
          anEvent({ id: `${from + index}`, clientEventId: `c-${from + index}` }),
        )
      let written: ConversationWrite = aConversation(ID, { events: many(1, 1_000) })
      await conversations.create(written)
      await conversations.create(aConversation('AS-2', { events: many(1, 70) }))
      for (let version = 1, length = 1_000; length < 2_500; version++) {
        const append = anAppend(written, version, { events: many(length + 1, (version % 7) * 20 + 1) })
        length += append.events.length
        expect(await conversations.append(append)).toEqual({ status: 'appended' })
        written = append
      }
      const whole = await eventsOf(conversations, ID, 0)
      const { sequence } = written.state
      expect(whole.map(({ id, sequence }) => [id, sequence])).toEqual(
        Array.from({ length: sequence }, (_, at) => [`${at + 1}`, at + 1]),
      )
      for (const [from, count] of [
        [0, 500],
        [1_000, 33],
      ] as const) {
        const read = []
        for (let after: number = from, more = true; more; ) {
          const page = await conversations.eventPage(ID, after, { count, bytes: 20_000 })
          expect(page.events.length).toBeLessThanOrEqual(count)
          read.push(...page.events.map(eventOf))
          after = read.at(-1)?.sequence ?? after
          more = page.more
        }
        expect(read).toEqual(whole.slice(from))
      }
      for (const at of [1, 31, 32, 33, 1_024, 1_999])
        expect((await conversations.clientEvent(ID, [`c-${at}`]))?.sequence).toBe(at)
    })

    it('SC20 after a place that no log reaches, however far, pages of events and turns are empty', async () => {
      const conversations = await open({ [ID]: { turns: [long(10)] } })
      for (const after of [
        2 ** 31 - 2,
        2 ** 31 - 1,
        2 ** 31,
        2 ** 32,
        10 ** 15 - 1,
        Number.MAX_SAFE_INTEGER,
      ]) {
        const page = await conversations.eventPage(ID, after, { count: 9, bytes: 9 })
        expect(page, `after ${after}`).toEqual({ events: [], more: false, version: 1 })
        expect(await conversations.turnPage(ID, after, 1_000), `after ${after}`).toEqual({
          turns: [],
          more: false,
        })
      }
    })

    it('SC20 events before a place come newest first, as many as the bounds allow, one at least', async () => {
      const events = Array.from({ length: 150 }, (_, at) =>
        anEvent({ id: `${at + 1}`, payload: { text: 'é'.repeat(50) } }),
      )
      const conversations = await open({ [ID]: { events } })
      const read = async (place: number, bounds: Partial<EventPageBounds> = {}) =>
        (await conversations.eventsBefore(ID, place, { count: 1_000, bytes: 1_000_000, ...bounds })).map(
          ({ id, sequence }) => (id === `${sequence}` ? sequence : Number.NaN),
        )
      const down = (from: number, count: number) => Array.from({ length: count }, (_, at) => from - at)
      expect(await read(151)).toEqual(down(150, 150))
      expect(await read(1_000, { count: 3 })).toEqual([150, 149, 148])
      for (const place of [102, 101, 100, 51])
        expect(await read(place, { count: 20 })).toEqual(down(place - 1, 20))
      expect(await read(3)).toEqual([2, 1])
      expect([await read(1), await read(0)]).toEqual([[], []])
      expect(await read(90, { bytes: 1 })).toEqual([89])
      expect((await read(90, { bytes: 1_000 })).length).toBeLessThan(9)
      expect(await conversations.eventsBefore('AS-9', 9, { count: 9, bytes: 9 })).toEqual([])
    })

    it('SC20 a page ends before the event that would bring it over its bytes, and holds one at least', async () => {
      const lengths = [1_000, 1_000, 1_000, 50_000, 1_000, 1_000]
      const events = lengths.map((length, at) =>
        anEvent({ id: `${at + 1}`, payload: { text: 'é'.repeat(length / 2) } }),
      )
      const conversations = await open({ [ID]: { events } })
      const page = async (after: number, bytes: number) => {
        const found = await conversations.eventPage(ID, after, { count: 100, bytes })
        return [found.events.map(({ id }) => id).join(''), found.more]
      }
      // The parts of an event beside its text are far below 400 bytes.
      expect([await page(0, 2_900), await page(0, 10_000), await page(1, 1)]).toEqual([
        ['12', true],
        ['123', true],
        ['2', true],
      ])
      expect([await page(3, 10_000), await page(4, 10_000)]).toEqual([
        ['4', true],
        ['56', false],
      ])
      expect(await page(0, 100_000)).toEqual(['123456', false])
    })

    it('the payload of an event comes as its text and as its value, whatever it holds', async () => {
      const payloads = [
        {},
        { text: 'line\nline\r\n\u001e\u2028 "é" \\ 🙂 \ud800' },
        { payload: { payload: [] }, custom: null, clientEventId: '', sequence: 9, at: 0, 2: 1, 1: 2 },
        { text: '},"payload":\n{"text":""}', list: [1, null, { '': true }] },
      ]
      const custom = { custom: 'null', payload: '{}', ',"payload":\n': '\n' }
      const events = payloads.map((payload, at) => anEvent({ id: `${at}"`, payload, custom }))
      const conversations = await open({ [ID]: { events } })
      const page = await conversations.eventPage(ID, 0, { count: 10, bytes: 1_000_000 })
      expect(page.events.map(eventOf)).toEqual(events.map((event, at) => ({ ...event, sequence: at + 1 })))
      expect(page.events.map(({ payload }) => textOf(payload))).toEqual(
        payloads.map(one => JSON.stringify(one)),
      )
    })
  })

  describe('slices of records', () => {
    for (const [name, more] of KINDS) {
      it(`SC80 a page ends where its records would have more bytes, but holds one at least, also of a search: ${name}`, async () => {
        const sizes = [1_000, 1_000, 1_000, 9_000, 1_000, 1_000]
        const created = sizes.map(
          (bytes, at) => [`C-${at}`, { ...more, turns: [long(bytes, 'needle')] }] as const,
        )
        const conversations = await open(Object.fromEntries(created))
        const walk = async (bytes: number, limit = 100) => {
          const pages: string[] = []
          const filter = { ...LIVE, words: { words: ['needle'], speaker: 'user' } } as const
          for (let from: RecordPageStart = { offset: 0 }; ; ) {
            const page = await conversations.records.list(
              pages.length % 2 === 0 ? LIVE : filter,
              from,
              limit,
              bytes,
            )
            pages.push(page.records.map(({ id }) => id.slice(2)).join(''))
            const last = page.records.at(-1)
            if (!page.more || last === undefined) return pages
            from = { after: { startedAt: last.startedAt, id: last.id } }
          }
        }
        // The parts of a record beside its turn are about 600 bytes.
        expect(await walk(4_500)).toEqual(['01', '234', '5'])
        expect(await walk(14_000)).toEqual(['012', '345'])
        expect(await walk(1)).toEqual(['0', '1', '2', '3', '4', '5'])
        expect([await walk(100_000), await walk(100_000, 2)]).toEqual([['012345'], ['01', '23', '45']])
      })

      it(`SC80 turns of more bytes than that are left out: ${name}`, async () => {
        const turns = Array.from({ length: 8 }, (_, at) => long(1_000, `${at}`))
        const conversations = await open({ [ID]: { ...more, turns } })
        const whole = JSON.stringify(turns.map(({ record }) => record))
        const bytes = new TextEncoder().encode(whole).length
        const read = async (limit?: number) => {
          const found = await conversations.records.find(ACCOUNT, AGENT, ID, limit)
          return found && recordTexts(found).turns
        }
        expect([await read(), await read(bytes), await read(bytes - 1)]).toEqual([whole, whole, null])
        const listed = await conversations.records.list(LIVE, { offset: 0 }, 9, bytes - 1)
        expect(pageTexts(listed)).toMatchObject({ records: [{ id: ID, turns: null }], more: false })
      })

      it(`JSON is there as a text and as its value, whichever is asked for first: ${name}`, async () => {
        const turns = [long(100, `it's "one" \u2028`), long(100, 'two')]
        const created = aConversation(ID, { ...more, turns })
        const conversations = await open()
        await conversations.create(created)
        const read = async () => {
          const found = await conversations.records.find(ACCOUNT, AGENT, ID)
          const page = await conversations.turnPage(ID, 0, 100_000)
          const parts = page.turns.flatMap(({ details, record }) => [record, details])
          return [found?.summary, found?.details, found?.turns, ...parts]
        }
        const { details, summary } = projectRecord(created.state)
        const parts = turns.flatMap(({ details, record }) => [record, details])
        const written = [summary, details, turns.map(({ record }) => record), ...parts]
        const texts = written.map(value => JSON.stringify(value))
        const valueFirst = await read()
        expect(valueFirst.map(json => json?.value)).toEqual(written)
        expect(valueFirst.map(json => json?.text)).toEqual(texts)
        const textFirst = await read()
        expect(textFirst.map(json => json?.text)).toEqual(texts)
        expect(textFirst.map(json => json?.value)).toEqual(written)
      })
    }

    it('SC20 turns come page by page within the bytes, or the newest of them, one at least, in their order', async () => {
      const turns = [1_000, 1_000, 9_000, 1_000, 1_000, 1_000].map((bytes, at) => long(bytes, `${at}`))
      const created = aConversation(ID, { turns: turns.slice(0, 2) })
      const conversations = await open({ 'C-2': { turns: [long(50, 'other')] } })
      await conversations.create(created)
      await conversations.append(anAppend(created, 1, { turns: turns.slice(2) }))
      const page = async (after: number, bytes: number) => {
        const found = await conversations.turnPage(ID, after, bytes)
        return [found.turns.map(({ details }) => details.value.name).join(''), found.more]
      }
      const newest = async (limit: number, bytes?: number) =>
        (await conversations.turns(ID, limit, bytes)).map(({ details }) => details.name).join('')
      expect([await page(0, 3_000), await page(2, 3_000), await page(3, 3_000)]).toEqual([
        ['01', true],
        ['2', true],
        ['34', true],
      ])
      expect([await page(5, 3_000), await page(1, 1)]).toEqual([
        ['5', false],
        ['1', true],
      ])
      expect([await page(0, 100_000), await page(6, 100_000)]).toEqual([
        ['012345', false],
        ['', false],
      ])
      expect(await conversations.turnPage('none', 0, 1_000)).toEqual({ turns: [], more: false })
      expect(turnTexts((await conversations.turnPage(ID, 0, 100_000)).turns)).toEqual(
        turns.map(({ details, record }) => ({
          record: JSON.stringify(record),
          details: JSON.stringify(details),
        })),
      )
      expect([await newest(9, 3_000), await newest(9, 12_500), await newest(1, 12_500)]).toEqual([
        '45',
        '2345',
        '5',
      ])
      expect([await newest(9, 1), await newest(9), await newest(0, 1)]).toEqual(['5', '012345', ''])
    })
  })
}
