import type { ConversationToTake, CopyStore } from '../copies.ts'
import { documentCopiesOver } from '../document-copies.ts'
import type { Kind } from '../documents.ts'
import type { Guarded } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { documentsOf, scopeOf } from './documents-of.ts'
import { type HeldConversation, heldConversation } from './held.ts'
import { scopeValues } from './interval-kinds.ts'
import {
  CONVERSATION,
  CONVERSATION_SCOPE,
  EXPECTED_EVENT,
  type IndexedConversation,
  LISTED_CONVERSATION,
  STEP,
  TURN,
} from './kinds.ts'
import type { Numbers } from './numbers.ts'
import { goneWith, OF_CONVERSATION, WITH_CONVERSATION, WITH_LOG } from './owned.ts'
import type { Packing } from './packing.ts'
import { listingOf, looseBetween, putsOf, toTurn } from './placing.ts'
import { eventsOf, newestFirst, newestStep } from './steps.ts'

/** Returns a conversation that is taken, as it is held here. */
function heldOf(taken: ConversationToTake, { newLog, nextPlace }: Numbers): Omit<HeldConversation, 'added'> {
  const { events, externalEvents: _, pendingExternalEvents: pending, turns, ...held } = taken
  const handoffPlace = taken.index.handoff?.since ?? null
  const { version: of, wakeAt: at } = taken
  const timer = at === null ? null : { at, of }
  const written = { indexed: nextPlace(), whole: nextPlace(), log: newLog(), changes: null }
  const count = {
    events: events.length,
    first: newestFirst(events.length, events.length),
    turns: turns.length,
  }
  return { ...held, ...written, ...count, timer, pending, handoffPlace }
}

/** Returns the handed-off conversations, in the order of their handoffs. */
const inOrder = async ({ scan }: Guarded): Promise<readonly IndexedConversation[]> =>
  [...(await scan(CONVERSATION, 'handoff', { prefix: [] }))].sort(
    (one, other) => (one.handoffPlace ?? 0) - (other.handoffPlace ?? 0),
  )

async function takeConversations(
  { get, write }: Guarded,
  numbers: Numbers,
  taken: readonly ConversationToTake[],
): Promise<void> {
  const there = await get(
    CONVERSATION,
    taken.map(({ id }) => id),
  )
  const gone = there.flatMap(one => (one === null ? [] : [goneWith(OF_CONVERSATION, one)]))
  const held = taken.map(given => heldOf(given, numbers))
  const listed = await get(
    LISTED_CONVERSATION,
    taken.map(({ id }) => id),
  )
  // They come in no order of time: packed now, each chunk would reach through all of it. Whoever reads packs them.
  const loose = held.flatMap((one, at) => looseBetween(listed[at] ?? null, listingOf(one), numbers.nextPlace))
  const own = taken.flatMap((given, at) => [
    ...(held[at] === undefined
      ? []
      : [
          { kind: CONVERSATION_SCOPE, value: scopeOf(held[at]) },
          ...documentsOf(held[at], given, numbers.nextPlace),
        ]),
    ...given.externalEvents.map(({ arrived, eventId }) => {
      const { accountId, agentId } = given.state
      return {
        kind: EXPECTED_EVENT,
        value: { eventId, conversationId: given.id, accountId, agentId, arrived },
      }
    }),
  ])
  const written = new Set(own.map(({ kind, value }) => idOf(kind.name, (kind as Kind<unknown>).id(value))))
  const remove = gone.flatMap(one => one.remove).filter(({ id, kind }) => !written.has(idOf(kind.name, id)))
  const put = [...own, ...putsOf(loose)]
  await write({ when: [], clear: gone.flatMap(one => one.clear), put, remove })
}

/** Returns a store of documents, given to another one and taken from it. */
export function copiesOver(over: Guarded, numbers: Numbers, packing: Packing): CopyStore {
  const { get, scan, write } = over
  return {
    ...documentCopiesOver(over),
    async marks(after, count) {
      const range = { prefix: [], after: after === null ? undefined : [after], limit: count }
      const found = await scan(CONVERSATION, 'id', range)
      const ids = found.map(({ id }) => id)
      const steps = await Promise.all(found.map(({ log }) => newestStep(over, log)))
      const expected = await Promise.all(
        ids.map(id => scan(EXPECTED_EVENT, 'conversation', { prefix: [id] })),
      )
      return found.map(({ id, index }, at) => ({
        id,
        startedAt: index.startedAt,
        version: steps[at]?.version ?? 0,
        wakeAt: steps[at]?.wakeAt ?? null,
        externalEvents: expected[at]?.length ?? 0,
      }))
    },
    async conversation(id) {
      const held = await heldConversation(over, id)
      if (held === null) return null
      const steps = await scan(STEP, 'log', { prefix: [held.log], through: held.first })
      const turns = await scan(TURN, 'log', { prefix: [held.log], through: held.turns })
      const expected = await scan(EXPECTED_EVENT, 'conversation', { prefix: [id] })
      return {
        id,
        version: held.version,
        state: held.state,
        wakeAt: held.wakeAt,
        events: eventsOf(steps).map(({ event, payload, sequence }) => ({
          ...event,
          payload: JSON.parse(payload),
          sequence,
        })),
        turns: turns.map(toTurn),
        externalEvents: expected.map(({ arrived, eventId }) => ({ eventId, arrived })),
        pendingExternalEvents: held.pending,
      }
    },
    takeConversations: taken => takeConversations(over, numbers, taken),
    async dropConversations(ids) {
      const there = await get(CONVERSATION, ids)
      const gone = there.flatMap(one =>
        one === null ? [] : [goneWith([...WITH_CONVERSATION, ...WITH_LOG], one)],
      )
      const listed = await get(LISTED_CONVERSATION, ids)
      const loose = listed.flatMap(one => looseBetween(one, null, numbers.nextPlace))
      await write({
        when: [],
        clear: gone.flatMap(one => one.clear),
        put: putsOf(loose),
        remove: gone.flatMap(one => one.remove),
      })
      for (const scope of new Map(loose.map(one => [idOf(...scopeValues(one)), one])).values())
        await packing.forget(scope)
    },
    handoffOrder: async () => (await inOrder(over)).map(({ id }) => id),
    async orderHandoffs(order) {
      const held = await inOrder(over)
      const first = Math.max(0, ...held.map(one => one.handoffPlace ?? 0)) + 1
      const named = held.filter(({ id }) => order.includes(id))
      await write({
        when: [],
        put: named.map(one => ({
          kind: CONVERSATION,
          value: { ...one, handoffPlace: first + order.indexOf(one.id) },
        })),
      })
    },
  }
}
