import type { Command } from '../../packages/core/src/domain/conversation/command.ts'
import type { EchoOf } from '../../packages/core/src/domain/conversation/decided-event.ts'
import {
  type ConversationEvent,
  clientIds,
  type JournaledEventType,
  type TransientEvent,
} from '../../packages/core/src/domain/conversation/event.ts'
import type { ConversationState } from '../../packages/core/src/domain/conversation/state.ts'
import type { ConversationId } from '../../packages/core/src/domain/ids.ts'
import type { JsonObject } from '../../packages/core/src/domain/json.ts'
import { jsonOf } from '../../packages/core/src/domain/stored-json.ts'
import type { Clock } from '../../packages/core/src/ports/clock.ts'
import type { Ids } from '../../packages/core/src/ports/ids.ts'
import {
  type Notice,
  type NoticeListener,
  type Notices,
  type NoticeTopic,
  topics,
} from '../../packages/core/src/ports/notices.ts'
import type { ConversationStore } from '../../packages/core/src/ports/store/conversations.ts'
import type { Engine, Outcome } from '../../packages/core/src/usecases/conversation/engine/engine.ts'
import type { Ephemeral } from '../../packages/core/src/usecases/room/ephemeral.ts'
import { makeUpFrames } from './declared-frames.ts'

/** Notices that are handed over when a test says so. */
export interface ManualNotices extends Notices {
  /** Hands notices over at once, as within a process. @default true */
  auto: boolean
  /** Published notices that are not handed over yet. */
  readonly waiting: { readonly topic: NoticeTopic; readonly notice: Notice }[]
  /** Hands over the waiting notice of that index; with `keep`, it stays and may come again. */
  deliver(index?: number, keep?: boolean): void
  /** Tells everyone who listens that notices may have been lost. */
  gap(): void
  readonly subscriptions: number
}

export function createManualNotices(): ManualNotices {
  const listeners = new Map<NoticeTopic, Set<NoticeListener<Notice>>>()
  const waiting: { readonly topic: NoticeTopic; readonly notice: Notice }[] = []
  const hand = (topic: NoticeTopic, notice: Notice): void => {
    for (const listener of listeners.get(topic) ?? []) listener.notice(notice)
  }
  return {
    auto: true,
    // Nobody else listens.
    others: { publish: () => undefined },
    waiting,
    publish(topic: NoticeTopic, notice: Notice) {
      if (this.auto) hand(topic, notice)
      else waiting.push({ topic, notice })
    },
    subscribe(topic: NoticeTopic, listener: NoticeListener<Notice>) {
      const own = listeners.get(topic) ?? new Set()
      listeners.set(topic, own.add(listener))
      return { end: () => void own.delete(listener) }
    },
    deliver(index = 0, keep = false) {
      const [entry] = keep ? waiting.slice(index, index + 1) : waiting.splice(index, 1)
      if (entry !== undefined) hand(entry.topic, entry.notice)
    },
    gap() {
      for (const own of listeners.values()) for (const listener of own) listener.gap()
    },
    get subscriptions() {
      return [...listeners.values()].reduce((sum, own) => sum + own.size, 0)
    },
  }
}

/** A conversation as the fake engine keeps it. */
export interface FakeConversation {
  state: ConversationState
  readonly log: ConversationEvent[]
  /** Events that `snapshot` returns. */
  current: readonly TransientEvent[]
  readonly commands: Command[]
}

/** An engine that decides as little as it can, keeps its log in an array, and publishes what a test tells it to. */
export interface FakeEngine extends Engine, Pick<Ephemeral, 'snapshot' | 'ask'> {
  conversation(id: ConversationId): FakeConversation
  /** Adds an event, as the agent's side would. */
  append(id: ConversationId, type: JournaledEventType, payload?: JsonObject): ConversationEvent
  /** Tells something that no log keeps. */
  tell(id: ConversationId, event: Partial<TransientEvent> & Pick<TransientEvent, 'type'>): void
  /** Commands wait for this before they are decided. */
  gate: Promise<void>
  /** Error of the next command. */
  failure: Error | null
  /** Whether `snapshot` says that no other process knows more. @default true */
  complete: boolean
  /** Requests to other processes. */
  readonly asked: { readonly conversationId: ConversationId; readonly connection: string }[]
  /** Whether notices carry their events. @default true */
  hints: boolean
  /** The part of the store that messaging reads. */
  eventPage: ConversationStore['eventPage']
}

/** A fake engine without conversations. Long because it has all calls of the engine. */
export function createFakeEngine(notices: Notices, clock: Clock, ids: Ids): FakeEngine {
  makeUpFrames()
  const conversations = new Map<ConversationId, FakeConversation>()

  const conversation = (id: ConversationId): FakeConversation => {
    const found = conversations.get(id)
    if (found === undefined) throw new Error(`There is no conversation ${id}.`)
    return found
  }

  function journal(
    kept: FakeConversation,
    type: JournaledEventType,
    payload: JsonObject,
    { custom, clientEventId, localId = null }: EchoOf = { custom: null, clientEventId: null },
  ): ConversationEvent {
    const sequence = kept.log.length + 1
    const event = { id: ids.uuid(), at: clock.now(), type, payload, custom, clientEventId, localId, sequence }
    kept.log.push(event)
    kept.state = { ...kept.state, sequence }
    return event
  }

  const publish = (
    kept: FakeConversation,
    events: readonly ConversationEvent[],
    transients: readonly TransientEvent[] = [],
  ) =>
    notices.publish(topics.conversation(kept.state.id), {
      sequence: kept.log.length,
      events: engine.hints ? events : [],
      transients,
    })

  function decide(kept: FakeConversation, command: Command): Outcome {
    const refuse = (refusal: 'ended' | 'not_joined' | 'no_deployment'): Outcome => ({
      status: 'refused',
      refusal,
      state: kept.state,
    })
    const known =
      'clientEventId' in command
        ? kept.log.find(event => clientIds(event).some(id => clientIds(command).includes(id)))
        : undefined
    if (known !== undefined) return { status: 'duplicate', event: known }
    if (kept.state.endedAt !== null) return refuse('ended')
    const events: ConversationEvent[] = []
    if (command.type === 'join') {
      const deploymentId = command.pinning?.deploymentId ?? kept.state.deploymentId
      if (deploymentId === null) return refuse('no_deployment')
      kept.state = { ...kept.state, owner: 'ai_agent', deploymentId }
      events.push(journal(kept, 'REQUEST_AI_AGENT_JOIN', {}, command), journal(kept, 'AI_AGENT_JOINED', {}))
    } else if (command.type === 'message') {
      if (kept.state.owner === 'unassigned') return refuse('not_joined')
      events.push(journal(kept, 'USER_MESSAGE', { text: command.text, message_id: ids.uuid() }, command))
    } else if (command.type === 'end') {
      kept.state = { ...kept.state, endedAt: clock.now(), endReason: 'REASON_USER_END' }
      events.push(
        journal(kept, 'USER_END_SESSION', {}, command),
        journal(kept, 'SESSION_END', { reason: 'REASON_USER_END' }),
      )
    } else if (command.type === 'seen') {
      kept.state = { ...kept.state, seenAt: command.seenAt }
    }
    if (events.length > 0) {
      kept.state = { ...kept.state, seenAt: clock.now() }
      publish(kept, events)
    }
    return { status: 'done', state: kept.state, events }
  }

  const engine: FakeEngine = {
    gate: Promise.resolve(),
    failure: null,
    hints: true,
    complete: true,
    asked: [],
    conversation,
    async start(initial) {
      if (conversations.has(initial.id)) return { status: 'taken' }
      const kept: FakeConversation = { state: initial, log: [], current: [], commands: [] }
      conversations.set(initial.id, kept)
      const events = [journal(kept, 'SESSION_START', {})]
      return { status: 'done', state: kept.state, events }
    },
    async execute(id, command) {
      await engine.gate
      const kept = conversations.get(id)
      if (kept === undefined) return { status: 'missing' }
      kept.commands.push(command)
      if (engine.failure !== null) {
        const { failure } = engine
        engine.failure = null
        throw failure
      }
      return decide(kept, command)
    },
    clockStepped: async () => {},
    onClockStepped: () => {},
    onEffect: () => {},
    load: async id => conversations.get(id)?.state ?? null,
    find: id => engine.load(id),
    remembered: () => null,
    async read(id) {
      const state = await engine.load(id)
      return state === null ? null : { state, version: 0 }
    },
    async snapshot(state) {
      const current = state === null ? [] : conversation(state.id).current
      return { sequence: state?.sequence ?? 0, events: current, complete: engine.complete, streams: false }
    },
    ask: (conversationId, connection) => engine.asked.push({ conversationId, connection }),
    append(id, type, payload = {}) {
      const kept = conversation(id)
      const event = journal(kept, type, payload)
      publish(kept, [event])
      return event
    },
    tell(id, event) {
      publish(conversation(id), [], [{ payload: {}, custom: null, to: null, ...event }])
    },
    async eventPage(id, after, { count, bytes }) {
      const log = conversations.get(id)?.log.filter(event => event.sequence > after) ?? []
      let length = 0
      const end = log.findIndex((event, index) => {
        length += JSON.stringify(event).length
        return index > 0 && (index >= count || length > bytes)
      })
      const following = log.map(event => ({ ...event, payload: jsonOf(event.payload) }))
      // As if the conversation had been changed since it was read.
      const version = 1
      return end === -1
        ? { events: following, more: false, version }
        : { events: following.slice(0, end), more: true, version }
    },
  }
  return engine
}
