import { clientIds } from '../../domain/conversation/event.ts'
import { projectRecord } from '../../domain/conversation/project-record.ts'
import type {
  AppendResult,
  ConversationAppend,
  ConversationStore,
  ConversationWrite,
  HandoffWait,
} from '../../ports/store/conversations.ts'
import type { Batch } from '../documents.ts'
import { absent, type Guarded } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
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
  SAID_WORD,
  TIMER,
  TURN,
} from './kinds.ts'
import { handoffPlace, listingOf, movedWords, wordsOfTurn } from './placing.ts'

/** How many conversations are remembered as they were written last. */
const REMEMBERED = 16_384

/** Of longer conversations lists read the turns themselves. */
const LONGEST_RECORD = 200

type Puts = NonNullable<Batch['put']>
type Removals = NonNullable<Batch['remove']>

/** What a write needs to know of the one before it. */
type Before = Omit<HeldConversation, 'state'>

/** What a write adds to the log of a conversation, which has these counts then. */
function logOf(
  held: HeldConversation,
  { events, turns }: ConversationWrite | ConversationAppend,
  nextPlace: () => number,
): { readonly put: Puts; readonly turns: readonly HeldTurn[] } {
  const { id: conversationId } = held
  const logged = events.map((event, at) => ({
    conversationId,
    sequence: held.events - events.length + at + 1,
    event,
  }))
  const said = turns.map((turn, at) => ({
    ...turn,
    conversationId,
    number: held.turns - turns.length + at + 1,
    place: nextPlace(),
  }))
  return {
    turns: said,
    put: [
      ...logged.map(value => ({ kind: EVENT, value })),
      ...logged.flatMap(({ event, sequence }) =>
        clientIds(event).map(clientId => ({
          kind: CLIENT_EVENT,
          value: { conversationId, clientId, sequence },
        })),
      ),
      ...said.map(value => ({ kind: TURN, value })),
      ...said.flatMap(turn => wordsOfTurn(held, turn).map(value => ({ kind: SAID_WORD, value }))),
    ],
  }
}

/** When it is to be woken. */
function timerOf({ id, version, wakeAt }: HeldConversation): {
  readonly put: Puts
  readonly remove: Removals
} {
  if (wakeAt === null) return { put: [], remove: [{ kind: TIMER, id }] }
  return {
    put: [{ kind: TIMER, value: { conversationId: id, at: wakeAt, of: version, claims: 0, moves: 0 } }],
    remove: [],
  }
}

/** How conversations are written: what each write changes, in one batch. */
export function writesOver(
  over: Guarded,
  { nextPlace, free }: { readonly nextPlace: () => number; readonly free: (id: string) => Promise<void> },
): Pick<ConversationStore, 'create' | 'append' | 'clientEvent'> {
  const { decided, get, one, scan } = over
  /** Scopes that are written down. */
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
  async function recordOf(held: HeldConversation, before: Before | null, added: readonly HeldTurn[]) {
    const { id, index, state, turns, version } = held
    const kept = index.finishedAt !== null && turns <= LONGEST_RECORD
    if (!kept) {
      const remove = before?.index.finishedAt == null ? [] : [{ kind: FINISHED_RECORD, id }]
      return { put: [], remove }
    }
    const earlier = before === null ? [] : await scan(TURN, 'log', { prefix: [id], through: before.turns })
    const { details, summary } = projectRecord(state)
    const records = [...earlier, ...added].map(({ record }) => record)
    return {
      put: [{ kind: FINISHED_RECORD, value: { id, version, summary, details, turns: records } }],
      remove: [],
    }
  }

  /** The wait of a handoff that was joined, without those of its queue that are to be forgotten. */
  async function waitOf({ id, version }: HeldConversation, wait: HandoffWait | null) {
    if (wait === null) return { put: [], remove: [] }
    const { keepSince, ...joined } = wait
    const { accountId, queueName } = joined
    const forgotten = await scan(HANDOFF_WAIT, 'queue', {
      prefix: [accountId, queueName],
      through: keepSince - 1,
    })
    return {
      put: [{ kind: HANDOFF_WAIT, value: { id: idOf(id, version), ...joined } }],
      remove: forgotten.map(({ id }) => ({ kind: HANDOFF_WAIT, id })),
    }
  }

  return {
    async create(write) {
      const { conversationId: id, index, outbox, state, wakeAt } = write
      const { accountId, agentId } = index
      const scope = { accountId, agentId, environment: state.environment, version: 1 }
      const scopeId = CONVERSATION_SCOPE.id(scope)
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
        const log = logOf(held, write, nextPlace)
        const listing = listingOf(held)
        return {
          batch: {
            when: [absent(CONVERSATION, id), absent(REMOVED_LOG, id)],
            put: [
              { kind: CONVERSATION, value: held },
              ...(listing === null ? [] : [{ kind: LISTED_CONVERSATION, value: listing }]),
              ...(scopes.has(scopeId) ? [] : [{ kind: CONVERSATION_SCOPE, value: scope }]),
              ...log.put,
              ...timerOf(held).put,
              ...(await recordOf(held, null, log.turns)).put,
            ],
            outbox,
          },
          result: 'created',
          refused(place) {
            isBeingRemoved = place === 1
            return undefined
          },
        }
      })
      scopes.add(scopeId)
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
        const record = await recordOf(held, before, log.turns)
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
