import { clientIds } from '../../domain/conversation/event.ts'
import type { AppendResult, ConversationStore, HandoffWait } from '../../ports/store/conversations.ts'
import { absent, type Guarded } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { documentsOf, hasRecord, logOf, recordOf, scopeOf, timerOf } from './documents-of.ts'
import {
  CLIENT_EVENT,
  CONVERSATION,
  CONVERSATION_SCOPE,
  EVENT,
  FINISHED_RECORD,
  HANDOFF_WAIT,
  type HeldConversation,
  type HeldTurn,
  LISTED_CONVERSATION,
  REMOVED_LOG,
  TURN,
} from './kinds.ts'
import { handoffPlace, listingOf, movedWords } from './placing.ts'

/** How many conversations are remembered as they were written last. */
const REMEMBERED = 16_384

/** What a write needs to know of the one before it. */
type Before = Omit<HeldConversation, 'state'>

/** How conversations are written: what each write changes, in one batch. */
export function writesOver(
  over: Guarded,
  { nextPlace, free }: { readonly nextPlace: () => number; readonly free: (id: string) => Promise<void> },
): Pick<ConversationStore, 'create' | 'append' | 'clientEvent'> {
  const { decided, get, one, scan } = over
  /** Scopes that are written down: those who begin conversations at once would wait for one another. */
  const scopes = new Set<string>()
  /** Conversations as this process has written them last, without their states. */
  const recent = new Map<string, Before>()

  function remember({ state: _, ...held }: HeldConversation): void {
    recent.delete(held.id)
    if (held.index.finishedAt !== null) return
    recent.set(held.id, held)
    const [oldest] = recent.size > REMEMBERED ? recent.keys() : []
    if (oldest !== undefined) recent.delete(oldest)
  }

  /** Where the event stands that carries the first known one of these ids. */
  async function sequenceOf(conversationId: string, ids: readonly string[]): Promise<number | null> {
    if (ids.length === 0) return null
    const found = await get(
      CLIENT_EVENT,
      ids.map(clientId => idOf(conversationId, clientId)),
    )
    return found.find(event => event !== null)?.sequence ?? null
  }

  /** The record of one that has finished; one that goes on again has none. */
  async function recordBeside(held: HeldConversation, before: Before, added: readonly HeldTurn[]) {
    const { id } = held
    if (!hasRecord(held)) {
      const remove = before.index.finishedAt === null ? [] : [{ kind: FINISHED_RECORD, id }]
      return { put: [], remove }
    }
    const earlier = await scan(TURN, 'log', { prefix: [id], through: before.turns })
    return { put: recordOf(held, [...earlier, ...added]), remove: [] }
  }

  /** The wait of a handoff that was joined, without those of its queue that are to be forgotten. */
  async function waitOf({ id, version }: HeldConversation, wait: HandoffWait | null) {
    if (wait === null) return { put: [], remove: [] }
    const { keepSince, ...joined } = wait
    const { accountId, queueName } = joined
    const forgotten = await scan(HANDOFF_WAIT, 'queue', {
      prefix: [accountId, queueName],
      through: Math.ceil(keepSince) - 1,
    })
    return {
      put: [{ kind: HANDOFF_WAIT, value: { id: idOf(id, version), ...joined } }],
      remove: forgotten.map(({ id }) => ({ kind: HANDOFF_WAIT, id })),
    }
  }

  return {
    async create(write) {
      const { conversationId: id, index, outbox, state, wakeAt } = write
      const scopeId = CONVERSATION_SCOPE.id(scopeOf({ index, state }))
      let isBeingRemoved = false
      const result = await decided<'created' | 'taken'>(async () => {
        if (isBeingRemoved) await free(id)
        if ((await one(CONVERSATION, id)) !== null) return { batch: null, result: 'taken' }
        const held: HeldConversation = {
          ...{ id, version: 1, state, index, wakeAt, pending: [] },
          events: write.events.length,
          turns: write.turns.length,
          handoffPlace: await handoffPlace(over, index, null),
        }
        return {
          batch: {
            when: [absent(CONVERSATION, id), absent(REMOVED_LOG, id)],
            put: documentsOf(held, write, nextPlace).filter(
              ({ kind }) => kind !== CONVERSATION_SCOPE || !scopes.has(scopeId),
            ),
            outbox,
          },
          result: 'created',
          refused(place) {
            isBeingRemoved = place === 1
            return undefined
          },
        }
      })
      if (result === 'created') scopes.add(scopeId)
      return result
    },
    async append(write) {
      const { conversationId: id, deliveredExternalEvents: delivered, expectedVersion, outbox, state } = write
      const ids = write.events.flatMap(clientIds)
      let held: HeldConversation | null = null
      /** What this process has written itself it need not read. An id that was used again is another conversation. */
      const known = recent.get(id)
      let before: Before | null =
        known?.version === expectedVersion && known.index.startedAt === state.startedAt ? known : null
      const result = await decided<AppendResult>(async () => {
        if (before === null) {
          before = await one(CONVERSATION, id)
          const sequence = before === null ? null : await sequenceOf(id, ids)
          if (sequence !== null) return { batch: null, result: { status: 'duplicate', sequence } }
        }
        if (before?.version !== expectedVersion) return { batch: null, result: { status: 'stale' } }
        const index = write.index ?? before.index
        held = {
          ...{ id, state, index, wakeAt: write.wakeAt, version: before.version + 1 },
          events: before.events + write.events.length,
          turns: before.turns + write.turns.length,
          pending: before.pending.filter(eventId => !delivered.includes(eventId)),
          handoffPlace: await handoffPlace(over, index, before),
        }
        const log = logOf(held, write, nextPlace)
        const listing = write.index === null ? null : listingOf(held)
        const timer = timerOf(held)
        const record = await recordBeside(held, before, log.turns)
        const wait = await waitOf(held, write.joinedWait)
        const isUnlisted = write.index?.listed === false
        const moved = await movedWords(over, before, held)
        return {
          batch: {
            when: [
              ...ids.map(clientId => absent(CLIENT_EVENT, idOf(id, clientId))),
              { kind: CONVERSATION, id, version: expectedVersion },
            ],
            put: [
              { kind: CONVERSATION, value: held },
              ...(listing === null ? [] : [{ kind: LISTED_CONVERSATION, value: listing }]),
              ...moved,
              ...log.put,
              ...timer.put,
              ...record.put,
              ...wait.put,
            ],
            remove: [
              ...(isUnlisted ? [{ kind: LISTED_CONVERSATION, id }] : []),
              ...(before.wakeAt === null ? [] : timer.remove),
              ...record.remove,
              ...wait.remove,
            ],
            outbox,
          },
          result: { status: 'appended' },
          refused() {
            before = null
            return undefined
          },
        }
      })
      if (result.status === 'appended' && held !== null) remember(held)
      return result
    },
    async clientEvent(id, ids) {
      const sequence = await sequenceOf(id, ids)
      const found = sequence === null ? null : await one(EVENT, idOf(id, sequence))
      return found === null ? null : { ...found.event, sequence: found.sequence }
    },
  }
}
