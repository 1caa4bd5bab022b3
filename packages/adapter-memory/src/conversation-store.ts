import { type AccountId, type AgentId, asId, type ConversationId } from '@colloquy/core'
import {
  type ConversationEvent,
  type ConversationIndex,
  type ConversationState,
  clientIds,
  type RecordHead,
  type StoredTurn,
} from '@colloquy/core/domain'
import {
  type ConversationStore,
  type ConversationWrite,
  claimReach,
  type EventPage,
  type EventPageBounds,
  type ExternalEvent,
  type HandoffEntry,
  type RecordPage,
  type RecordPlace,
  type RecordText,
  type TurnText,
} from '@colloquy/core/store'
import type { AuditTrail } from './audit-store.ts'
import {
  drawn,
  type Indexed,
  olderThan,
  selectFinished,
  selectIntervals,
  selectRecords,
  selectScope,
  selectScopes,
  startingFrom,
} from './selections.ts'
import { byteLength, lazily, within } from './slices.ts'
import { createTimers } from './timers.ts'
import { createTurnVectors } from './turn-vectors.ts'
import { createWaits } from './waits.ts'
import type { Outbox } from './webhook-store.ts'

/** A conversation with its log. Values in it are replaced, never changed; lists only grow. */
interface Held extends Indexed {
  version: number
  state: ConversationState
  head: RecordHead
  index: ConversationIndex
  readonly events: ConversationEvent[]
  /** Sequences by the client's own ids. */
  readonly sequences: Map<string, number>
  readonly turns: StoredTurn[]
  readonly turnNumbers: number[]
  /** All ids that were reserved for it. */
  readonly expectedExternalEvents: string[]
  pendingExternalEvents: readonly string[]
  /** How often it was claimed since the last write. */
  claims: number
}

/** An event id that is reserved, and what has come for it. */
interface Reservation {
  readonly conversationId: ConversationId
  readonly accountId: AccountId
  readonly agentId: AgentId
  arrived: ExternalEvent | null
}

const utf8 = new TextEncoder()

const newest = <T>(values: readonly T[], limit = values.length): T[] =>
  values.slice(Math.max(0, values.length - limit))

/** The events behind the first `after` ones, as far as the bounds go. */
function pageOf(
  log: readonly ConversationEvent[],
  after: number,
  { count, bytes }: EventPageBounds,
): EventPage {
  let end = after
  for (let length = 0; end < log.length; end++) {
    length += utf8.encode(JSON.stringify(log[end])).length
    if (end > after && (end - after >= count || length > bytes)) break
  }
  return { events: log.slice(after, end), more: end < log.length }
}

const ofTurn = ({ record, details }: StoredTurn): TurnText => ({
  record: JSON.stringify(record),
  details: JSON.stringify(details),
})

const bytesOfTurn = ({ record, details }: TurnText): number => byteLength(record) + byteLength(details)

function textOf({ head, turns }: Held, bytes: number): RecordText {
  const whole = JSON.stringify(turns.map(turn => turn.record))
  return {
    summary: JSON.stringify(head.summary),
    details: JSON.stringify(head.details),
    turns: byteLength(whole) > bytes ? null : whole,
  }
}

const bytesOfRecord = ({ text: { summary, details, turns } }: RecordPage['records'][number]): number =>
  byteLength(summary) + byteLength(details) + byteLength(turns ?? '')

const placeOf = ({ id, index }: Held): RecordPlace => ({ id, startedAt: index.startedAt })

/** Adds what a write brings to what is there. */
function apply(held: Held, { state, head, index, events, turns }: ConversationWrite): void {
  held.version++
  Object.assign(held, { state, head, index, claims: 0 })
  for (const event of events) {
    const sequence = held.events.length + 1
    held.events.push({ ...event, sequence })
    for (const id of clientIds(event)) held.sequences.set(id, sequence)
  }
  held.turns.push(...turns)
}

/** Where the event stands that carries the first known one of these ids. */
const knownSequence = ({ sequences }: Held, ids: readonly string[]): number | undefined =>
  ids.map(id => sequences.get(id)).find(sequence => sequence !== undefined)

function handoffOf({ id, index: { handoff } }: Held): HandoffEntry[] {
  if (handoff === null) return []
  const { status, queueName, since } = handoff
  return [{ conversationId: id, handoffId: asId(handoff.id), status, queueName, since }]
}

/** Conversations by id. Every method runs to its end without a pause: at one instant. */
export function createConversationStore(outbox: Outbox, trail: AuditTrail): ConversationStore {
  const conversations = new Map<ConversationId, Held>()
  const timers = createTimers<ConversationId>()
  const reservations = new Map<string, Reservation>()
  /** Those that wait for, or have, a live agent, in the order in which their handoffs came, with these. */
  const handedOff = new Map<Held, string>()
  const waits = createWaits()
  const vectors = createTurnVectors(conversations)
  /** Until when an account's line is held. */
  const lines = new Map<AccountId, number>()

  /** Of what lists and figures select by. */
  let changes = 0

  const place = (held: Held): void => {
    changes++
    const { handoff } = held.index
    if (handoff?.id === handedOff.get(held)) return
    handedOff.delete(held)
    if (handoff !== null) handedOff.set(held, handoff.id)
  }

  /** True when nothing will happen to it any more. */
  const isOver = ({ id, index }: Held): boolean => index.finishedAt !== null && timers.get(id) === null

  const drop = (held: Held): void => {
    for (const eventId of held.expectedExternalEvents) reservations.delete(eventId)
    outbox.forget(held.id)
    conversations.delete(held.id)
    vectors.dropped(held)
    changes++
  }

  return {
    ...vectors.methods,
    async create(conversation) {
      const { conversationId: id, state, head, index, wakeAt } = conversation
      if (conversations.has(id)) return 'taken'
      const log = { events: [], sequences: new Map<string, number>(), turns: [], turnNumbers: [] }
      const external = { expectedExternalEvents: [], pendingExternalEvents: [] }
      const held: Held = { id, version: 0, state, head, index, claims: 0, ...log, ...external }
      apply(held, conversation)
      vectors.wrote(held, conversation.turns.length)
      conversations.set(id, held)
      place(held)
      timers.set(id, wakeAt)
      for (const event of conversation.outgoing) outbox.keep(event)
      return 'created'
    },
    async load(id) {
      const held = conversations.get(id)
      if (held === undefined) return null
      const { state, version, pendingExternalEvents } = held
      return { state, version, pendingExternalEvents }
    },
    async append(append) {
      const held = conversations.get(append.conversationId)
      if (held === undefined) return { status: 'stale' }
      const sequence = knownSequence(held, append.events.flatMap(clientIds))
      if (sequence !== undefined) return { status: 'duplicate', sequence }
      if (held.version !== append.expectedVersion) return { status: 'stale' }
      apply(held, append)
      vectors.wrote(held, append.turns.length)
      place(held)
      const delivered = append.deliveredExternalEvents
      held.pendingExternalEvents = held.pendingExternalEvents.filter(id => !delivered.includes(id))
      if (append.joinedWait !== null) waits.add(append.index.accountId, append.joinedWait)
      timers.set(held.id, append.wakeAt)
      for (const event of append.outgoing) outbox.keep(event)
      return { status: 'appended' }
    },

    events: async (id, after, limit) => newest(conversations.get(id)?.events.slice(after) ?? [], limit),
    async eventPage(id, after, bounds) {
      const page = pageOf(conversations.get(id)?.events ?? [], after, bounds)
      if (page.more) await new Promise(resolve => setImmediate(resolve))
      return page
    },
    async clientEvent(id, ids) {
      const held = conversations.get(id)
      const sequence = held === undefined ? undefined : knownSequence(held, ids)
      return sequence === undefined ? null : (held?.events[sequence - 1] ?? null)
    },
    async turns(id, limit, bytes = Number.POSITIVE_INFINITY) {
      const held = newest(conversations.get(id)?.turns ?? [], limit)
      return within(held.toReversed(), bytes, turn => bytesOfTurn(ofTurn(turn))).toReversed()
    },
    async turnPage(id, after, bytes) {
      const following = (conversations.get(id)?.turns ?? []).slice(after)
      const turns = within(lazily(following, ofTurn), bytes, bytesOfTurn)
      return { turns, more: turns.length < following.length }
    },

    async claimDue(now, limit, until, longest = until - now) {
      const due = timers.due(now, limit)
      for (const id of due) {
        const held = conversations.get(id)
        const pause = Math.min((until - now) * 2 ** (held?.claims ?? 0), Math.max(longest, until - now))
        if (held !== undefined) held.claims++
        timers.set(id, now + pause)
      }
      return due
    },
    async hastenWakes(after, to, limit) {
      const late = timers.after(after, limit)
      for (const id of late) timers.set(id, to)
      return late.length
    },
    nextWakeAt: async () => timers.next(),

    async expectExternalEvent({ eventId, conversationId, accountId, agentId }) {
      const known = reservations.get(eventId)
      if (known !== undefined) {
        const same = known.conversationId === conversationId && known.accountId === accountId
        return same && known.agentId === agentId ? 'expected' : 'taken'
      }
      const held = conversations.get(conversationId)
      if (held === undefined) return 'missing'
      held.expectedExternalEvents.push(eventId)
      reservations.set(eventId, { conversationId, accountId, agentId, arrived: null })
      return 'expected'
    },
    async acceptExternalEvent({ eventId, accountId, agentId, contentType, body, receivedAt }) {
      const reservation = reservations.get(eventId)
      if (reservation?.accountId !== accountId || reservation.agentId !== agentId)
        return { status: 'unknown' }
      const { conversationId } = reservation
      if (reservation.arrived !== null) return { status: 'duplicate', conversationId }
      reservation.arrived = { eventId, conversationId, contentType, body: body.slice(), receivedAt }
      const held = conversations.get(conversationId)
      if (held !== undefined) {
        held.version++
        held.pendingExternalEvents = [...held.pendingExternalEvents, eventId]
        timers.set(conversationId, Math.min(timers.get(conversationId) ?? receivedAt, receivedAt))
      }
      return { status: 'accepted', conversationId }
    },
    externalEvent: async eventId => reservations.get(eventId)?.arrived ?? null,

    async handoffs(accountId, status) {
      const all = [...handedOff.keys()].filter(({ index }) => index.accountId === accountId)
      return all.flatMap(handoffOf).filter(entry => entry.status === status)
    },
    joinedWaits: async (accountId, queueName, since, limit) =>
      waits.newest(accountId, queueName, since, limit),
    async claimLines(now, until) {
      const waiting = [...handedOff.keys()].filter(({ index }) => index.handoff?.status === 'waiting')
      const accounts = new Set(waiting.map(({ index }) => asId<AccountId>(index.accountId)))
      const reach = claimReach(now, until)
      const free = [...accounts].filter(id => {
        const held = lines.get(id) ?? now
        return held <= now || held > reach
      })
      for (const id of free) lines.set(id, until)
      return free
    },
    async openConversations(agentId) {
      const all = [...conversations.values()].filter(({ index }) => index.agentId === agentId)
      return all.filter(({ index }) => index.finishedAt === null).map(({ id }) => id)
    },

    async records(filter, from, limit, bytes = Number.POSITIVE_INFINITY) {
      const following = startingFrom(selectRecords(conversations.values(), filter), from)
      const recordOf = (held: Held) => ({ ...placeOf(held), text: textOf(held, bytes) })
      const records = within(lazily(following.slice(0, limit), recordOf), bytes, bytesOfRecord)
      return { records, more: following.length > records.length }
    },
    async newestRecords(scope, from, limit, bytes = Number.POSITIVE_INFINITY) {
      const ordered = selectScope(conversations.values(), scope).toReversed()
      const following = 'offset' in from ? ordered.slice(from.offset) : olderThan(ordered, from.after)
      const recordOf = (held: Held) => ({ ...placeOf(held), text: textOf(held, bytes) })
      const records = within(lazily(following.slice(0, limit), recordOf), bytes, bytesOfRecord)
      return { records, more: following.length > records.length }
    },
    sample: async (filter, limit) => drawn(selectRecords(conversations.values(), filter), limit).map(placeOf),
    async record(accountId, agentId, id, bytes = Number.POSITIVE_INFINITY) {
      const held = conversations.get(id)
      if (!held?.index.listed) return null
      return held.index.accountId === accountId && held.index.agentId === agentId ? textOf(held, bytes) : null
    },
    async intervals(filter) {
      const intervals = { ...selectIntervals(conversations.values(), filter), stamp: String(changes) }
      await new Promise(resolve => setImmediate(resolve))
      return intervals
    },
    intervalsStamps: async (_, ranges) => ranges.map(() => String(changes)),

    scopes: async () => selectScopes(conversations.values()),
    async removeFinished(scope, finishedBefore, limit) {
      const finished = selectFinished(conversations.values(), scope, finishedBefore).filter(isOver)
      for (const held of finished.slice(0, limit)) drop(held)
      await new Promise(resolve => setImmediate(resolve))
      return { removed: Math.min(finished.length, limit), more: finished.length > limit }
    },
    async remove(accountId, agentId, id, entry) {
      const held = conversations.get(id)
      if (held?.index.accountId !== accountId || held.index.agentId !== agentId) return 'missing'
      if (!isOver(held)) return 'in_progress'
      drop(held)
      trail.keep(entry)
      return 'removed'
    },
  }
}
