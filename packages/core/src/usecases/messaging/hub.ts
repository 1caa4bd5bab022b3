import { chunkId } from '../../domain/conversation/chunk-id.ts'
import type { Pinning } from '../../domain/conversation/command.ts'
import type { ConversationEvent, TransientEvent } from '../../domain/conversation/event.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConnectorId, ConversationId } from '../../domain/ids.ts'
import type { Notice } from '../../ports/bus.ts'
import type { EventPage } from '../../ports/conversation-store.ts'
import { eventText } from '../../protocol/envelope.ts'
import type { EventNames } from '../../protocol/event-names.ts'
import { type ChunkPlace, chunkPlace, unfold } from '../../protocol/unfold.ts'
import type { Settings } from '../../settings.ts'
import type { CredentialWatch } from '../access/credential-watch.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine.ts'
import type { ResolvePinning } from './messaging.ts'
import { createPassing, type Passing } from './passing.ts'
import { createPresence, type Presence } from './presence.ts'

/** What every hub of a process shares. */
export interface HubParts {
  readonly context: Context
  readonly engine: Engine
  readonly resolvePinning: ResolvePinning
  readonly names: EventNames
  readonly connectors: CredentialWatch<ConnectorId>
}

/** A connection that has had its replay. Its methods never throw. */
export interface Member {
  readonly id: string
  /** Newest event of the log when it came. */
  readonly since: number
  /** The newest event was added to the log; `text` is its live frame. Events it has had already are left out by itself. */
  deliver(event: ConversationEvent, text: string): void
  /** Something that no log keeps; `text` is its frame. */
  tell(text: string): void
  /** A chunk of a reply that is under way. */
  stream(place: ChunkPlace, event: TransientEvent): void
  /** The log cannot be read. */
  fail(): void
}

/** A connection that has to close when its session's connector is revoked. */
interface Revocable {
  revoke(): void
}

/** A visitor's presence is stored this many times within the idle timeout, at most. */
const FLUSHES = 20

/**
 * Everything of one conversation that its connections in this process share: one subscription, one reader of the log, each
 * frame built once. Members hear every event in order, each once, whatever happens to notices on their way (MS15): a notice
 * only says how far the log has grown, and its events are used only when they follow the last delivered one.
 */
export class Hub {
  readonly id: ConversationId
  readonly presence: Presence
  /** Counts notices, so that a connection can tell whether one came while it asked for something. */
  notices = 0
  readonly #parts: HubParts
  readonly #members = new Set<Member>()
  readonly #waiting: Notice[] = []
  /** Every connection that is open, members and those that still get their replay. */
  readonly #connections = new Set<Revocable>()
  readonly #unsubscribe: () => void
  readonly #unwatch: () => void
  #revoked = false
  /** Newest event that all members have had; without members, the newest one that was heard of. */
  #position: number
  readonly #passing: Passing
  #pinned: boolean
  #reading: Promise<void> | null = null
  #checkedAt: number
  /** The chunk that was sent last, as a frame: most members are equally far. */
  #chunk: { readonly event: TransientEvent; readonly sequence: number; readonly text: string } | null = null

  constructor(parts: HubParts, state: ConversationState) {
    const { bus, clock, settings } = parts.context
    this.#parts = parts
    this.id = state.id
    this.#position = state.sequence
    this.#passing = createPassing(state)
    this.#pinned = state.deploymentId !== null
    this.#checkedAt = clock.monotonic()
    this.presence = createPresence(clock, state.idleTimeout / FLUSHES, state.seenAt, seenAt => {
      parts.engine
        // Not `state.id`: what this closure names is kept for as long as the session is connected.
        .execute(this.id, { type: 'seen', seenAt })
        .catch(error => settings.onError(error, 'messaging presence'))
    })
    this.#unsubscribe = bus.subscribe(state.id, notice => this.grown(notice))
    const { connectorId } = state
    this.#unwatch =
      connectorId === null ? () => {} : parts.connectors.watch(connectorId, () => this.#revoke())
  }

  get parts(): HubParts {
    return this.#parts
  }

  get position(): number {
    return this.#position
  }

  /** Nobody is connected any more. */
  dispose(): void {
    this.#unsubscribe()
    this.#unwatch()
    this.presence.flush()
  }

  /**
   * A connection that has had everything up to `sent` hears the rest from now on. When the hub is further, it reads from
   * there once more: members leave out what they have had.
   */
  join(member: Member, sent: number): void {
    const heard = Math.max(this.#position, sent)
    this.#position = this.#members.size === 0 ? sent : Math.min(this.#position, sent)
    this.#members.add(member)
    if (heard > this.#position) this.grown({ sequence: heard, events: [], transients: [] })
  }

  leave(member: Member): void {
    this.#members.delete(member)
  }

  /** Takes a notice, from the bus or from whoever knows better. */
  grown(notice: Notice): void {
    this.notices++
    this.#waiting.push(notice)
    if (this.#reading === null) this.#pump()
  }

  /** What a command has written. */
  wrote(state: ConversationState, events: readonly ConversationEvent[]): void {
    this.#pinned = state.deploymentId !== null
    this.presence.stored(state.seenAt)
    if (state.sequence > this.#position) this.grown({ sequence: state.sequence, events, transients: [] })
  }

  /** Resolves when every notice so far has been dealt with. */
  async quiet(): Promise<void> {
    while (this.#reading !== null) await this.#reading
  }

  /** True while a notice waits for the log. */
  get busy(): boolean {
    return this.#reading !== null
  }

  /** Looks into the log now and then, in case a notice was lost. */
  refresh(): void {
    const now = this.#parts.context.clock.monotonic()
    if (this.#reading !== null || now - this.#checkedAt < this.#parts.context.settings.heartbeatSeconds * 500)
      return
    this.#read()
  }

  /** True when the connector that the session came through works no more: no event is taken, no connection let in (MS28). */
  get revoked(): boolean {
    return this.#revoked
  }

  /** A connection was opened; until it is detached it hears when the session must not go on. */
  attach(connection: Revocable): void {
    this.#connections.add(connection)
    if (this.#revoked) connection.revoke()
  }

  detach(connection: Revocable): void {
    this.#connections.delete(connection)
  }

  #revoke(): void {
    this.#revoked = true
    for (const connection of this.#connections) connection.revoke()
  }

  /** What a join or a message has to carry: a deployment, unless the conversation has one for good. */
  async pinning(): Promise<Pinning | null> {
    const everyTurn = this.#parts.context.settings.deploymentPinning === 'turn'
    if (this.#pinned && !everyTurn) return null
    const state = await this.#parts.engine.load(this.id)
    if (state === null || (state.deploymentId !== null && !everyTurn)) return null
    return this.#parts.resolvePinning(state)
  }

  /** A page of the log after a sequence. */
  page(after: number, count = this.#limits.eventsPerBatch): Promise<EventPage> {
    const bounds = { count, bytes: this.#limits.replayPageBytes }
    return this.#parts.context.store.conversations.eventPage(this.id, after, bounds)
  }

  /** The log's first page, of as many events as its bytes allow: the agent may have joined late in it. */
  firstPage(): Promise<EventPage> {
    return this.page(0, Number.MAX_SAFE_INTEGER)
  }

  get #limits(): Settings['limits'] {
    return this.#parts.context.settings.limits
  }

  /** The frame of an event for those who have all that came before. */
  liveText(event: ConversationEvent): string {
    const [last = event] = unfold(event, Number.POSITIVE_INFINITY)
    return eventText(last, this.#parts.names)
  }

  /**
   * The frame of a chunk for those who have had the log up to `sequence`. It carries that one, so that it is no newer than what
   * its receiver has: whoever loses the connection in mid-reply asks for the reply (MS4).
   */
  chunkText(place: ChunkPlace, event: TransientEvent, sequence: number): string {
    if (this.#chunk?.event === event && this.#chunk.sequence === sequence) return this.#chunk.text
    const { clock } = this.#parts.context
    const id = chunkId(place.messageId, place.index)
    const text = eventText({ ...event, id, sequence, at: clock.now() }, this.#parts.names)
    this.#chunk = { event, sequence, text }
    return text
  }

  /** The frame of a transient event. */
  transientText(event: TransientEvent): string {
    const { ids, clock } = this.#parts.context
    return eventText({ ...event, id: ids.uuid(), sequence: null, at: clock.now() }, this.#parts.names)
  }

  /** Events that a connection has read by itself. */
  saw(events: readonly ConversationEvent[]): void {
    for (const event of events) this.#passing.note(event)
  }

  #pump(): void {
    for (let notice = this.#waiting[0]; notice !== undefined; notice = this.#waiting[0]) {
      this.#deliver(notice.events)
      if (this.#members.size === 0) this.#position = Math.max(this.#position, notice.sequence)
      if (notice.sequence > this.#position) {
        this.#read()
        return
      }
      this.#waiting.shift()
      this.#tell(notice)
    }
  }

  /** Reads on in the log, then goes on with the notices. The one that caused it is told in any case. */
  #read(): void {
    this.#checkedAt = this.#parts.context.clock.monotonic()
    const cause = this.#waiting[0]
    const from = this.#position
    this.#reading = this.page(from).then(
      page => this.#went(page, from, cause),
      error => this.#broke(error),
    )
  }

  #went({ events, more }: EventPage, from: number, cause: Notice | undefined): void {
    this.#reading = null
    // A member that joined meanwhile may have set the position back: then the log is read again from there.
    const complete = this.#position >= from
    this.#deliver(events)
    if (more) {
      this.#read()
      return
    }
    if (complete && cause !== undefined && this.#waiting[0] === cause && cause.sequence > this.#position) {
      this.#waiting.shift()
      this.#tell(cause)
    }
    this.#pump()
  }

  #broke(error: unknown): void {
    this.#reading = null
    this.#waiting.length = 0
    this.#parts.context.settings.onError(error, 'messaging log')
    for (const member of this.#members) member.fail()
  }

  #deliver(events: readonly ConversationEvent[]): void {
    for (const event of events) {
      if (event.sequence !== this.#position + 1) {
        if (event.sequence > this.#position) return
        continue
      }
      this.#position = event.sequence
      this.#passing.note(event)
      if (event.type === 'SESSION_END') this.presence.stop()
      if (this.#members.size === 0) continue
      const text = this.liveText(event)
      for (const member of this.#members) member.deliver(event, text)
    }
  }

  #tell(notice: Notice): void {
    for (const event of notice.transients) {
      if (this.#members.size === 0 || this.#passing.isOver(event, notice.sequence)) continue
      const place = chunkPlace(event)
      const receivers = [...this.#members].filter(member => isFor(event, member))
      if (place !== null) for (const member of receivers) member.stream(place, event)
      else if (receivers.length > 0) {
        const text = this.transientText(event)
        for (const member of receivers) member.tell(text)
      }
    }
  }
}

/** What a message has come to is for its sender, who may have lost that connection and come back over another (MS17). */
const isFor = ({ to, orSince }: TransientEvent, member: Member): boolean =>
  to === null || to === member.id || (orSince !== undefined && member.since >= orSince)
