import type { ConversationToTake, CopyStore } from '../copies.ts'
import { documentCopiesOver } from '../document-copies.ts'
import type { Kind } from '../documents.ts'
import type { Guarded } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { documentsOf } from './documents-of.ts'
import { CONVERSATION, EVENT, EXPECTED_EVENT, type HeldConversation, TIMER, TURN } from './kinds.ts'
import { goneWith, OF_CONVERSATION, WITH_CONVERSATION, WITH_LOG } from './owned.ts'
import { toTurn } from './placing.ts'

/** A conversation that is taken, as it is held here. */
function heldOf(taken: ConversationToTake): HeldConversation {
  const { events, externalEvents: _, pendingExternalEvents: pending, turns, ...held } = taken
  const handoffPlace = taken.index.handoff?.since ?? null
  return { ...held, events: events.length, turns: turns.length, pending, handoffPlace }
}

/** A store of documents, given to another one and taken from it. */
export function copiesOver(over: Guarded, nextPlace: () => number): CopyStore {
  const { get, one, scan, write } = over
  const inOrder = async (): Promise<readonly HeldConversation[]> =>
    [...(await scan(CONVERSATION, 'handoff', { prefix: [] }))].sort(
      (one, other) => (one.handoffPlace ?? 0) - (other.handoffPlace ?? 0),
    )

  return {
    ...documentCopiesOver(over),
    async marks(after, count) {
      const range = { prefix: [], after: after === null ? undefined : [after], limit: count }
      const found = await scan(CONVERSATION, 'id', range)
      const ids = found.map(({ id }) => id)
      const timers = await get(TIMER, ids)
      const expected = await Promise.all(
        ids.map(id => scan(EXPECTED_EVENT, 'conversation', { prefix: [id] })),
      )
      return found.map(({ id, index, version }, at) => ({
        id,
        startedAt: index.startedAt,
        version,
        wakeAt: timers[at]?.at ?? null,
        externalEvents: expected[at]?.length ?? 0,
      }))
    },
    async conversation(id) {
      const held = await one(CONVERSATION, id)
      if (held === null) return null
      const timer = await one(TIMER, id)
      const events = await scan(EVENT, 'log', { prefix: [id], through: held.events })
      const turns = await scan(TURN, 'log', { prefix: [id], through: held.turns })
      const expected = await scan(EXPECTED_EVENT, 'conversation', { prefix: [id] })
      return {
        id,
        version: held.version,
        state: held.state,
        wakeAt: timer?.at ?? null,
        events: events.map(({ event, sequence }) => ({ ...event, sequence })),
        turns: turns.map(toTurn),
        externalEvents: expected.map(({ arrived, eventId }) => ({ eventId, arrived })),
        pendingExternalEvents: held.pending,
      }
    },
    async takeConversations(taken) {
      const gone = taken.map(({ id }) => goneWith(OF_CONVERSATION, id))
      const own = taken.flatMap(given => [
        ...documentsOf(heldOf(given), given, nextPlace),
        ...given.externalEvents.map(({ arrived, eventId }) => {
          const { accountId, agentId } = given.state
          return {
            kind: EXPECTED_EVENT,
            value: { eventId, conversationId: given.id, accountId, agentId, arrived },
          }
        }),
      ])
      const written = new Set(
        own.map(({ kind, value }) => idOf(kind.name, (kind as Kind<unknown>).id(value))),
      )
      const remove = gone
        .flatMap(one => one.remove)
        .filter(({ id, kind }) => !written.has(idOf(kind.name, id)))
      await write({ when: [], clear: gone.flatMap(one => one.clear), put: own, remove })
    },
    async dropConversations(ids) {
      const gone = ids.map(id => goneWith([...WITH_CONVERSATION, ...WITH_LOG], id))
      await write({
        when: [],
        clear: gone.flatMap(one => one.clear),
        remove: [...gone.flatMap(one => one.remove), ...ids.map(id => ({ kind: CONVERSATION, id }))],
      })
    },
    handoffOrder: async () => (await inOrder()).map(({ id }) => id),
    async orderHandoffs(order) {
      const held = await inOrder()
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
