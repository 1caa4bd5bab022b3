import { describe, expect, it } from 'vitest'
import { aConversation, anAppend } from '../../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, START } from '../../../fixtures.ts'
import { conversationSnapshot } from '../conversation-snapshot.ts'
import { wakesAt } from '../stored.ts'
import { openForTest, RACERS, race, type StoreFactory } from '../tools.ts'

const ID = 'AS-1'
const OTHER = { accountId: 'ws-other', agentId: 'PROJECT-OTHER' }
const bytes = (text: string) => new TextEncoder().encode(text)

/** Returns an event for an event id of the usual account and agent. */
const arrival = (
  eventId: string,
  values: { receivedAt?: number; body?: Uint8Array; contentType?: string } = {},
) => ({
  ...{ eventId, accountId: ACCOUNT, agentId: AGENT, contentType: 'application/json' },
  ...{ body: bytes(`{"id":"${eventId}"}`), receivedAt: START + 10, ...values },
})

/** Tests of external events (SC40). */
export function describeExternalEvents(factory: StoreFactory): void {
  /** Returns a store with the conversation `AS-1`, which waits for these events. */
  const open = async (eventIds: readonly string[], wakeAt: number | null = null) => {
    const { conversations } = await openForTest(factory)
    const { externalEvents } = conversations
    const created = aConversation(ID, { wakeAt })
    await conversations.create(created)
    const reserve = (eventId: string, conversationId = ID, of = { accountId: ACCOUNT, agentId: AGENT }) =>
      externalEvents.expect({ eventId, conversationId, ...of })
    for (const eventId of eventIds) expect(await reserve(eventId)).toBe('expected')
    return { conversations, created, externalEvents, reserve }
  }

  describe('external events', () => {
    it('SC40 an id is reserved for one conversation, which is there, as often as it asks, and that is no write', async () => {
      const { conversations, externalEvents, reserve } = await open(['x'])
      await conversations.create(aConversation('AS-2'))
      expect([await reserve('x'), await reserve('x', 'AS-2'), await reserve('x', 'AS-2', OTHER)]).toEqual([
        'expected',
        'taken',
        'taken',
      ])
      expect([await reserve('y', 'AS-3'), await reserve('x', 'AS-3')]).toEqual(['missing', 'taken'])
      expect(new Set(await race(() => reserve('raced')))).toEqual(new Set(['expected']))
      expect(await conversations.load(ID)).toMatchObject({ version: 1, pendingExternalEvents: [] })
      for (const id of ['x', 'raced']) {
        expect(await externalEvents.accept(arrival(id))).toEqual({ status: 'accepted', conversationId: ID })
        expect(await reserve(id)).toBe('expected')
        expect(await externalEvents.accept(arrival(id))).toMatchObject({ status: 'duplicate' })
      }
      expect(await conversations.load(ID)).toMatchObject({
        version: 3,
        pendingExternalEvents: ['x', 'raced'],
      })
    })

    it('SC40 the first one is kept, pending, and grows the version by one; later ones are duplicates and keep nothing', async () => {
      const { conversations, externalEvents } = await open(['x'])
      const before = await conversations.load(ID)
      expect(await externalEvents.find('x')).toBeNull()
      expect(await externalEvents.accept(arrival('x'))).toEqual({ status: 'accepted', conversationId: ID })
      expect(await conversations.load(ID)).toEqual({ ...before, version: 2, pendingExternalEvents: ['x'] })
      const { accountId: _, agentId: _agent, ...kept } = { ...arrival('x'), conversationId: ID }
      const found = await externalEvents.find('x')
      expect({ ...found, body: Uint8Array.from(found?.body ?? []) }).toEqual(kept)
      const snapshot = await conversationSnapshot(conversations, ID)
      const later = arrival('x', { body: bytes('later'), contentType: 'text/plain', receivedAt: START })
      expect(await externalEvents.accept(later)).toEqual({ status: 'duplicate', conversationId: ID })
      expect(await externalEvents.find('x')).toEqual(found)
      expect(await conversationSnapshot(conversations, ID)).toEqual(snapshot)
      expect(await wakesAt(conversations, START + 10)).toBe(true)
    })

    it('SC40 an id that is not reserved for that account and agent is unknown, and nothing is kept', async () => {
      const { conversations, externalEvents } = await open(['x'])
      const before = await conversationSnapshot(conversations, ID)
      const strangers = ['y', 'X', 'x ', '%', '_'].map(id => arrival(id))
      const others = [{ accountId: 'ws-other' }, { agentId: 'PROJECT-OTHER' }].map(other => ({
        ...arrival('x'),
        ...other,
      }))
      for (const stranger of [...strangers, ...others])
        expect(await externalEvents.accept(stranger)).toEqual({ status: 'unknown' })
      expect([await externalEvents.find('x'), await externalEvents.find('y')]).toEqual([null, null])
      expect(await conversationSnapshot(conversations, ID)).toEqual(before)
      expect(await wakesAt(conversations, null)).toBe(true)
      await externalEvents.accept(arrival('x'))
      for (const other of others) expect(await externalEvents.accept(other)).toEqual({ status: 'unknown' })
    })

    it('SC40 an arrival wakes the conversation when it comes, unless it is woken earlier', async () => {
      for (const [wakeAt, expected] of [
        [null, START + 10],
        [START + 99, START + 10],
        [START + 5, START + 5],
      ] as const) {
        const { conversations, externalEvents } = await open(['x'], wakeAt)
        await externalEvents.accept(arrival('x'))
        expect(await wakesAt(conversations, expected)).toBe(true)
        expect(await conversations.timers.claimDue(START + 10, 9, START + 50)).toEqual([ID])
      }
    })

    it('SC40 pending ones come in the order of their arrival, until a write that has seen them delivers them; their ids stay used', async () => {
      const { conversations, created, externalEvents } = await open(['a', 'b', 'c', 'never'])
      for (const [index, eventId] of ['c', 'a', 'b'].entries())
        await externalEvents.accept(arrival(eventId, { receivedAt: START + 50 - index }))
      const pending = { version: 4, pendingExternalEvents: ['c', 'a', 'b'] }
      expect(await conversations.load(ID)).toMatchObject(pending)
      const stale = anAppend(created, 1, { deliveredExternalEvents: ['c'], wakeAt: null })
      expect(await conversations.append(stale)).toEqual({ status: 'stale' })
      expect(await conversations.load(ID)).toMatchObject(pending)
      expect(await wakesAt(conversations, START + 48)).toBe(true)
      const append = anAppend(created, 4, { deliveredExternalEvents: ['b', 'c'] })
      expect(await conversations.append(append)).toEqual({ status: 'appended' })
      expect(await conversations.load(ID)).toMatchObject({ version: 5, pendingExternalEvents: ['a'] })
      expect(await externalEvents.find('b')).toMatchObject({ eventId: 'b', conversationId: ID })
      expect(await externalEvents.accept(arrival('b'))).toEqual({ status: 'duplicate', conversationId: ID })
      await conversations.append(anAppend(append, 5, { deliveredExternalEvents: ['a'] }))
      expect(await conversations.load(ID)).toMatchObject({ version: 6, pendingExternalEvents: [] })
    })

    it('SC40 whichever of an append and racing arrivals comes first, every arrival is pending', async () => {
      const eventIds = Array.from({ length: RACERS }, (_, index) => `x${index}`)
      const { conversations, created, externalEvents } = await open(eventIds)
      const append = () => conversations.append(anAppend(created, 1))
      const arrivals = eventIds.map(eventId => externalEvents.accept(arrival(eventId)))
      const [first, second, ...accepted] = await Promise.all([append(), append(), ...arrivals])
      expect(accepted.map(({ status }) => status)).toEqual(eventIds.map(() => 'accepted'))
      const written = [first, second].filter(({ status }) => status === 'appended').length
      const stored = await conversations.load(ID)
      expect(stored?.pendingExternalEvents.toSorted()).toEqual(eventIds)
      expect(stored?.version).toBe(1 + RACERS + written)
    })

    it('SC40 bodies are kept byte for byte: empty, not text, part of a larger buffer, a mebibyte', async () => {
      const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index)
      const bodies = [
        ...[new Uint8Array(0), everyByte, everyByte.subarray(100, 103), bytes('\ufeff{"a":\r\n1}')],
        Uint8Array.of(0xff, 0xfe, 0x00, 0xc3, 0x28, 0xed, 0xa0, 0x80),
        Uint8Array.from({ length: 2 ** 20 }, (_, index) => (index * 7) % 251),
      ]
      const { externalEvents } = await open(bodies.map((_, index) => `x${index}`))
      for (const [index, body] of bodies.entries()) {
        await externalEvents.accept(arrival(`x${index}`, { body }))
        const kept = (await externalEvents.find(`x${index}`))?.body
        expect(Buffer.from(kept ?? []).equals(body)).toBe(true)
      }
    })
  })
}
