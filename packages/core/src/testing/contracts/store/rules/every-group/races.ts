import { describe, expect, it } from 'vitest'
import type { Store } from '../../../../../ports/store/store.ts'
import { anAuditEntry, anEndpoint, aWebhookEvent } from '../../../../fixtures.ts'
import { count, openForTest, RACERS, race, type StoreFactory, scribble, scribbling } from '../../tools.ts'
import { OTHER_WRITES, TOLD_WRITES } from './writes.ts'

// An endpoint that the writes under test know nothing of.
const TOLD = anEndpoint('W-told')

/** Returns the ids of the entries and events that writes have stored, newest first. */
async function toldOf({ audit, webhooks }: Store) {
  const { values } = await webhooks.deliveries.list({ endpointId: TOLD.id }, 10)
  return {
    audit: (await audit.list({}, 10)).values.map(({ entry }) => entry),
    events: values.map(({ delivery }) => delivery.eventId),
  }
}

/** Tests of the effect and result of a write that is made once, again, or by many (ST7, SX4 and AU1). */
export function describeRaces(factory: StoreFactory): void {
  describe('what a write tells', () => {
    for (const { make, name, prepare } of TOLD_WRITES)
      it(`AU1 and SX4 it is kept when something changes, and only then: ${name}`, async () => {
        const store = await openForTest(factory)
        const outbox = (id: string) => ({
          audit: anAuditEntry(id, { details: { list: [id] } }),
          webhooks: [1, 2].map(nth => aWebhookEvent(`${id} ${nth}`, { conversationId: 'AS-told' })),
        })
        const told = { audit: [outbox('first').audit], events: ['first 2', 'first 1'] }
        await store.webhooks.endpoints.create(TOLD, 100)
        if (prepare !== undefined) await make(store, 1, outbox('nothing there yet'))
        await prepare?.(store)
        expect(await toldOf(store)).toEqual({ audit: [], events: [] })
        await scribbling(outbox('first'), copy => make(store, 1, copy))
        expect(await toldOf(store)).toEqual(told)
        await make(store, 1, outbox('again'))
        expect(await toldOf(store)).toEqual(told)
      })
  })

  describe('of those who write at once', () => {
    for (const write of [...TOLD_WRITES, ...OTHER_WRITES])
      it(`ST7 and AU1 one is the first, the others are told so, and what is kept is whole: ${write.name}`, async () => {
        const { make, of, prepare, read, won } = write
        const store = await openForTest(factory)
        await prepare?.(store)
        const results = await race(racer => make(store, racer, { audit: anAuditEntry(`${racer}`) }))
        const { values } = await store.audit.list({}, RACERS)
        const told = values.map(({ entry }) => Number(entry.id))
        if (TOLD_WRITES.includes(write)) expect(told).toHaveLength(1)
        const [winner = won === undefined ? 0 : results.indexOf(won)] = told
        if (won !== undefined) expect([count(results, won), results[winner]]).toEqual([1, won])
        if (of === undefined || read === undefined) return
        scribble(await read(store))
        const kept = await read(store)
        const possible = won === undefined ? results.map((_, racer) => of(racer)) : [of(winner)]
        expect(possible).toContainEqual(kept)
        // Too late, or at a version that has gone.
        expect(await make(store, RACERS, {})).not.toBe(won)
        expect(await read(store)).toEqual(kept)
      })
  })
}
