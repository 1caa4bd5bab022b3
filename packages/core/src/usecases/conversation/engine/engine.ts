import type { Command, Refusal } from '../../../domain/conversation/command.ts'
import {
  beginDraft,
  type Draft,
  decide,
  type Effect,
  type EventDraft,
  journal,
  type MachineRules,
} from '../../../domain/conversation/draft.ts'
import { type ConversationEvent, clientIds } from '../../../domain/conversation/event.ts'
import { takesExternalEvent } from '../../../domain/conversation/from-agent.ts'
import { joinedWait } from '../../../domain/conversation/joined-wait.ts'
import { mayChangeIndex, projectIndex } from '../../../domain/conversation/project-record.ts'
import type { ConversationKind, ConversationState } from '../../../domain/conversation/state.ts'
import { stateChanges } from '../../../domain/conversation/state-changes.ts'
import { currentState } from '../../../domain/conversation/stored-state.ts'
import { transition } from '../../../domain/conversation/transition.ts'
import { wakeAt } from '../../../domain/conversation/wake.ts'
import type { ConversationId } from '../../../domain/ids.ts'
import { outgoingEvents, webhookBody } from '../../../domain/webhook/outgoing.ts'
import type { WebhookEvent } from '../../../domain/webhook/webhook.ts'
import { PlatformError } from '../../../errors.ts'
import type { ConversationAppend, StoredConversation } from '../../../ports/store/conversations.ts'
import type { Context } from '../../context.ts'
import { announce } from '../../feed/announce.ts'
import type { Ephemeral } from '../../feed/ephemeral.ts'
import { createLastUsed } from '../../shared/last-used.ts'
import { createSerial } from '../../shared/serial.ts'

/**
 * The outcome of a command.
 *
 * - `done`: decided and written; `events` are those that it added to the log, possibly an empty list.
 * - `duplicate`: an event with one of its client ids took effect before; `event` is the stored echo.
 * - `refused`: nothing was written.
 * - `missing`: there is no such conversation.
 */
export type Outcome =
  | {
      readonly status: 'done'
      readonly state: ConversationState
      readonly events: readonly ConversationEvent[]
    }
  | { readonly status: 'duplicate'; readonly event: ConversationEvent }
  | { readonly status: 'refused'; readonly refusal: Refusal; readonly state: ConversationState }
  | { readonly status: 'missing' }

/** Runs the conversation machine over the store: load, decide, write once, publish, carry out effects. */
export interface Engine {
  /** Starts a conversation with its `SESSION_START`. `taken` when the id exists. */
  start(initial: ConversationState): Promise<'started' | 'taken'>
  /**
   * Decides one command. Resolves after the write is durable; effects such as the agent's reply follow by themselves.
   */
  execute(id: ConversationId, command: Command): Promise<Outcome>
  /** Null when there is no such conversation. */
  load(id: ConversationId): Promise<ConversationState | null>
  /**
   * The wall clock was put forward by that much: extends the deadlines of conversations known to this process by as
   * much (TM3).
   */
  clockStepped(by: number): Promise<void>
  /** Calls `listener` when the wall clock was put forward, to store signs of life again by the new time. */
  onClockStepped(listener: () => void): void
  /**
   * Calls `carryOut` with each effect of a decision, once its write is durable. Registered later because the handlers
   * of effects need the engine themselves.
   */
  onEffect(carryOut: CarryOut): void
}

/** Performs an effect of a decision. Must not throw; `events` are those that the decision added. */
export type CarryOut = (
  effect: Effect,
  state: ConversationState,
  events: readonly ConversationEvent[],
) => void

/** How many conversations are adjusted at a time after the clock was put forward. */
const STEPPED_AT_ONCE = 100

/** How often a decision is retried because another writer came first. */
const MAX_ATTEMPTS = 50

/**
 * Kinds whose ids the platform generates, so that no id is used twice and states may be cached. An id that a caller
 * chose can be used again once its conversation was removed: a cached state of the first conversation would pass for
 * the second one's of the same version (EN50). A test's id can be used again too: a released attempt is repeated under
 * its number (TE23).
 */
const HAS_OWN_ID: Readonly<Record<ConversationKind, boolean>> = {
  messaging: true,
  chat: true,
  debug: false,
  recorded: false,
  test: false,
}

/** A conversation as this process keeps it. */
interface Kept {
  readonly state: ConversationState
  readonly version: number
  /** The state that was written whole last, where this process has done it: what has changed since is told from it. */
  readonly whole: ConversationState | null
}

type Loaded = Kept &
  Omit<StoredConversation, 'state'> & {
    readonly cached: boolean
  }

/**
 * The engine of a platform. Long because all its calls share the cache, the serializer and the deadlines of this
 * process.
 */
export function createEngine(context: Context, ephemeral: Pick<Ephemeral, 'remember'>): Engine {
  const { clock, ids, notices, settings, store } = context
  const serial = createSerial<ConversationId>()
  const hot = createLastUsed<ConversationId, Kept>(settings.limits.cachedConversations)
  const rules: MachineRules = {
    turnLease: settings.turnLease,
    turnAttempts: settings.turnAttempts,
    queuedMessages: settings.limits.queuedMessages,
    liveAgentAbsence: settings.liveAgentAbsence,
    variableBytes: settings.limits.variableBytes,
    conversationBytes: settings.limits.conversationBytes,
    conversationEvents: settings.limits.conversationEvents,
    awaitedEvents: settings.limits.awaitedEvents,
  }

  const listeners = new Set<() => void>()
  const carriers = new Set<CarryOut>()
  /** Open conversations that this process has written: their deadlines move with a step of the clock. */
  const known = createLastUsed<ConversationId, true>(settings.limits.cachedConversations)

  function keep(kept: Kept): void {
    const { state } = kept
    if (state.endedAt === null && state.kind !== 'recorded') known.set(state.id, true)
    else known.delete(state.id)
    if (state.endedAt === null && HAS_OWN_ID[state.kind]) hot.set(state.id, kept)
    else hot.delete(state.id)
  }

  async function load(id: ConversationId): Promise<Loaded | null> {
    const known = hot.get(id)
    if (known !== undefined) return { ...known, pendingExternalEvents: [], cached: true }
    const stored = await store.conversations.load(id)
    return stored === null
      ? null
      : { ...stored, state: currentState(stored.state), whole: null, cached: false }
  }

  const stamp = (
    drafts: readonly EventDraft[],
    { lastAt }: ConversationState,
    after: number,
  ): readonly ConversationEvent[] => {
    const at = Math.max(clock.now(), lastAt)
    return drafts.map((draft, index) => ({
      ...draft,
      id: draft.id ?? ids.uuid(),
      at,
      sequence: after + index + 1,
    }))
  }

  function outgoing(before: ConversationState | null, draft: Draft): readonly WebhookEvent[] {
    const { id: conversationId, accountId, lastAt } = draft.state
    const at = Math.max(clock.now(), lastAt)
    return outgoingEvents(before, draft).map(({ type, data }) => {
      const body = webhookBody(type, at, data)
      return { id: `EVENT-${ids.uuid()}`, accountId, type, conversationId, at, body }
    })
  }

  const written = (
    before: ConversationState | null,
    draft: Draft,
    events: readonly ConversationEvent[],
  ): Pick<ConversationAppend, 'conversationId' | 'state' | 'events' | 'turns' | 'wakeAt' | 'outbox'> => ({
    conversationId: draft.state.id,
    state: draft.state,
    events,
    turns: draft.turns,
    wakeAt: wakeAt(draft.state),
    outbox: { webhooks: outgoing(before, draft) },
  })

  function tell(draft: Draft, events: readonly ConversationEvent[]): void {
    const { state, transients, turns } = draft
    ephemeral.remember(state, transients)
    announce(notices, { state, events, transients, turns: turns.length > 0 })
    for (const effect of draft.effects) for (const carryOut of carriers) carryOut(effect, state, events)
  }

  /** One attempt: null when another writer came first. */
  async function attempt(stored: Loaded, command: Command): Promise<Outcome | null> {
    const { state, version } = stored
    const decision = transition(state, command, { now: clock.now(), id: ids.uuid(), rules })
    if (decision.refused !== null) {
      // A cached state may be stale: the stored one may allow the command.
      if (stored.cached) return null
      // A command that already took effect may be refused when repeated: the queue is full, the conversation has ended.
      const before = await tookEffect(state.id, 'clientEventId' in command ? clientIds(command) : [])
      return before ?? { status: 'refused', refusal: decision.refused, state }
    }
    if (decision.state === state && command.type !== 'wake') {
      tell(decision, [])
      return { status: 'done', state, events: [] }
    }
    const events = stamp(decision.events, decision.state, state.sequence)
    const write = written(state, decision, events)
    const left = stillPending(stored, decision)
    const { whole } = stored
    const changes =
      whole === null || decision.state.endedAt !== null ? null : stateChanges(whole, decision.state)
    const result = await store.conversations.append({
      ...write,
      index: mayChangeIndex(state, decision.state) ? projectIndex(decision.state) : null,
      changes,
      wakeAt: left.some(eventId => takesExternalEvent(decision.state, eventId, true))
        ? clock.now()
        : write.wakeAt,
      expectedVersion: version,
      deliveredExternalEvents: decision.deliveredExternalEvents,
      joinedWait: joinedWait(state, decision.state, clock.now()),
    })
    if (result.status === 'stale') return null
    if (result.status === 'duplicate') return tookEffect(state.id, events.flatMap(clientIds))
    // The cache holds no pending events: load from the store again so that the next command sees those left.
    if (left.length === 0)
      keep({ state: decision.state, version: version + 1, whole: changes === null ? decision.state : whole })
    else hot.delete(state.id)
    tell(decision, events)
    return { status: 'done', state: decision.state, events }
  }

  /** The stored echo of an event that carries one of these ids; null when there is no such event. */
  async function tookEffect(id: ConversationId, ids: readonly string[]): Promise<Outcome | null> {
    const event = ids.length === 0 ? null : await store.conversations.clientEvent(id, ids)
    return event === null ? null : { status: 'duplicate', event }
  }

  /** An external event that could not be processed when it came: it is delivered before any other command. */
  function pendingEvent({ state, pendingExternalEvents }: Loaded): Command | null {
    const eventId = pendingExternalEvents.find(id => takesExternalEvent(state, id, true))
    return eventId === undefined ? null : { type: 'external_event', eventId, pending: true }
  }

  async function decideUntilWritten(id: ConversationId, command: Command): Promise<Outcome> {
    if (command.type === 'wake' || command.type === 'external_event') hot.delete(id)
    for (let conflicts = 0; conflicts < MAX_ATTEMPTS; ) {
      const stored = await load(id)
      if (stored === null) return { status: 'missing' }
      const first = command.type === 'external_event' ? null : pendingEvent(stored)
      const outcome = await attempt(stored, first ?? withPending(stored, command))
      if (outcome !== null && first === null) return outcome
      // A delivered event is not a conflict, and the number of awaited events is bounded (EN24).
      if (outcome?.status !== 'done') conflicts++
      hot.delete(id)
    }
    throw new PlatformError('WRITE_CONFLICT', 'The conversation is being changed too often. Try again.')
  }

  return {
    async start(initial) {
      const capabilities = {
        streaming: initial.streaming,
        max_message_size_bytes: settings.limits.messageBytes,
        max_reconnect_attempts: 5,
        heartbeat_interval_seconds: settings.heartbeatSeconds,
      }
      const draft = decide(journal(beginDraft(initial), 'SESSION_START', { capabilities }))
      const { state } = draft
      const result = await store.conversations.create({
        ...written(null, draft, stamp(draft.events, state, 0)),
        index: projectIndex(state),
      })
      if (result === 'taken') return 'taken'
      keep({ state, version: 1, whole: state })
      return 'started'
    },
    execute: (id, command) => serial(id, () => decideUntilWritten(id, command)),
    async load(id) {
      const stored = await store.conversations.load(id)
      return stored === null ? null : currentState(stored.state)
    },
    onClockStepped: listener => void listeners.add(listener),
    onEffect: carryOut => void carriers.add(carryOut),
    async clockStepped(by) {
      const ids = [...known.keys()]
      for (let from = 0; from < ids.length; from += STEPPED_AT_ONCE)
        await Promise.all(ids.slice(from, from + STEPPED_AT_ONCE).map(moveOn))
      // After the conversations, so that listeners do not store times ahead of theirs.
      for (const listener of listeners) listener()

      function moveOn(id: ConversationId): Promise<void> {
        return serial(id, () => decideUntilWritten(id, { type: 'clock_stepped', by })).then(
          () => undefined,
          error => settings.onError(error, 'step of the clock'),
        )
      }
    },
  }
}

/** Only the store knows whether the event of an `external_event` command is pending. */
const withPending = ({ pendingExternalEvents }: Loaded, command: Command): Command =>
  command.type === 'external_event'
    ? { ...command, pending: pendingExternalEvents.includes(command.eventId) }
    : command

const stillPending = (
  { pendingExternalEvents }: Loaded,
  { deliveredExternalEvents }: Pick<Draft, 'deliveredExternalEvents'>,
): readonly string[] => pendingExternalEvents.filter(id => !deliveredExternalEvents.includes(id))
