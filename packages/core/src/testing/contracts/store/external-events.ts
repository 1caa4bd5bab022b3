import { describe, expect, it } from 'vitest'
import type { ConversationWrite } from '../../../ports/store/conversations.ts'
import { aConversation, anAppend } from '../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, START } from '../../fixtures.ts'
import { conversationSnapshot } from './conversation-snapshot.ts'
import { eventsOf, wakesAt } from './stored.ts'
import { HARD_STRINGS, openForTest, RACERS, race, type StoreFactory } from './tools.ts'

const ID = 'AS-1'
const bytes = (text: string) => new TextEncoder().encode(text)

/** What came for an event id of the usual account and agent. */
const arrival = (
  eventId: string,
  values: { receivedAt?: number; body?: Uint8Array; contentType?: string } = {},
) => ({
  eventId,
  accountId: ACCOUNT,
  agentId: AGENT,
  contentType: 'application/json',
  body: bytes(`{"id":"${eventId}"}`),
  receivedAt: START + 10,
  ...values,
})

/** Rules SC40 to SC49: external events. */
export function describeExternalEvents(factory: StoreFactory): void {
  /** A store with the conversation `AS-1`, which waits for these events. */
  const open = async (eventIds: readonly string[], wakeAt: number | null = null) => {
    const { conversations } = await openForTest(factory)
    const created: ConversationWrite = aConversation(ID, { wakeAt })
    await conversations.create(created)
    const expectEvent = (eventId: string, conversationId = ID) =>
      conversations.externalEvents.expect({ eventId, conversationId, accountId: ACCOUNT, agentId: AGENT })
    for (const eventId of eventIds) expect(await expectEvent(eventId)).toBe('expected')
    return { conversations, created, expectEvent }
  }

  describe('external events', () => {
    it('SC40 a reserved id is taken for every other conversation, and reserving is no write', async () => {
      const { conversations, expectEvent } = await open(['x'])
      const other = { accountId: 'ws-other', agentId: 'PROJECT-OTHER' }
      expect(await expectEvent('x')).toBe('expected')
      const next = aConversation('AS-2')
      await conversations.create(next)
      expect(await expectEvent('x', next.conversationId)).toBe('taken')
      expect(
        await conversations.externalEvents.expect({ eventId: 'x', conversationId: 'AS-2', ...other }),
      ).toBe('taken')
      expect(await conversations.externalEvents.accept(arrival('x'))).toEqual({
        status: 'accepted',
        conversationId: ID,
      })
      expect(await expectEvent('x')).toBe('expected')
      const results = await race(() => expectEvent('raced'))
      expect(new Set(results)).toEqual(new Set(['expected']))
      expect(await conversations.externalEvents.accept(arrival('raced'))).toMatchObject({
        status: 'accepted',
      })
      expect(await conversations.externalEvents.accept(arrival('raced'))).toMatchObject({
        status: 'duplicate',
      })
      expect(await expectEvent('raced')).toBe('expected')
      expect(await conversations.externalEvents.accept(arrival('raced'))).toMatchObject({
        status: 'duplicate',
      })
      expect(await conversations.load(ID)).toMatchObject({
        version: 3,
        pendingExternalEvents: ['x', 'raced'],
      })
    })

    it('SC41 an accepted event is kept, pending, and grows the version by one', async () => {
      const { conversations } = await open(['x'])
      const before = await conversations.load(ID)
      expect(await conversations.externalEvents.find('x')).toBeNull()
      expect(await conversations.externalEvents.accept(arrival('x'))).toEqual({
        status: 'accepted',
        conversationId: ID,
      })
      expect(await conversations.load(ID)).toEqual({ ...before, version: 2, pendingExternalEvents: ['x'] })
      const { body, ...rest } = (await conversations.externalEvents.find('x')) ?? {}
      expect(rest).toEqual({
        eventId: 'x',
        conversationId: ID,
        contentType: 'application/json',
        receivedAt: START + 10,
      })
      expect(body).toBeInstanceOf(Uint8Array)
      expect(Array.from(body ?? [])).toEqual(Array.from(bytes('{"id":"x"}')))
    })

    it('SC42 the first one stands: later ones are duplicates and keep nothing', async () => {
      const { conversations } = await open(['x'])
      await conversations.externalEvents.accept(arrival('x'))
      const before = await conversationSnapshot(conversations, ID)
      const kept = await conversations.externalEvents.find('x')
      const later = arrival('x', { body: bytes('later'), contentType: 'text/plain', receivedAt: START })
      expect(await conversations.externalEvents.accept(later)).toEqual({
        status: 'duplicate',
        conversationId: ID,
      })
      expect(await conversations.externalEvents.find('x')).toEqual(kept)
      expect(await conversationSnapshot(conversations, ID)).toEqual(before)
      expect(await wakesAt(conversations, START + 10)).toBe(true)
    })

    it('SC43 an id that is not reserved for that account and agent is unknown, and nothing is kept', async () => {
      const { conversations } = await open(['x'])
      const before = await conversationSnapshot(conversations, ID)
      const strangers = [
        arrival('y'),
        arrival('X'),
        arrival('x '),
        arrival('%'),
        arrival('_'),
        { ...arrival('x'), accountId: 'ws-other' },
        { ...arrival('x'), agentId: 'PROJECT-OTHER' },
      ]
      for (const stranger of strangers) {
        expect(await conversations.externalEvents.accept(stranger)).toEqual({ status: 'unknown' })
      }
      expect(await conversations.externalEvents.find('x')).toBeNull()
      expect(await conversations.externalEvents.find('y')).toBeNull()
      expect(await conversationSnapshot(conversations, ID)).toEqual(before)
      expect(await wakesAt(conversations, null)).toBe(true)
      await conversations.externalEvents.accept(arrival('x'))
      expect(await conversations.externalEvents.accept(strangers[5] ?? arrival(''))).toEqual({
        status: 'unknown',
      })
    })

    it('SC44 of racing arrivals for one id exactly one is accepted, and its body is the one that is kept', async () => {
      const { conversations } = await open(['x'])
      const results = await race(racer =>
        conversations.externalEvents.accept(arrival('x', { body: bytes(`${racer}`) })),
      )
      const winner = results.findIndex(result => result.status === 'accepted')
      const expected = results.map((_, racer) => (racer === winner ? 'accepted' : 'duplicate'))
      expect(winner).toBeGreaterThanOrEqual(0)
      expect(results.map(result => result.status)).toEqual(expected)
      const event = await conversations.externalEvents.find('x')
      expect(new TextDecoder().decode(event?.body)).toBe(`${winner}`)
      expect(await conversations.load(ID)).toMatchObject({ version: 2, pendingExternalEvents: ['x'] })
    })

    it('SC45 an arrival wakes the conversation when it comes, unless it is woken earlier', async () => {
      for (const [wakeAt, expected] of [
        [null, START + 10],
        [START + 99, START + 10],
        [START + 5, START + 5],
      ] as const) {
        const { conversations } = await open(['x'], wakeAt)
        await conversations.externalEvents.accept(arrival('x'))
        expect(await wakesAt(conversations, expected)).toBe(true)
        expect(await conversations.timers.claimDue(START + 10, 9, START + 50)).toEqual([ID])
      }
    })

    it('SC46 pending events come in the order in which they arrived', async () => {
      const { conversations } = await open(['a', 'b', 'c', 'never'])
      for (const [index, eventId] of ['c', 'a', 'b'].entries()) {
        await conversations.externalEvents.accept(arrival(eventId, { receivedAt: START + 50 - index }))
      }
      expect(await conversations.load(ID)).toMatchObject({
        version: 4,
        pendingExternalEvents: ['c', 'a', 'b'],
      })
      expect(await wakesAt(conversations, START + 48)).toBe(true)
    })

    it('SC47 an append based on what was before an arrival is stale and delivers nothing', async () => {
      const { conversations, created } = await open(['x'])
      await conversations.externalEvents.accept(arrival('x'))
      const append = anAppend(created, 1, { deliveredExternalEvents: ['x'], wakeAt: null })
      expect(await conversations.append(append)).toEqual({ status: 'stale' })
      expect(await conversations.load(ID)).toMatchObject({ version: 2, pendingExternalEvents: ['x'] })
      expect(await wakesAt(conversations, START + 10)).toBe(true)
    })

    it('SC48 a delivered event is pending no longer; it stays readable, and its id stays used', async () => {
      const { conversations, created } = await open(['a', 'b', 'c'])
      for (const eventId of ['a', 'b', 'c']) await conversations.externalEvents.accept(arrival(eventId))
      const append = anAppend(created, 4, { deliveredExternalEvents: ['b', 'a'] })
      expect(await conversations.append(append)).toEqual({ status: 'appended' })
      expect(await conversations.load(ID)).toMatchObject({ version: 5, pendingExternalEvents: ['c'] })
      expect(await conversations.externalEvents.find('a')).toMatchObject({ eventId: 'a', conversationId: ID })
      expect(await conversations.externalEvents.accept(arrival('a'))).toEqual({
        status: 'duplicate',
        conversationId: ID,
      })
      expect(await conversations.append(anAppend(append, 5, { deliveredExternalEvents: ['c'] }))).toEqual({
        status: 'appended',
      })
      expect(await conversations.load(ID)).toMatchObject({ version: 6, pendingExternalEvents: [] })
    })

    it('SC49 whichever of an append and racing arrivals comes first, every arrival is pending', async () => {
      const eventIds = Array.from({ length: RACERS }, (_, index) => `x${index}`)
      const { conversations, created } = await open(eventIds)
      const [first, second, ...accepted] = await Promise.all([
        conversations.append(anAppend(created, 1)),
        conversations.append(anAppend(created, 1)),
        ...eventIds.map(eventId => conversations.externalEvents.accept(arrival(eventId))),
      ])
      expect(accepted.map(result => result.status)).toEqual(eventIds.map(() => 'accepted'))
      const written = [first, second].filter(result => result.status === 'appended').length
      const stored = await conversations.load(ID)
      expect([...(stored?.pendingExternalEvents ?? [])].sort()).toEqual(eventIds)
      expect(stored?.version).toBe(1 + RACERS + written)
      expect(await eventsOf(conversations, ID, 0)).toHaveLength(1 + written)
    })

    it('SC50 bodies are kept byte for byte: empty, not text, part of a larger buffer, a mebibyte', async () => {
      const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index)
      const bodies = [
        new Uint8Array(0),
        everyByte,
        Uint8Array.of(0xff, 0xfe, 0x00, 0xc3, 0x28, 0xed, 0xa0, 0x80),
        everyByte.subarray(100, 103),
        bytes('\ufeff{"a":\r\n1}'),
        Uint8Array.from({ length: 2 ** 20 }, (_, index) => (index * 7) % 251),
      ]
      const { conversations } = await open(bodies.map((_, index) => `x${index}`))
      for (const [index, body] of bodies.entries()) {
        const given = index === 3 ? everyByte.subarray(100, 103) : Uint8Array.from(body)
        await conversations.externalEvents.accept(arrival(`x${index}`, { body: given }))
        const kept = (await conversations.externalEvents.find(`x${index}`))?.body
        expect(Array.from(kept ?? [])).toEqual(Array.from(body))
      }
    })

    it('SC51 event ids and content types are kept as they are', async () => {
      const { conversations } = await open(HARD_STRINGS)
      for (const eventId of HARD_STRINGS) {
        const event = arrival(eventId, { contentType: `text/plain; of=${eventId}`, receivedAt: 0 })
        expect(await conversations.externalEvents.accept(event)).toEqual({
          status: 'accepted',
          conversationId: ID,
        })
        expect(await conversations.externalEvents.find(eventId)).toMatchObject({
          eventId,
          contentType: event.contentType,
          receivedAt: 0,
        })
      }
      expect((await conversations.load(ID))?.pendingExternalEvents).toEqual(HARD_STRINGS)
    })
  })
}
