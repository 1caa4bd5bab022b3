import { clientIds } from '../../domain/conversation/event.ts'
import type {
  AppendResult,
  ConversationAppend,
  ConversationStore,
  HandoffWait,
} from '../../ports/store/conversations.ts'
import { copied } from '../copied.ts'
import { absent, type Guarded } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { documentsOf, hasRecord, indexedOf, logOf, recordOf, scopeOf } from './documents-of.ts'
import { type HeldConversation, heldConversation } from './held.ts'
import {
  CLIENT_EVENT,
  CONVERSATION,
  CONVERSATION_SCOPE,
  CONVERSATION_STATE,
  FINISHED_RECORD,
  HANDOFF_WAIT,
  type HeldTurn,
  LISTED_CONVERSATION,
  REMOVED_LOG,
  STEP,
  TURN,
} from './kinds.ts'
import type { Numbers } from './numbers.ts'
import type { Owner } from './owned.ts'
import type { Packing } from './packing.ts'
import { handoffPlace, isAtPlace, listingOf, looseBetween, movedVectors, putsOf } from './placing.ts'
import { eventsOf, newestFirst, still } from './steps.ts'
import { type TimerChange, timerAfter } from './timer-change.ts'

/** The number of conversations whose last write is remembered. */
const REMEMBERED = 16_384

/** The facts about the write before that a write needs. */
type Before = Omit<HeldConversation, 'state' | 'changes' | 'added'>

/** Whether a write changes what is found by reading alone. */
const needsLook = ({ index, joinedWait }: ConversationAppend, before: Before): boolean =>
  joinedWait !== null ||
  before.index.finishedAt !== null ||
  (index !== null &&
    (index.finishedAt !== null ||
      (index.handoff !== null && index.handoff.id !== before.index.handoff?.id) ||
      !isAtPlace(before.index, index)))

/** Writes conversations. The changes of each write go into one batch. */
export function writesOver(
  over: Guarded,
  { newLog, nextPlace }: Numbers,
  free: (owner: Owner) => Promise<void>,
  packing: Packing,
): Pick<ConversationStore, 'create' | 'append' | 'clientEvent'> {
  const { decided, get, one, scan } = over
  /** Scopes that are written down, or about to be: those who begin conversations at once wait for one write. */
  const scopes = new Map<string, Promise<unknown>>()
  /** Conversations as this process has written them last, without their states. */
  const recent = new Map<string, Before>()

  function remember(held: Before): void {
    recent.delete(held.id)
    if (held.index.finishedAt !== null) return
    recent.set(held.id, held)
    const [oldest] = recent.size > REMEMBERED ? recent.keys() : []
    if (oldest !== undefined) recent.delete(oldest)
  }

  /** Writes a scope down, which stays whatever becomes of the conversation. */
  async function keepScope(value: ReturnType<typeof scopeOf>): Promise<void> {
    const id = CONVERSATION_SCOPE.id(value)
    const kept = scopes.get(id) ?? over.write({ when: [], put: [{ kind: CONVERSATION_SCOPE, value }] })
    scopes.set(id, kept)
    await kept.catch(error => {
      scopes.delete(id)
      throw error
    })
  }

  /** Returns the sequence of the event that carries the first known one of these ids. */
  async function sequenceOf(log: string, ids: readonly string[]): Promise<number | null> {
    if (ids.length === 0) return null
    const found = await get(
      CLIENT_EVENT,
      ids.map(clientId => idOf(log, clientId)),
    )
    return found.find(event => event !== null)?.sequence ?? null
  }

  /** Returns the changes of a write for a conversation of which nothing else has to be read. */
  function appendTo(
    before: Before,
    write: ConversationAppend,
    timer: TimerChange,
    handoffPlace = before.handoffPlace,
  ) {
    const { conversationId: id, deliveredExternalEvents: delivered, outbox, state, wakeAt } = write
    const index = write.index ?? before.index
    const isWhole = write.changes === null
    // One that has finished may be over now, or not any more.
    const isIndexed = write.index !== null || before.index.finishedAt !== null
    const events = before.events + write.events.length
    const held: Before = {
      id,
      version: before.version + 1,
      log: before.log,
      first: newestFirst(events, write.events.length),
      events,
      turns: before.turns + write.turns.length,
      wakeAt,
      timer: timer.timer,
      pending:
        delivered.length === 0
          ? before.pending
          : before.pending.filter(eventId => !delivered.includes(eventId)),
      index,
      indexed: isIndexed ? nextPlace() : before.indexed,
      whole: isWhole ? nextPlace() : before.whole,
      handoffPlace: index.handoff === null ? null : handoffPlace,
    }
    const log = logOf({ ...held, changes: write.changes }, write, nextPlace)
    const listing = write.index === null ? null : listingOf(held)
    const isUnlisted = write.index?.listed === false
    const loose = write.index === null ? [] : looseBetween(listingOf(before), listing, nextPlace)
    const batch = {
      when: [
        ...write.events.flatMap(clientIds).map(clientId => absent(CLIENT_EVENT, idOf(before.log, clientId))),
        ...still(before),
        ...timer.when,
      ],
      put: [
        ...log.put,
        ...(isWhole ? [{ kind: CONVERSATION_STATE, value: { id, version: held.whole, state } }] : []),
        ...(isIndexed ? indexedOf(held) : []),
        ...(listing === null ? [] : [{ kind: LISTED_CONVERSATION, value: listing }]),
        ...putsOf(loose),
        ...timer.put,
      ],
      remove: [...(isUnlisted ? [{ kind: LISTED_CONVERSATION, id }] : []), ...timer.remove],
      outbox,
    }
    return { batch, held, loose, turns: log.turns }
  }

  /** The same of one that finishes, is handed off or moves in lists: what that asks for is read. */
  async function appendWithLook(before: Before, write: ConversationAppend, timer: TimerChange) {
    const place = await handoffPlace(over, write.index ?? before.index, before)
    const { batch, held, loose, turns } = appendTo(before, write, timer, place)
    const isMoved = !isAtPlace(before.index, held.index)
    const moved = isMoved ? await movedVectors(over, held) : []
    const record = await recordBeside({ ...held, state: write.state }, before, turns)
    const wait = await waitOf(held, write.joinedWait)
    const put = [...batch.put, ...moved, ...record.put, ...wait.put]
    return {
      batch: { ...batch, put, remove: [...batch.remove, ...record.remove, ...wait.remove] },
      held,
      loose,
    }
  }

  /** The record of one that has finished; one that goes on again has none. */
  async function recordBeside(
    held: Before & Pick<HeldConversation, 'state'>,
    before: Before,
    added: readonly HeldTurn[],
  ) {
    const { id } = held
    if (!hasRecord(held)) {
      const remove = before.index.finishedAt === null ? [] : [{ kind: FINISHED_RECORD, id }]
      return { put: [], remove }
    }
    const earlier = await scan(TURN, 'log', { prefix: [before.log], through: before.turns })
    return { put: recordOf(held, [...earlier, ...added]), remove: [] }
  }

  /** The wait of a handoff that was joined, without those of its queue that are to be forgotten. */
  async function waitOf({ id, version }: Before, wait: HandoffWait | null) {
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
    async create(given) {
      const write = copied(given)
      const { conversationId: id, index, outbox, state, wakeAt } = write
      await keepScope(scopeOf({ index, state }))
      for (;;) {
        const held: Before = {
          ...{ id, version: 1, index, wakeAt, pending: [] },
          ...{ whole: nextPlace(), indexed: nextPlace(), log: newLog() },
          timer: wakeAt === null ? null : { at: wakeAt, of: 1 },
          events: write.events.length,
          first: newestFirst(write.events.length, write.events.length),
          turns: write.turns.length,
          handoffPlace: await handoffPlace(over, index, null),
        }
        const loose = looseBetween(null, listingOf(held), nextPlace)
        const refused = await over.write({
          when: [absent(CONVERSATION, id), absent(REMOVED_LOG, id)],
          put: [...documentsOf({ ...held, state, changes: null }, write, nextPlace), ...putsOf(loose)],
          outbox,
        })
        if (refused === 0) return 'taken'
        if (refused === null) {
          remember(held)
          packing.written(loose)
          return 'created'
        }
        // One that had this id before is still being removed.
        const left = await one(REMOVED_LOG, id)
        if (left !== null) await free(left)
      }
    },
    async append(given) {
      const { conversationId: id, expectedVersion, state } = given
      const known = recent.get(id)
      // An id that was used again is another conversation.
      const isKnown = known?.version === expectedVersion && known.index.startedAt === state.startedAt
      // The process need not read its own writes. So most appends are one guarded write, made immediately.
      if (isKnown && !needsLook(given, known)) {
        const appended = appendTo(known, given, timerAfter(known, given.wakeAt, true))
        if ((await over.write(appended.batch)) === null) {
          remember(appended.held)
          packing.written(appended.loose)
          return { status: 'appended' }
        }
      }
      const write = copied(given)
      let written = (): void => undefined
      const result = await decided<AppendResult>(async () => {
        const before = await heldConversation(over, id)
        const sequence =
          before === null ? null : await sequenceOf(before.log, write.events.flatMap(clientIds))
        if (sequence !== null) return { batch: null, result: { status: 'duplicate', sequence } }
        if (before?.version !== expectedVersion) return { batch: null, result: { status: 'stale' } }
        const timer = timerAfter(before, write.wakeAt, false)
        const { batch, held, loose } = await appendWithLook(before, write, timer)
        written = () => {
          remember(held)
          packing.written(loose)
        }
        return { batch, result: { status: 'appended' } }
      })
      if (result.status === 'appended') written()
      return result
    },
    async clientEvent(id, ids) {
      const held = ids.length === 0 ? null : await one(CONVERSATION, id)
      const sequence = held === null ? null : await sequenceOf(held.log, ids)
      if (held === null || sequence === null) return null
      const steps = await scan(STEP, 'log', {
        prefix: [held.log],
        descending: true,
        through: sequence,
        limit: 1,
      })
      const found = eventsOf(steps).find(one => one.sequence === sequence)
      return found === undefined ? null : { ...found.event, payload: JSON.parse(found.payload), sequence }
    },
  }
}
