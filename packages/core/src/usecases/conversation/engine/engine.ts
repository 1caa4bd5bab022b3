import type { AuditEntry } from '../../../domain/audit/audit.ts'
import type { Command, Refusal } from '../../../domain/conversation/command.ts'
import {
  type Asked,
  beginDraft,
  counted,
  type Draft,
  decide,
  type Effect,
  journal,
  type MachineRules,
} from '../../../domain/conversation/draft.ts'
import { type ConversationEvent, clientIds } from '../../../domain/conversation/event.ts'
import type { EventPayloads } from '../../../domain/conversation/event-payloads.ts'
import { takesExternalEvent } from '../../../domain/conversation/from-agent.ts'
import { eventOfStart, eventsOfDecision } from '../../../domain/conversation/platform-event.ts'
import { startPayload } from '../../../domain/conversation/session-start.ts'
import { type ConversationState, HAS_OWN_ID } from '../../../domain/conversation/state.ts'
import { NO_CHANGES, type StateChanges } from '../../../domain/conversation/state-changes.ts'
import { transition } from '../../../domain/conversation/transition.ts'
import type { ConversationId } from '../../../domain/ids.ts'
import type { TextPair } from '../../../domain/text/text-pair.ts'
import type { OutgoingDraft } from '../../../domain/webhook/outgoing.ts'
import { PlatformError } from '../../../errors.ts'
import type { AppendResult, ConversationAppend } from '../../../ports/store/conversations.ts'
import type { Context } from '../../context.ts'
import { announce } from '../../room/announce.ts'
import type { Ephemeral } from '../../room/ephemeral.ts'
import type { LoadedConversation } from '../../room/room.ts'
import { machineRules } from './machine-rules.ts'
import { redactedCommand } from './redacted-command.ts'
import { tracedCommand } from './traced-command.ts'
import { type Writing, type Written, writtenBeginning, writtenDecision } from './written-decision.ts'

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

/** There is a conversation of that id already. */
export interface Taken {
  readonly status: 'taken'
}

const NONE: readonly string[] = []

/** A conversation as stored; its version changes with every write. */
export type ReadConversation = Pick<LoadedConversation, 'state' | 'version'>

/** The additional fields of a conversation's `SESSION_START`, beside those that every kind can offer. */
export type StartOffer = Pick<EventPayloads['SESSION_START'], 'context_id'>

/** Parts of a decision's write beside the decision itself: all or nothing. */
export interface Beside {
  /** Makes the entry of the audit log, of the state before the decision. */
  readonly audit?: AuditOf | undefined
  /** Written over the version before it. If that has changed, the decision is refused: `text_forestalled`. */
  readonly textPair?: TextPair
}

/** Makes the audit entry of a decision. */
export type AuditOf = (before: ConversationState) => AuditEntry

/** The beginning of a conversation beside its state. */
export interface Beginning extends Pick<Beside, 'textPair'> {
  readonly offer?: StartOffer
  /** A command that is decided with the start, and written with it. */
  readonly first?: Command
}

/** Runs the conversation machine over the store: load, decide, write once, publish, carry out effects. */
export interface Engine {
  /**
   * Starts a conversation with its `SESSION_START`, and with a first command if there is one. `taken` when the id
   * exists; nothing is written then.
   */
  start(initial: ConversationState, beginning?: Beginning): Promise<Outcome | Taken>
  /**
   * Decides one command. Resolves after the write is durable. Effects such as the agent's reply follow automatically.
   */
  execute(id: ConversationId, command: Command, beside?: Beside): Promise<Outcome>
  /** Loads a conversation. Returns null if there is no such conversation. */
  load(id: ConversationId): Promise<ConversationState | null>
  /** Loads a conversation with its version. */
  read(id: ConversationId): Promise<ReadConversation | null>
  /**
   * Returns a conversation for a command that follows: as this process remembers it, even if another one has changed
   * it since. The command's guarded write notices that. Remembers what it has to load.
   */
  find(id: ConversationId): Promise<ConversationState | null>
  /** Returns a conversation as this process remembers it. Null if it does not. */
  remembered(id: ConversationId): ConversationState | null
  /**
   * Handles a wall clock that was put forward by that much: extends the deadlines of conversations known to this
   * process by as much (TM3).
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

/** The outcome of a command for which nothing is written. Null when another writer may have come first. */
interface Unwritten {
  readonly outcome: Outcome | null | Promise<Outcome>
}

/** The number of conversations to adjust at a time after the clock was put forward. */
const STEPPED_AT_ONCE = 100

/** The most retries of a decision because another writer came first. */
const MAX_ATTEMPTS = 50

const NOTHING_TOLD: readonly never[] = []

const NOTHING_BESIDE: Beside = {}

/** Creates the engine of a platform. */
export const createEngine = (context: Context, ephemeral: Pick<Ephemeral, 'remember'>): Engine =>
  new MachineEngine(context, ephemeral)

class MachineEngine implements Engine {
  readonly #context: Context
  readonly #ephemeral: Pick<Ephemeral, 'remember'>
  readonly #rules: MachineRules
  readonly #listeners = new Set<() => void>()
  readonly #carriers = new Set<CarryOut>()

  constructor(context: Context, ephemeral: Pick<Ephemeral, 'remember'>) {
    this.#context = context
    this.#ephemeral = ephemeral
    this.#rules = machineRules(context)
  }

  start(initial: ConversationState, beginning: Beginning = {}): Promise<Outcome | Taken> {
    const begin = this.#context.telemetry?.begin ?? null
    const { first } = beginning
    if (first === undefined || begin === null) return this.#start(initial, beginning)
    return tracedCommand(begin, initial.id, first, () => this.#start(initial, beginning))
  }

  async #start(initial: ConversationState, { first, offer, textPair }: Beginning): Promise<Outcome | Taken> {
    const { breather, counting, observers, redactor, store } = this.#context
    const breath = breather.breathe()
    if (breath !== null) await breath
    const payload = { ...offer, ...startPayload(initial, this.#rules) }
    const begun = decide(journal(beginDraft(initial), 'SESSION_START', payload))
    let decision = counted(begun, initial.lastAt)
    const said =
      first === undefined || redactor === null
        ? first
        : await redactedCommand(this.#context, redactor, decision.state, first)
    const asked = this.#asked()
    if (said !== undefined) {
      const next = transition(decision.state, said, asked)
      if (next.refused !== null) return { status: 'refused', refusal: next.refused, state: initial }
      decision = { ...next, events: decision.events.concat(next.events) }
    }
    const { state } = decision
    const { events, outgoing, write } = writtenBeginning(decision, asked)
    const result = await store.conversations.create(textPair === undefined ? write : { ...write, textPair })
    if (result === 'taken') return { status: 'taken' }
    if (result === 'forestalled') return { status: 'refused', refusal: 'text_forestalled', state: initial }
    this.#keep(state, 1, NO_CHANGES)
    const started = eventOfStart(state)
    if (started !== null) observers.tell(started)
    counting.started(state)
    if (first !== undefined) this.#tell(decision, events, outgoing)
    counting.turns(state, decision.turns)
    return { status: 'done', state, events }
  }

  execute(id: ConversationId, command: Command, beside: Beside = NOTHING_BESIDE): Promise<Outcome> {
    const begin = this.#context.telemetry?.begin ?? null
    if (begin === null) return this.#carry(id, command, beside)
    return tracedCommand(begin, id, command, () => this.#carry(id, command, beside))
  }

  async load(id: ConversationId): Promise<ConversationState | null> {
    return (await this.read(id))?.state ?? null
  }

  /** Reads the conversation. The remembered state may not be the newest, so the store is asked for its version. */
  async read(id: ConversationId): Promise<ReadConversation | null> {
    const { rooms, store } = this.#context
    const kept = rooms.find(id)?.written ?? null
    const isNewest = kept !== null && (await store.conversations.version(id)) === kept.version
    return isNewest ? kept : this.#loadStored(id)
  }

  remembered(id: ConversationId): ConversationState | null {
    return this.#context.rooms.find(id)?.written?.state ?? null
  }

  async find(id: ConversationId): Promise<ConversationState | null> {
    const known = this.remembered(id)
    if (known !== null) return known
    const stored = await this.#loadStored(id)
    if (stored === null) return null
    const { rooms } = this.#context
    const { endedAt, kind } = stored.state
    const room = rooms.of(id)
    // Else a command is about to know more.
    if (room.written === null && !room.lock.isHeld && endedAt === null && HAS_OWN_ID[kind])
      if (stored.pendingExternalEvents.length === 0) room.written = { ...stored, isNew: false }
    if (room.written === null) rooms.settled(room)
    else rooms.remember(room)
    return stored.state
  }

  onClockStepped(listener: () => void): void {
    this.#listeners.add(listener)
  }

  onEffect(carryOut: CarryOut): void {
    this.#carriers.add(carryOut)
  }

  async clockStepped(by: number): Promise<void> {
    const { rooms, settings } = this.#context
    const moveOn = (id: ConversationId): Promise<unknown> =>
      this.#carry(id, { type: 'clock_stepped', by }, NOTHING_BESIDE).catch(error =>
        settings.onError(error, 'step of the clock'),
      )
    const ids = [...rooms.all()].filter(({ isOurs }) => isOurs).map(({ id }) => id)
    for (let from = 0; from < ids.length; from += STEPPED_AT_ONCE)
      await Promise.all(ids.slice(from, from + STEPPED_AT_ONCE).map(moveOn))
    // After the conversations, so that listeners do not store times ahead of theirs.
    for (const listener of this.#listeners) listener()
  }

  /**
   * Carries a command out, after those that came before it. One function instead of three that wait for each other,
   * because everything in progress is held in memory until its write is durable.
   */
  async #carry(id: ConversationId, command: Command, beside: Beside): Promise<Outcome> {
    const { breather, redactor, rooms, store } = this.#context
    const room = rooms.of(id)
    const free = room.lock.acquire()
    if (free !== null) await free
    try {
      const breath = breather.breathe()
      if (breath !== null) await breath
      if (command.type === 'wake' || command.type === 'external_event') room.written = null
      let said: Command | null = null
      for (let conflicts = 0; conflicts < MAX_ATTEMPTS; ) {
        const stored = room.written ?? (await this.#loadStored(id))
        if (stored === null) return { status: 'missing' }
        if (redactor !== null) said ??= await redactedCommand(this.#context, redactor, stored.state, command)
        if (room.isDoubted) rooms.publishLength(stored.state)
        room.isDoubted = false
        const first = command.type === 'external_event' ? null : pendingEvent(stored)
        const step = this.#attempt(stored, first ?? withPending(stored, said ?? command))
        const result =
          'outcome' in step
            ? step.outcome
            : this.#settled(
                step,
                await store.conversations.append(
                  first === null ? written(step, stored.state, beside) : step.append,
                ),
              )
        const outcome = result instanceof Promise ? await result : result
        if (outcome !== null && first === null) return outcome
        // A delivered event is not a conflict, and the number of awaited events is bounded (CM15).
        if (outcome?.status !== 'done') conflicts++
        room.written = null
      }
    } catch (error) {
      room.written = null
      room.isDoubted = true
      rooms.remember(room)
      throw error
    } finally {
      room.lock.release()
      rooms.settled(room)
    }
    throw new PlatformError('WRITE_CONFLICT', 'The conversation is being changed too often. Try again.')
  }

  /** Decides: what is to be written, or the outcome of what is not; null when another writer may have come first. */
  #attempt(stored: LoadedConversation, command: Command): Writing | Unwritten {
    const { state } = stored
    const asked = this.#asked()
    const decision = transition(state, command, asked)
    // The remembered state may be stale. The stored one may allow the command.
    if (decision.refused !== null)
      return { outcome: stored.isNew ? this.#refused(state, command, decision.refused) : null }
    if (decision.state !== state || command.type === 'wake')
      return writtenDecision(stored, decision, asked, command)
    this.#tell(decision, [], NOTHING_TOLD)
    return { outcome: { status: 'done', state, events: [] } }
  }

  /** Returns the outcome of a write. Null when another writer came first. */
  #settled(
    { append, decision, events, outgoing, sinceWhole }: Writing,
    { status }: AppendResult,
  ): Outcome | null | Promise<Outcome | null> {
    const { state } = decision
    if (status === 'stale') return null
    if (status === 'full') return { status: 'refused', refusal: 'talks_full', state }
    if (status === 'forestalled') return { status: 'refused', refusal: 'text_forestalled', state }
    if (status === 'duplicate') return this.#tookEffect(state.id, events.flatMap(clientIds))
    this.#keep(state, append.expectedVersion + 1, sinceWhole)
    this.#tell(decision, events, outgoing)
    this.#context.counting.turns(state, decision.turns)
    return { status: 'done', state, events }
  }

  /** Caches the written state, unless the next command must read the store, which has events left to deliver. */
  #keep(state: ConversationState, version: number, sinceWhole: StateChanges | null): void {
    const { rooms } = this.#context
    const { endedAt, id, kind } = state
    const room = rooms.of(id)
    room.isOurs = endedAt === null && kind !== 'recorded'
    const isKept = room.isOurs && HAS_OWN_ID[kind] && sinceWhole !== null
    room.written = isKept ? { state, version, pendingExternalEvents: NONE, sinceWhole, isNew: false } : null
    if (room.isOurs) rooms.remember(room)
    else rooms.settled(room)
  }

  #tell(draft: Draft, events: readonly ConversationEvent[], outgoing: readonly OutgoingDraft[]): void {
    const { logCache, observers, rooms } = this.#context
    const { effects, state, transients, turns } = draft
    logCache.added(state.id, events)
    this.#ephemeral.remember(state, transients)
    announce(rooms, { state, events, transients, turns })
    if (outgoing.length > 0) for (const one of eventsOfDecision(state, outgoing)) observers.tell(one)
    for (const effect of effects) for (const carryOut of this.#carriers) carryOut(effect, state, events)
  }

  /**
   * Returns the outcome of a refused command. One that already took effect may be refused when repeated: the queue is
   * full, or the conversation has ended.
   */
  async #refused(state: ConversationState, command: Command, refusal: Refusal): Promise<Outcome> {
    const before = await this.#tookEffect(state.id, 'clientEventId' in command ? clientIds(command) : [])
    return before ?? { status: 'refused', refusal, state }
  }

  /**
   * Returns the stored echo of an event that carries one of these ids. Null when there is no such event. The process
   * that wrote it may have notified nobody: it ended, or never heard that the write was made.
   */
  async #tookEffect(id: ConversationId, ids: readonly string[]): Promise<Outcome | null> {
    const { rooms, store } = this.#context
    const event = ids.length === 0 ? null : await store.conversations.clientEvent(id, ids)
    if (event === null) return null
    rooms.publishLength({ id, sequence: event.sequence })
    return { status: 'duplicate', event }
  }

  async #loadStored(id: ConversationId): Promise<LoadedConversation | null> {
    const stored = await this.#context.store.conversations.load(id)
    if (stored === null) return null
    const { pendingExternalEvents, state, version } = stored
    return { state, version, pendingExternalEvents, sinceWhole: null, isNew: true }
  }

  #asked(): Asked & Written {
    const { clock, ids } = this.#context
    return { now: clock.now(), id: ids.uuid(), rules: this.#rules, ids }
  }
}

/** Returns an external event that could not be processed when it came. It is delivered before any other command. */
function pendingEvent({ state, pendingExternalEvents }: LoadedConversation): Command | null {
  if (pendingExternalEvents.length === 0) return null
  const eventId = pendingExternalEvents.find(id => takesExternalEvent(state, id, true))
  return eventId === undefined ? null : { type: 'external_event', eventId, pending: true }
}

/** Returns a write with what is beside it. */
function written({ append }: Writing, before: ConversationState, beside: Beside): ConversationAppend {
  if (beside === NOTHING_BESIDE) return append
  const { audit, textPair } = beside
  const outbox = audit === undefined ? append.outbox : { ...append.outbox, audit: audit(before) }
  return textPair === undefined ? { ...append, outbox } : { ...append, outbox, textPair }
}

/** Adds the pending events. Only the store knows whether the event of an `external_event` command is pending. */
const withPending = ({ pendingExternalEvents }: LoadedConversation, command: Command): Command =>
  command.type === 'external_event'
    ? { ...command, pending: pendingExternalEvents.includes(command.eventId) }
    : command
