import { describe, expect, it } from 'vitest'
import type { ConversationStore } from '../../../ports/store/conversations.ts'
import { aConversation, anAppend, anEvent, aTurn } from '../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, START } from '../../fixtures.ts'
import { conversationSnapshot } from './conversation-snapshot.ts'
import { eventsOf, wakesAt } from './stored.ts'
import {
  EXTREME_TIMES,
  frozen,
  HARD_STRINGS,
  openForTest,
  reopenForTest,
  type StoreFactory,
  scribble,
  scribbling,
} from './tools.ts'

const ID = 'AS-1'
const waiting = { id: 'AS-1.1', status: 'waiting', queueName: 'reception', since: START } as const
const reservation = { eventId: 'x', conversationId: ID, accountId: ACCOUNT, agentId: AGENT }
const arrival = { ...reservation, contentType: 'text/plain', receivedAt: START }

/** A conversation of two writes, one pending external event and one that is still expected. */
const original = () => {
  const events = [anEvent({ clientEventId: 'c-1', custom: { a: 'b' }, payload: { deep: [{ er: 1 }] } })]
  const created = aConversation(ID, { events, turns: [aTurn('one')], state: { variables: { a: [1] } } })
  const append = anAppend(created, 1, {
    events: [anEvent({ clientEventId: 'c-2' })],
    turns: [aTurn('two')],
    index: { handoff: waiting, variantId: 'v1', variantName: 'Ritz' },
    wakeAt: START + 60,
  })
  return { created, append }
}

async function write(conversations: ConversationStore): Promise<void> {
  const { created, append } = original()
  await conversations.create(frozen(created))
  await conversations.append(frozen(append))
  await conversations.externalEvents.expect(frozen(reservation))
  await conversations.externalEvents.expect(frozen({ ...reservation, eventId: 'later' }))
  await conversations.externalEvents.accept(frozen({ ...arrival, body: Uint8Array.of(1, 2, 3) }))
}

/** Rules SC100 to SC109: values come back as they went in, are not shared, and outlive the process where promised. */
export function describeConversationValues(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).conversations

  describe('values', () => {
    it('SC100 every string is kept as it is, in ids, events, turns and states', async () => {
      const conversations = await open()
      for (const text of HARD_STRINGS) {
        const id = text
        const created = aConversation(text, {
          events: [
            anEvent({
              id: text,
              payload: { text, [`k${text}`]: [text] },
              custom: { [`k${text}`]: text },
              clientEventId: text,
            }),
          ],
          turns: [aTurn(text)],
          state: { variables: { text, [`k${text}`]: { text } } },
          index: { handoff: { ...waiting, id: text, queueName: text }, listed: false },
        })
        expect(await conversations.create(created)).toBe('created')
        expect((await conversations.load(id))?.state).toEqual(created.state)
        expect(await eventsOf(conversations, id, 0)).toEqual([{ ...created.events[0], sequence: 1 }])
        expect(await conversations.turns(id)).toEqual(created.turns)
      }
      const handoffs = await conversations.handoffs.list(ACCOUNT, 'waiting')
      expect(handoffs.map(({ queueName }) => queueName).sort()).toEqual([...HARD_STRINGS].sort())
    })

    it('SC101 every moment, every JSON value and every length of text is kept', async () => {
      const conversations = await open()
      const text = '\u0000\u{1F600}é x'.repeat(20_000)
      const values = {
        text,
        empty: '',
        zero: 0,
        negative: -1.5,
        tiny: 5e-324,
        huge: 1.7e308,
        no: null,
        list: [[], {}],
      }
      for (const at of EXTREME_TIMES) {
        const id = `AS-${at}`
        const created = aConversation(id, {
          startedAt: at,
          events: [anEvent({ at, payload: values })],
          state: { variables: values, endedAt: at },
          index: { handoff: { ...waiting, since: at } },
          wakeAt: at,
        })
        await conversations.create(created)
        expect((await conversations.load(id))?.state).toEqual(created.state)
        expect(await eventsOf(conversations, id, 0)).toEqual([{ ...created.events[0], sequence: 1 }])
      }
      expect((await conversations.handoffs.list(ACCOUNT, 'waiting')).map(({ since }) => since)).toEqual(
        EXTREME_TIMES,
      )
      const due = await conversations.timers.claimDue(8_640_000_000_000_000, 9, 8_640_000_000_000_000)
      expect(due).toEqual(EXTREME_TIMES.map(at => `AS-${at}`))
    })

    it('SC102 values are copied in: changing an argument afterwards changes nothing', async () => {
      const untouched = await open()
      await write(untouched)
      const conversations = await open()
      const { created, append } = original()
      await scribbling(created, value => conversations.create(value))
      await scribbling(append, value => conversations.append(value))
      await scribbling(reservation, value => conversations.externalEvents.expect(value))
      await conversations.externalEvents.expect({ ...reservation, eventId: 'later' })
      const event = { ...arrival, body: Uint8Array.of(1, 2, 3) }
      await scribbling(event, value => conversations.externalEvents.accept(value))
      expect(await conversationSnapshot(conversations, ID)).toEqual(await conversationSnapshot(untouched, ID))
      const kept = await conversations.externalEvents.find('x')
      expect(Array.from(kept?.body ?? [])).toEqual([1, 2, 3])
      expect(kept).toMatchObject({ eventId: 'x', contentType: 'text/plain' })
    })

    it('SC103 values are copied out: changing a result changes nothing, and arguments are never written to', async () => {
      const conversations = await open()
      await write(conversations)
      const before = await conversationSnapshot(conversations, ID)
      scribble(await conversationSnapshot(conversations, ID))
      const found = await conversations.records.find(ACCOUNT, AGENT, ID)
      const { turns } = await conversations.turnPage(ID, 0, 1_000_000)
      scribble([found?.summary.value, found?.details.value, found?.turns?.value, turns[0]?.record.value])
      scribble(await conversations.externalEvents.find('x'))
      scribble(await conversations.timers.claimDue(0, 1, 0))
      expect(await conversationSnapshot(conversations, ID)).toEqual(before)
      expect(Array.from((await conversations.externalEvents.find('x'))?.body ?? [])).toEqual([1, 2, 3])
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SC104 all of it is there when the store is opened again', async () => {
        const store = await factory.open()
        await write(store.conversations)
        const before = await conversationSnapshot(store.conversations, ID)
        const again = (await reopenForTest(reopen, store)).conversations
        expect(await conversationSnapshot(again, ID)).toEqual(before)
        expect(before.stored).toMatchObject({ version: 3, pendingExternalEvents: ['x'] })
        expect(Array.from((await again.externalEvents.find('x'))?.body ?? [])).toEqual([1, 2, 3])
      })

      it('SC105 what was decided before is still in force when the store is opened again', async () => {
        const store = await factory.open()
        await write(store.conversations)
        expect(await store.conversations.timers.claimDue(START, 9, START + 30)).toEqual([ID])
        const { append } = original()
        const again = (await reopenForTest(reopen, store)).conversations
        expect(await again.create(aConversation(ID))).toBe('taken')
        expect(await wakesAt(again, START + 30)).toBe(true)
        expect(await again.externalEvents.expect({ ...reservation, eventId: 'later' })).toBe('expected')
        expect(await again.externalEvents.accept({ ...arrival, body: Uint8Array.of(9) })).toEqual({
          status: 'duplicate',
          conversationId: ID,
        })
        expect(await again.append(anAppend(append, 2))).toEqual({ status: 'stale' })
        expect(await again.append(append)).toEqual({ status: 'duplicate', sequence: 2 })
        const next = anAppend(append, 3, { deliveredExternalEvents: ['x'] })
        expect(await again.append(next)).toEqual({ status: 'appended' })
        expect((await eventsOf(again, ID, 0)).map(event => event.sequence)).toEqual([1, 2, 3])
        expect(await again.load(ID)).toMatchObject({ version: 4, pendingExternalEvents: [] })
      })
    }
  })
}
