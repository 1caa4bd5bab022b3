import { describe, expect, it } from 'vitest'
import { newDelivery, WEBHOOK_EVENT_TYPES } from '../../../domain/webhook/webhook.ts'
import type { Store } from '../../../ports/store/store.ts'
import { aConversation, anAppend, anEvent } from '../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, anEndpoint, aWebhookEvent, START } from '../../fixtures.ts'
import { count, openForTest, RACERS, race, reopenForTest, type StoreFactory } from './tools.ts'

const OTHER = 'ws-other'

/** The ids of events that an endpoint has deliveries of, newest first. */
const eventsOf = async ({ webhooks }: Store, endpointId: string) =>
  (await webhooks.deliveries.list({ endpointId: endpointId }, 100)).values.map(
    ({ delivery }) => delivery.eventId,
  )

/** Rules SW10 to SW19: what conversations' writes tell endpoints. */
export function describeOutbox(factory: StoreFactory): void {
  const open = async () => {
    const store = await openForTest(factory)
    await store.webhooks.endpoints.create(anEndpoint('W-1'), 10)
    return store
  }
  const conversation = aConversation('AS-1')

  describe('events of conversations', () => {
    it('SW10 an event of a write gets a pending delivery, due when it happened, to each endpoint that wants it', async () => {
      const store = await open()
      await store.webhooks.endpoints.create(anEndpoint('W-2'), 10)
      const [first, second] = [aWebhookEvent('E-1'), aWebhookEvent('E-2', { at: START + 5 })]
      await store.conversations.create({ ...conversation, outbox: { webhooks: [first] } })
      await store.conversations.append(anAppend(conversation, 1, { outbox: { webhooks: [second] } }))
      for (const id of ['W-1', 'W-2']) {
        const { values: listed } = await store.webhooks.deliveries.list({ endpointId: id }, 100)
        expect(listed).toEqual(
          [second, first].map(event => ({
            delivery: newDelivery(event, id),
            event: { type: event.type, conversationId: event.conversationId },
          })),
        )
      }
    })

    it('SW11 endpoints that are disabled, not subscribed to its type, or of another account get none', async () => {
      const store = await open()
      await store.webhooks.endpoints.create(anEndpoint('W-off', { enabled: false }), 10)
      await store.webhooks.endpoints.create(anEndpoint('W-other', { accountId: OTHER }), 10)
      for (const type of WEBHOOK_EVENT_TYPES)
        await store.webhooks.endpoints.create(anEndpoint(`W-${type}`, { eventTypes: [type] }), 10)
      const outgoing = WEBHOOK_EVENT_TYPES.map(type => aWebhookEvent(`E-${type}`, { type }))
      await store.conversations.create({ ...conversation, outbox: { webhooks: outgoing } })
      expect(await eventsOf(store, 'W-off')).toEqual([])
      expect(await eventsOf(store, 'W-other')).toEqual([])
      expect(await eventsOf(store, 'W-1')).toHaveLength(WEBHOOK_EVENT_TYPES.length)
      for (const type of WEBHOOK_EVENT_TYPES)
        expect(await eventsOf(store, `W-${type}`)).toEqual([`E-${type}`])
    })

    it('SW12 an endpoint that subscribes, unsubscribes or is enabled later changes nothing about what was kept', async () => {
      const store = await open()
      await store.conversations.create({ ...conversation, outbox: { webhooks: [aWebhookEvent('E-1')] } })
      await store.webhooks.endpoints.create(anEndpoint('W-late'), 10)
      await store.webhooks.endpoints.update(
        1,
        anEndpoint('W-1', { eventTypes: ['handoff.failed'], version: 2 }),
      )
      await store.conversations.append(
        anAppend(conversation, 1, { outbox: { webhooks: [aWebhookEvent('E-2')] } }),
      )
      expect(await eventsOf(store, 'W-1')).toEqual(['E-1'])
      expect(await eventsOf(store, 'W-late')).toEqual(['E-2'])
    })

    it('SW13 an event that no endpoint wants is not kept', async () => {
      const store = await openForTest(factory)
      await store.conversations.create({ ...conversation, outbox: { webhooks: [aWebhookEvent('E-1')] } })
      expect(await store.webhooks.deliveries.forgetEvents(START + 1, 10)).toBe(0)
    })

    it('SW14 a write that is refused tells nothing: taken, stale, duplicate', async () => {
      const store = await open()
      const told = [aWebhookEvent('E-1')]
      const events = [anEvent({ clientEventId: 'same' })]
      await store.conversations.create({ ...conversation, events })
      expect(await store.conversations.create({ ...conversation, outbox: { webhooks: told } })).toBe('taken')
      const stale = anAppend(conversation, 7, { outbox: { webhooks: told } })
      expect(await store.conversations.append(stale)).toEqual({ status: 'stale' })
      const duplicate = anAppend(conversation, 1, { events, outbox: { webhooks: told } })
      expect((await store.conversations.append(duplicate)).status).toBe('duplicate')
      expect(await eventsOf(store, 'W-1')).toEqual([])
    })

    it('SW15 of racing writes the winner’s events are kept, and no others', async () => {
      const store = await open()
      await store.conversations.create(conversation)
      const results = await race(racer =>
        store.conversations.append(
          anAppend(conversation, 1, { outbox: { webhooks: [aWebhookEvent(`E-${racer}`)] } }),
        ),
      )
      const statuses = results.map(({ status }) => status)
      expect(count(statuses, 'stale')).toBe(RACERS - 1)
      expect(await eventsOf(store, 'W-1')).toEqual([`E-${statuses.indexOf('appended')}`])
    })

    it('SW16 a conversation that is removed takes its events along, and leaves those of others', async () => {
      const store = await open()
      const finished = aConversation('AS-1', { index: { finishedAt: START } })
      const other = aWebhookEvent('E-2', { conversationId: 'AS-2' })
      await store.conversations.create({ ...finished, outbox: { webhooks: [aWebhookEvent('E-1')] } })
      await store.conversations.create({ ...aConversation('AS-2'), outbox: { webhooks: [other] } })
      expect(await store.conversations.removals.remove(ACCOUNT, AGENT, 'AS-1')).toBe('removed')
      expect(await eventsOf(store, 'W-1')).toEqual(['E-2'])
      expect(await store.webhooks.deliveries.claim('W-1', START, 10, START + 1)).toHaveLength(1)
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SW17 an event that was kept is there when the store is opened again', async () => {
        const store = await factory.open()
        await store.webhooks.endpoints.create(anEndpoint('W-1'), 10)
        const write = store.conversations.create({
          ...conversation,
          outbox: { webhooks: [aWebhookEvent('E-1')] },
        })
        const again = await reopenForTest(reopen, store)
        expect(await write).toBe('created')
        expect(await eventsOf(again, 'W-1')).toEqual(['E-1'])
      })
    }
  })
}
