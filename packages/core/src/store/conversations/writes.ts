import { clientIds } from '../../domain/conversation/event.ts'
import type {
  AppendResult,
  ConversationAppend,
  ConversationStore,
  ConversationWrite,
  HandoffWait,
} from '../../ports/store/conversations.ts'
import { copied } from '../copied.ts'
import type { Batch, Condition } from '../documents.ts'
import { absent, type Guarded } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { DESK_OUTCOME, HANDOFF_SUMMARY, TEXT_PAIR } from '../kinds.ts'
import { documentsOf, hasRecord, indexedOf, logOf, recordedOf, recordOf, scopeOf } from './documents-of.ts'
import { type HeldConversation, heldConversation } from './held.ts'
import type { LooseInterval } from './interval-kinds.ts'
import {
  CLIENT_EVENT,
  CONVERSATION,
  CONVERSATION_SCOPE,
  CONVERSATION_STATE,
  FINISHED_RECORD,
  HANDOFF_WAIT,
  type HeldTurn,
  LISTED_CONVERSATION,
  RECORDED_TURNS,
  REMOVED_LOG,
  STEP,
  TURN,
} from './kinds.ts'
import type { Numbers } from './numbers.ts'
import type { Packing } from './packing.ts'
import {
  handoffPlace,
  isAtPlace,
  listingOf,
  looseBetween,
  movedVectors,
  type Puts,
  putsOf,
} from './placing.ts'
import type { Before, Recent } from './recent.ts'
import { free } from './removals.ts'
import { eventsOf, newestFirst, still } from './steps.ts'
import { type TimerChange, timerAfter } from './timer-change.ts'

/** A conversation as it was written, and what that changes for figures. */
interface Written {
  readonly held: Before
  readonly loose: readonly LooseInterval[]
}

/** Reports whether a write changes what is found by reading alone. */
const needsLook = ({ index, joinedWait, talkRoom }: ConversationAppend, before: Before): boolean =>
  joinedWait !== null ||
  talkRoom !== null ||
  before.index.finishedAt !== null ||
  (index !== null &&
    (index.finishedAt !== null ||
      (index.handoff !== null && index.handoff.id !== before.index.handoff?.id) ||
      !isAtPlace(before.index, index)))

/** Returns the sequence of the event that carries the first known one of these ids. */
async function sequenceOf({ get }: Guarded, log: string, ids: readonly string[]): Promise<number | null> {
  if (ids.length === 0) return null
  const keys = ids.map(clientId => idOf(log, clientId))
  return (await get(CLIENT_EVENT, keys)).find(event => event !== null)?.sequence ?? null
}

/** Returns the pair of numbers that a write changes: the condition of it, and the document. */
const pairOf = ({ textPair: value }: Pick<ConversationWrite, 'textPair'>) =>
  value === undefined
    ? NO_PAIR
    : {
        when: [{ kind: TEXT_PAIR, id: TEXT_PAIR.id(value), version: value.version - 1 }],
        put: [{ kind: TEXT_PAIR, value }],
      }

const NO_PAIR: { readonly when: readonly Condition[]; readonly put: Puts } = { when: [], put: [] }

/** Reports whether a place among conditions is that of the pair of numbers. */
const isPair = (when: readonly Condition[], place: number): boolean => when[place]?.kind === TEXT_PAIR

/** Returns a conversation at its first write, and the batch that writes it. */
async function begun(over: Guarded, write: ConversationWrite, { newLog, nextPlace }: Numbers) {
  const { conversationId: id, events, index, outbox, state, turns, wakeAt } = write
  const held: Before = {
    ...{ id, version: 1, index, wakeAt, pending: [] },
    ...{ whole: nextPlace(), indexed: nextPlace(), log: newLog() },
    timer: wakeAt === null ? null : { at: wakeAt, of: 1 },
    events: events.length,
    first: newestFirst(events.length, events.length),
    turns: turns.length,
    handoffPlace: await handoffPlace(over, index, null),
  }
  const loose = looseBetween(null, listingOf(held), nextPlace)
  const pair = pairOf(write)
  const batch = {
    when: [absent(CONVERSATION, id), absent(REMOVED_LOG, id), ...pair.when],
    put: [...documentsOf({ ...held, state, changes: null }, write, nextPlace), ...putsOf(loose), ...pair.put],
    outbox,
  }
  return { batch, held, loose }
}

/** Returns the changes of a write for a conversation of which nothing else has to be read. */
function appended(before: Before, write: ConversationAppend, timer: TimerChange, nextPlace: () => number) {
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
    handoffPlace: index.handoff === null ? null : before.handoffPlace,
  }
  const log = logOf({ ...held, changes: write.changes }, write, nextPlace)
  const listing = write.index === null ? null : listingOf(held)
  const isUnlisted = write.index?.listed === false
  const loose = write.index === null ? [] : looseBetween(listingOf(before), listing, nextPlace)
  const pair = pairOf(write)
  const batch = {
    when: [
      ...write.events.flatMap(clientIds).map(clientId => absent(CLIENT_EVENT, idOf(before.log, clientId))),
      ...still(before),
      ...timer.when,
      ...pair.when,
    ],
    put: [
      ...log.put,
      ...(isWhole ? [{ kind: CONVERSATION_STATE, value: { id, version: held.whole, state } }] : []),
      ...(isIndexed ? indexedOf(held) : []),
      ...(listing === null ? [] : [{ kind: LISTED_CONVERSATION, value: listing }]),
      ...putsOf(loose),
      ...timer.put,
      ...write.deskOutcomes.map(value => ({ kind: DESK_OUTCOME, value })),
      ...(write.summary === null ? [] : [{ kind: HANDOFF_SUMMARY, value: write.summary }]),
      ...pair.put,
    ],
    remove: [...(isUnlisted ? [{ kind: LISTED_CONVERSATION, id }] : []), ...timer.remove],
    outbox,
  }
  return { batch, held, loose, turns: log.turns }
}

/** Appends to a conversation that finishes, is handed off or moves in lists: reads the documents for that first. */
async function appendedAfterLook(
  over: Guarded,
  before: Before,
  write: ConversationAppend,
  nextPlace: () => number,
) {
  const place = await handoffPlace(over, write.index ?? before.index, before)
  const timer = timerAfter(before, write.wakeAt, false)
  const { batch, held, loose, turns } = appended({ ...before, handoffPlace: place }, write, timer, nextPlace)
  const moved = isAtPlace(before.index, held.index) ? [] : await movedVectors(over, held)
  const ended = { ...held, state: write.state }
  const record = await recordBeside(over, ended, before, { added: turns, nextPlace })
  const wait = await waitOf(over, held, write.joinedWait)
  const put = [...batch.put, ...moved, ...record.put, ...wait.put]
  return {
    batch: { ...batch, put, remove: [...batch.remove, ...record.remove, ...wait.remove] },
    held,
    loose,
  }
}

/** Writes the record of a finished conversation, and that it has recordings; one that goes on again has neither. */
async function recordBeside(
  { scan }: Guarded,
  held: Before & Pick<HeldConversation, 'state'>,
  before: Before,
  { added, nextPlace }: { readonly added: readonly HeldTurn[]; readonly nextPlace: () => number },
) {
  const { id } = held
  if (!hasRecord(held)) {
    const put = recordedOf(held, null, nextPlace)
    if (before.index.finishedAt === null) return { put, remove: [] }
    const remove = [{ kind: FINISHED_RECORD, id }]
    return { put, remove: put.length > 0 ? remove : [...remove, { kind: RECORDED_TURNS, id }] }
  }
  const earlier = await scan(TURN, 'log', { prefix: [before.log], through: before.turns })
  const turns = [...earlier, ...added]
  return { put: [...recordOf(held, turns), ...recordedOf(held, turns, nextPlace)], remove: [] }
}

/** Writes the wait of a handoff that was joined, without those of its queue that are to be forgotten. */
async function waitOf({ scan }: Guarded, { id, version }: Before, wait: HandoffWait | null) {
  if (wait === null) return { put: [], remove: [] }
  const { keepSince, ...joined } = wait
  const prefix = [joined.accountId, joined.queueName]
  const forgotten = await scan(HANDOFF_WAIT, 'queue', { prefix, through: Math.ceil(keepSince) - 1 })
  return {
    put: [{ kind: HANDOFF_WAIT, value: { id: idOf(id, version), ...joined } }],
    remove: forgotten.map(({ id }) => ({ kind: HANDOFF_WAIT, id })),
  }
}

/** Returns a batch that is also bound to the room of the live agent who gets the visitor. */
function withRoom<Of extends Batch>({ state, talkRoom }: ConversationAppend, batch: Of) {
  const { when } = batch
  const full: AppendResult = { status: 'full' }
  const forestalled: AppendResult = { status: 'forestalled' }
  const refused = (place: number) =>
    place === when.length ? full : isPair(when, place) ? forestalled : undefined
  if (talkRoom === null) return { ...batch, refused }
  const { atMost, liveAgentId } = talkRoom
  const prefix = [state.accountId, liveAgentId]
  return { ...batch, when: [...when, { kind: CONVERSATION, index: 'talks', prefix, atMost }], refused }
}

/** Writes conversations. The changes of each write go into one batch. */
export function writesOver(
  over: Guarded,
  numbers: Numbers,
  packing: Packing,
  recent: Recent,
): Pick<ConversationStore, 'create' | 'append' | 'clientEvent'> {
  const { decided, one, scan } = over
  const { nextPlace } = numbers
  /** Scopes that are written down, or about to be: those who begin conversations at once wait for one write. */
  const scopes = new Map<string, Promise<unknown>>()

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

  function written({ held, loose }: Written): void {
    recent.remember(held)
    packing.written(loose)
  }

  return {
    async create(given) {
      const write = copied(given)
      await keepScope(scopeOf(write))
      for (;;) {
        const created = await begun(over, write, numbers)
        const refused = await over.write(created.batch)
        if (refused === 0) return 'taken'
        if (refused === null) {
          written(created)
          return 'created'
        }
        if (isPair(created.batch.when, refused)) return 'forestalled'
        // One that had this id before is still being removed.
        const left = await one(REMOVED_LOG, write.conversationId)
        if (left !== null) await free(over, left)
      }
    },
    async append(given) {
      const { conversationId: id, expectedVersion, state } = given
      const known = recent.get(id)
      // An id that was used again is another conversation.
      const isKnown = known?.version === expectedVersion && known.index.startedAt === state.startedAt
      // The process need not read its own writes. So most appends are one guarded write, made immediately.
      if (isKnown && !needsLook(given, known)) {
        // A timer that has been due was moved meanwhile: it is set again.
        const mayStay = known.timer !== null && known.timer.at > state.lastAt
        const quick = appended(known, given, timerAfter(known, given.wakeAt, mayStay), nextPlace)
        if ((await over.write(quick.batch)) === null) {
          written(quick)
          return { status: 'appended' }
        }
      }
      const write = copied(given)
      const { done, ...result } = await decided<AppendResult & { readonly done?: Written }>(async () => {
        const before = await heldConversation(over, id)
        const sequence = before && (await sequenceOf(over, before.log, write.events.flatMap(clientIds)))
        if (sequence !== null) return { result: { status: 'duplicate', sequence } }
        if (before?.version !== expectedVersion) return { result: { status: 'stale' } }
        const done = await appendedAfterLook(over, before, write, nextPlace)
        return { ...withRoom(write, done.batch), result: { status: 'appended', done } }
      })
      if (done !== undefined) written(done)
      return result
    },
    async clientEvent(id, ids) {
      const held = ids.length === 0 ? null : await one(CONVERSATION, id)
      const sequence = held && (await sequenceOf(over, held.log, ids))
      if (held === null || sequence === null) return null
      const range = { prefix: [held.log], descending: true, through: sequence, limit: 1 }
      const found = eventsOf(await scan(STEP, 'log', range)).find(one => one.sequence === sequence)
      return found === undefined ? null : { ...found.event, payload: JSON.parse(found.payload), sequence }
    },
  }
}
