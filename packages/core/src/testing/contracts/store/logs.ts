import { describe, expect, it } from 'vitest'
import { eventOf } from '../../../domain/conversation/event.ts'
import type { ConversationWrite } from '../../../ports/store/conversations.ts'
import { aConversation, anAppend, anEvent, aTurn } from '../../conversation-fixtures.ts'
import { textOf } from './json-texts.ts'
import { eventsOf } from './stored.ts'
import { openForTest, type StoreFactory } from './tools.ts'

const ID = 'AS-1'

/** Rules SC20 to SC29: reading the log and the turns. */
export function describeLogs(factory: StoreFactory): void {
  /** A conversation of six events and four turns, written in three steps, among others that are written in between. */
  const open = async () => {
    const { conversations } = await openForTest(factory)
    const event = (name: string) => anEvent({ id: name })
    let mine: ConversationWrite = aConversation(ID, { events: [event('1')], turns: [aTurn('1')] })
    let other: ConversationWrite = aConversation('AS-2', { events: [event('x')], turns: [aTurn('x')] })
    await conversations.create(mine)
    await conversations.create(other)
    const steps = [
      { events: [event('2'), event('3'), event('4')], turns: [aTurn('2')] },
      { events: [event('5'), event('6')], turns: [aTurn('3'), aTurn('4')] },
    ]
    for (const [index, step] of steps.entries()) {
      const here = anAppend(mine, index + 1, step)
      const there = anAppend(other, index + 1, { events: [event('x')], turns: [aTurn('x')] })
      await Promise.all([conversations.append(here), conversations.append(there)])
      mine = here
      other = there
    }
    const ids = async (after: number) => (await eventsOf(conversations, ID, after)).map(({ id }) => id)
    return { conversations, ids }
  }

  describe('logs', () => {
    it('SC25 an event is found by each of its client ids, and by the first known one of several', async () => {
      const { conversations } = await openForTest(factory)
      const two = { id: '2', clientEventId: 'a', localId: 'b' }
      const events = [anEvent({ id: '1' }), anEvent(two), anEvent({ id: '3', clientEventId: 'c' })]
      const created = aConversation(ID, { events })
      await conversations.create(created)
      await conversations.create(aConversation('AS-2', { events: [anEvent({ clientEventId: 'there' })] }))
      const append = anAppend(created, 1, {
        events: [anEvent({ id: '4', clientEventId: null, localId: 'd' })],
      })
      await conversations.append(append)
      const found = async (...ids: readonly string[]) => (await conversations.clientEvent(ID, ids))?.id
      expect(await Promise.all(['a', 'b', 'c', 'd'].map(id => found(id)))).toEqual(['2', '2', '3', '4'])
      expect(await found('new', 'd', 'a')).toBe('4')
      expect(await conversations.clientEvent(ID, ['b'])).toEqual({ ...anEvent(two), sequence: 2 })
      for (const ids of [[], ['new'], ['there'], ['A']]) {
        expect(await conversations.clientEvent(ID, ids)).toBeNull()
      }
      expect(await conversations.clientEvent('AS-3', ['a'])).toBeNull()
    })

    it('SC229 after a place that no log reaches, however far, pages of events and turns are empty', async () => {
      const { conversations } = await open()
      for (const after of [
        2 ** 31 - 2,
        2 ** 31 - 1,
        2 ** 31,
        2 ** 32,
        10 ** 15 - 1,
        Number.MAX_SAFE_INTEGER,
      ]) {
        const events = await conversations.eventPage(ID, after, { count: 9, bytes: 9 })
        expect(events, `after ${after}`).toMatchObject({ events: [], more: false })
        const { turns } = await conversations.turnPage(ID, after, 1_000)
        expect(turns, `after ${after}`).toEqual([])
      }
    })

    it('SC26 a page holds what follows a sequence, up to a count, and says whether more follows', async () => {
      const { conversations } = await open()
      const page = async (after: number, count: number) => {
        const { events, more } = await conversations.eventPage(ID, after, { count, bytes: 1_000_000 })
        return [events.map(({ id }) => id).join(' '), more]
      }
      expect(await page(0, 6)).toEqual(['1 2 3 4 5 6', false])
      expect(await page(0, 100)).toEqual(['1 2 3 4 5 6', false])
      expect(await page(0, 5)).toEqual(['1 2 3 4 5', true])
      expect(await page(2, 2)).toEqual(['3 4', true])
      expect(await page(4, 2)).toEqual(['5 6', false])
      expect(await page(5, 0)).toEqual(['6', false])
      expect(await page(6, 3)).toEqual(['', false])
      expect(await page(99, 3)).toEqual(['', false])
      const { events } = await conversations.eventPage(ID, 2, { count: 2, bytes: 1_000_000 })
      expect(events.map(eventOf)).toEqual((await eventsOf(conversations, ID, 2)).slice(0, 2))
      expect(await conversations.eventPage('AS-', 0, { count: 9, bytes: 9 })).toEqual({
        events: [],
        more: false,
        version: null,
      })
    })

    it('SC188 the version is that of the conversation as it would be loaded', async () => {
      const { conversations } = await openForTest(factory)
      const made = aConversation(ID, { events: [anEvent({ id: '1' })] })
      const versions = async () => [
        await conversations.version(ID),
        (await conversations.load(ID))?.version ?? null,
      ]
      expect(await versions()).toEqual([null, null])
      await conversations.create(made)
      expect(await versions()).toEqual([1, 1])
      await conversations.append(anAppend(made, 1, { events: [] }))
      await conversations.append(anAppend(made, 1, { events: [anEvent({ id: 'lost' })] }))
      expect(await versions()).toEqual([2, 2])
      const { accountId, agentId } = made.index
      const event = { eventId: 'EVENT-1', conversationId: made.conversationId, accountId, agentId }
      await conversations.externalEvents.expect(event)
      const before = (await conversations.version(ID)) ?? 0
      await conversations.externalEvents.accept({
        ...{ eventId: 'EVENT-1', accountId, agentId, contentType: 'text/plain' },
        ...{ body: new Uint8Array([1]), receivedAt: 1 },
      })
      const [version, loaded] = await versions()
      expect(version).toBe(loaded)
      // It waits for the conversation, of which a kept state would not tell.
      expect(version).toBeGreaterThan(before)
    })

    it('SC187 a page says the version of the conversation, whatever the page holds', async () => {
      const { conversations } = await openForTest(factory)
      const made = aConversation(ID, { events: [anEvent({ id: '1' })] })
      await conversations.create(made)
      const versions = async () => {
        const loaded = await conversations.load(ID)
        const pages = [0, 1, 99].map(after => conversations.eventPage(ID, after, { count: 9, bytes: 9 }))
        return [loaded?.version, ...(await Promise.all(pages)).map(({ version }) => version)]
      }
      expect(await versions()).toEqual([1, 1, 1, 1])
      await conversations.append(anAppend(made, 1, { events: [] }))
      expect(await versions()).toEqual([2, 2, 2, 2])
      const many = Array.from({ length: 300 }, (_, index) => anEvent({ id: `more ${index}` }))
      await conversations.append(anAppend(made, 2, { events: many }))
      expect(await versions()).toEqual([3, 3, 3, 3])
    })

    it('SC155 the payload of an event comes as its text and as its value, whatever it holds', async () => {
      const { conversations } = await openForTest(factory)
      const payloads = [
        {},
        { text: 'line\nline\r\n\u001e\u2028 "é" \\ 🙂 \ud800' },
        { payload: { payload: [] }, custom: null, clientEventId: '', sequence: 9, at: 0, 2: 1, 1: 2 },
        { text: '},"payload":\n{"text":""}', list: [1, null, { '': true }] },
      ]
      const events = payloads.map((payload, index) =>
        anEvent({
          id: `${index}"`,
          payload,
          custom: { custom: 'null', payload: '{}', ',"payload":\n': '\n' },
        }),
      )
      await conversations.create(aConversation(ID, { events }))
      const page = await conversations.eventPage(ID, 0, { count: 10, bytes: 1_000_000 })
      expect(page.events.map(eventOf)).toEqual(
        events.map((event, index) => ({ ...event, sequence: index + 1 })),
      )
      expect(page.events.map(({ payload }) => textOf(payload))).toEqual(
        payloads.map(payload => JSON.stringify(payload)),
      )
    })

    it('SC26 a page ends before the event that would bring it over its bytes, and holds one at least', async () => {
      const { conversations } = await openForTest(factory)
      // Of two bytes each, so that characters are not bytes.
      const lengths = [1_000, 1_000, 1_000, 50_000, 1_000, 1_000]
      const events = lengths.map((length, index) =>
        anEvent({ id: `${index + 1}`, payload: { text: 'é'.repeat(length / 2) } }),
      )
      await conversations.create(aConversation(ID, { events }))
      const page = async (after: number, bytes: number) => {
        const found = await conversations.eventPage(ID, after, { count: 100, bytes })
        return [found.events.map(({ id }) => id).join(' '), found.more]
      }
      // What an event has beside its text is far below 400 bytes.
      expect(await page(0, 2_900)).toEqual(['1 2', true])
      expect(await page(0, 10_000)).toEqual(['1 2 3', true])
      expect(await page(1, 1)).toEqual(['2', true])
      expect(await page(3, 10_000)).toEqual(['4', true])
      expect(await page(4, 10_000)).toEqual(['5 6', false])
      expect(await page(0, 100_000)).toEqual(['1 2 3 4 5 6', false])
    })

    it('SC26 page after page gives a log of thousands, whatever the steps it was written in', async () => {
      const { conversations } = await openForTest(factory)
      const many = (from: number, length: number) =>
        Array.from({ length }, (_, index) =>
          anEvent({ id: `${from + index}`, clientEventId: `c-${from + index}` }),
        )
      let written: ConversationWrite = aConversation(ID, { events: many(1, 100) })
      await conversations.create(written)
      await conversations.create(aConversation('AS-2', { events: many(1, 70) }))
      for (let version = 1, length = 100; length < 2_000; version++) {
        const append = anAppend(written, version, { events: many(length + 1, (version % 7) * 20 + 1) })
        length += append.events.length
        expect(await conversations.append(append)).toEqual({ status: 'appended' })
        written = append
      }
      const whole = await eventsOf(conversations, ID, 0)
      for (const { from, count } of [
        { from: 0, count: 500 },
        { from: 31, count: 1 },
        { from: 1_000, count: 33 },
      ]) {
        const read = []
        let after = from
        for (let more = true, pages = 0; more && pages < 100; pages++) {
          const page = await conversations.eventPage(ID, after, { count, bytes: 20_000 })
          expect(page.events.length).toBeLessThanOrEqual(count)
          read.push(...page.events.map(eventOf))
          after = read.at(-1)?.sequence ?? after
          more = page.more
        }
        expect(read).toEqual(whole.slice(from, from + read.length))
        if (count > 1) expect(read).toHaveLength(whole.length - from)
      }
      for (const sequence of [1, 31, 32, 33, 63, 64, 65, 1_024, 1_999])
        expect((await conversations.clientEvent(ID, [`c-${sequence}`]))?.sequence).toBe(sequence)
    })

    it('SC20 events after a sequence come in ascending order', async () => {
      const { conversations, ids } = await open()
      expect(await ids(0)).toEqual(['1', '2', '3', '4', '5', '6'])
      expect(await ids(2)).toEqual(['3', '4', '5', '6'])
      expect(await ids(5)).toEqual(['6'])
      expect((await eventsOf(conversations, ID, 3)).map(event => event.sequence)).toEqual([4, 5, 6])
    })

    it('SC21 nothing comes after the newest event, nor of an unknown conversation', async () => {
      const { conversations, ids } = await open()
      expect(await ids(6)).toEqual([])
      expect(await ids(99)).toEqual([])
      expect(await eventsOf(conversations, 'AS-', 0)).toEqual([])
      expect(await conversations.turns('AS-')).toEqual([])
    })

    it('SC23 turns come in order; with a limit the newest of them', async () => {
      const { conversations } = await open()
      expect(await conversations.turns(ID)).toEqual(['1', '2', '3', '4'].map(aTurn))
      expect(await conversations.turns(ID, 2)).toEqual(['3', '4'].map(aTurn))
      expect(await conversations.turns(ID, 9)).toEqual(['1', '2', '3', '4'].map(aTurn))
      expect(await conversations.turns(ID, 0)).toEqual([])
    })

    it('SC24 a log of thousands of events is whole, written in big and in small steps', async () => {
      const { conversations } = await openForTest(factory)
      const many = (from: number, length: number) =>
        Array.from({ length }, (_, index) =>
          anEvent({ id: `${from + index}`, clientEventId: `c-${from + index}` }),
        )
      let written: ConversationWrite = aConversation(ID, { events: many(1, 2_000) })
      await conversations.create(written)
      for (let version = 1; version <= 100; version++) {
        const append = anAppend(written, version, { events: many(1_991 + version * 10, 10) })
        expect(await conversations.append(append)).toEqual({ status: 'appended' })
        written = append
      }
      const all = await eventsOf(conversations, ID, 0)
      expect(all.map(event => event.id)).toEqual(many(1, 3_000).map(event => event.id))
      expect(all.map(event => event.sequence)).toEqual(all.map((_, index) => index + 1))
      const again = anAppend(written, 101, { events: [anEvent({ clientEventId: 'c-1500' })] })
      expect(await conversations.append(again)).toEqual({ status: 'duplicate', sequence: 1_500 })
    })
  })
}
