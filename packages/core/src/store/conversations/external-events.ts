import { fromBase64, toBase64 } from '../../domain/base64.ts'
import type { ExternalEventStore } from '../../ports/store/external-events.ts'
import { absent, type Guarded, unchanged } from '../guarded.ts'
import { indexedOf } from './documents-of.ts'
import { heldConversation } from './held.ts'
import { CONVERSATION, EXPECTED_EVENT, TIMER } from './kinds.ts'
import { stepsOf, still } from './steps.ts'

/** Returns the store of event ids that conversations wait for, and of the events that have come for them. */
export function externalEventsOver(over: Guarded): ExternalEventStore {
  const { decided, one } = over
  return {
    expect: event =>
      decided<'expected' | 'taken' | 'missing'>(async () => {
        const { accountId, agentId, conversationId, eventId } = event
        const known = await one(EXPECTED_EVENT, eventId)
        if (known !== null) {
          const isSame = known.conversationId === conversationId && known.accountId === accountId
          return { result: isSame && known.agentId === agentId ? 'expected' : 'taken' }
        }
        const held = await one(CONVERSATION, conversationId)
        if (held === null) return { result: 'missing' }
        const value = { eventId, conversationId, accountId, agentId, arrived: null }
        return {
          when: [absent(EXPECTED_EVENT, eventId), unchanged(CONVERSATION, held)],
          put: [{ kind: EXPECTED_EVENT, value }],
          result: 'expected',
        }
      }),
    accept: ({ accountId, agentId, body, contentType, eventId, receivedAt }) =>
      decided<Awaited<ReturnType<ExternalEventStore['accept']>>>(async () => {
        const known = await one(EXPECTED_EVENT, eventId)
        if (known?.accountId !== accountId || known.agentId !== agentId)
          return { result: { status: 'unknown' } }
        const { arrived, conversationId } = known
        if (arrived !== null) return { result: { status: 'duplicate', conversationId } }
        const held = await heldConversation(over, conversationId)
        if (held === null) return { result: { status: 'unknown' } }
        const timer = await one(TIMER, conversationId)
        const at = Math.min(timer?.at ?? receivedAt, receivedAt)
        const version = held.version + 1
        const { state: _, ...rest } = held
        const woken = {
          ...rest,
          ...{ version, wakeAt: at, timer: { at, of: version } },
          pending: [...held.pending, eventId],
        }
        return {
          when: [
            unchanged(EXPECTED_EVENT, known),
            ...still(held),
            timer === null ? absent(TIMER, conversationId) : unchanged(TIMER, timer),
          ],
          put: [
            {
              kind: EXPECTED_EVENT,
              value: { ...known, arrived: { contentType, body: toBase64(body), receivedAt } },
            },
            ...stepsOf(woken, []),
            // One that had finished is not over.
            ...indexedOf(woken),
            { kind: TIMER, value: { conversationId, at, of: version, claims: timer?.claims ?? 0, moves: 0 } },
          ],
          result: { status: 'accepted', conversationId },
        }
      }),
    async find(eventId) {
      const known = await one(EXPECTED_EVENT, eventId)
      if (known === null || known.arrived === null) return null
      const { arrived, conversationId } = known
      return { eventId, conversationId, ...arrived, body: fromBase64(arrived.body) }
    },
  }
}
