import { chunkId } from '../../domain/conversation/chunk-id.ts'
import type { Pinning } from '../../domain/conversation/command.ts'
import type { ConversationEvent, TransientEvent } from '../../domain/conversation/event.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConnectorId, ConversationId } from '../../domain/ids.ts'
import { eventText } from '../../protocol/envelope.ts'
import type { EventNames } from '../../protocol/event-names.ts'
import { type ChunkPosition, withoutChunks } from '../../protocol/expand-chunks.ts'
import type { CredentialWatch, CredentialWatcher } from '../access/credential-watch.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { publishPresence } from '../desk/follow-handoff.ts'
import type { SocketCount } from '../observing/count-sockets.ts'
import type { Ephemeral } from '../room/ephemeral.ts'
import type { Feed } from '../room/feed.ts'
import { Presence, type PresenceKeeper } from '../room/presence.ts'
import type { Room } from '../room/room.ts'
import type { ResolvePinning } from './resolve-pinning.ts'

/** The parts that the open sessions of a process share. */
export interface SessionParts {
  readonly context: Context
  readonly engine: Engine
  readonly ephemeral: Pick<Ephemeral, 'snapshot' | 'ask'>
  readonly resolvePinning: ResolvePinning
  readonly names: EventNames
  readonly connectors: CredentialWatch<ConnectorId>
  readonly sockets: SocketCount
  /** Called with errors of a transport. */
  readonly portFailed: (error: unknown) => void
}

/** A connection that has to close when its session's connector is revoked. */
interface Revocable {
  revoke(): void
}

/** A visitor's presence is stored this many times within the idle timeout, at most. */
const FLUSHES = 20

/** A frame built for one connection and reused for others that need the same. */
interface BuiltFrame {
  readonly event: object
  /** The sequence of the log that the frame carries. */
  readonly sequence: number | null
  readonly text: string
}

/**
 * State shared by the connections of one session in this process: the feed, the visitor's presence, whether the
 * connector is revoked, and each frame, which is built once.
 */
export class OpenSession implements CredentialWatcher, PresenceKeeper {
  readonly parts: SessionParts
  readonly presence: Presence
  readonly feed: Feed
  /** Slots that are taken, or reserved for a handshake. */
  slots = 0
  /** Every open connection, also during its replay. */
  #connections: readonly Revocable[] = []
  readonly #room: Room
  #users = 0
  readonly connectorId: ConnectorId | null
  #revoked = false
  #pinned: boolean
  #frame: BuiltFrame | null = null
  /** Desks want to know whether the visitor is there. */
  #isFollowed: boolean

  constructor(parts: SessionParts, room: Room, state: ConversationState) {
    const { clock } = parts.context
    const { connectorId, idleTimeout, seenAt } = state
    this.parts = parts
    this.#room = room
    this.feed = room.follow(state)
    this.#pinned = state.deploymentId !== null
    this.#isFollowed = state.handoff !== null
    this.presence = new Presence(clock, idleTimeout / FLUSHES, seenAt, this)
    this.connectorId = connectorId
    if (connectorId !== null) parts.connectors.watch(connectorId, this)
  }

  get id(): ConversationId {
    return this.#room.id
  }

  /** Counts one more user of the session. */
  enter(): this {
    this.#users++
    return this
  }

  /** Counts one user less. The last one closes the session. */
  leave(): void {
    if (--this.#users > 0) return
    this.#room.session = null
    if (this.connectorId !== null) this.parts.connectors.unwatch(this.connectorId, this)
    this.presence.flush()
    this.#room.unfollow()
  }

  /** Updates the session from a state that a command has written. */
  wrote(state: ConversationState): void {
    this.#pinned = state.deploymentId !== null
    this.presence.stored(state.seenAt)
  }

  /**
   * True when the connector of the session was revoked or has expired: no event is taken, and no connection is accepted
   * (MS28).
   */
  get revoked(): boolean {
    return this.#revoked
  }

  /** Registers an open connection; until it is detached it is revoked with the session. */
  attach(connection: Revocable): void {
    // A spread would reserve room for sixteen more.
    this.#connections = this.#connections.concat(connection)
    if (this.#connections.length === 1) this.#tellDesks('here')
    if (this.#revoked) connection.revoke()
  }

  detach(connection: Revocable): void {
    this.#connections = this.#connections.filter(other => other !== connection)
    this.#frame = null
    if (this.#connections.length === 0) this.#tellDesks('gone')
  }

  /**
   * Handles a notice about presence. A desk asks whether the visitor is there, or heard from another process that they
   * are gone (DK544).
   */
  presenceHeard({ payload }: TransientEvent): void {
    this.#isFollowed = true
    if (payload.state !== 'here') this.#tellDesks('here')
  }

  #tellDesks(state: 'here' | 'gone'): void {
    if (this.#isFollowed) publishPresence(this.parts.context.rooms, this.id, state)
  }

  keepSeen(seenAt: number): void {
    const { context, engine } = this.parts
    engine
      .execute(this.id, { type: 'seen', seenAt })
      .catch(error => context.settings.onError(error, 'messaging presence'))
  }

  credentialEnded(): void {
    this.#revoked = true
    for (const connection of this.#connections) connection.revoke()
  }

  /** True while a join or a message needs no {@link pinning}. */
  get pinned(): boolean {
    return this.#pinned && this.parts.context.settings.deploymentPinning !== 'turn'
  }

  /** Returns the deployment for a join or a message. Null when the conversation has a fixed one. */
  async pinning(): Promise<Pinning | null> {
    if (this.pinned) return null
    const everyTurn = this.parts.context.settings.deploymentPinning === 'turn'
    const state = await this.parts.engine.load(this.id)
    if (state === null || (state.deploymentId !== null && !everyTurn)) return null
    return this.parts.resolvePinning(state)
  }

  /** Returns the frame of an event for connections that have had every earlier one. */
  liveText(event: ConversationEvent): string {
    return (
      this.#kept(event, event.sequence) ??
      this.#keep(event, event.sequence, eventText(withoutChunks(event), this.parts.names))
    )
  }

  /**
   * Returns the frame of a chunk for connections that have had the log up to `sequence`. It carries that sequence, not
   * a newer one, so that a client that loses the connection in mid-reply asks for the reply (MS29).
   */
  chunkText(position: ChunkPosition, event: TransientEvent, sequence: number): string {
    const id = chunkId(position.messageId, position.index)
    return this.#kept(event, sequence) ?? this.#keep(event, sequence, this.#textOf(event, id, sequence))
  }

  /** Returns the frame of another ephemeral event. */
  ephemeralText(event: TransientEvent): string {
    const { ids } = this.parts.context
    return this.#kept(event, null) ?? this.#keep(event, null, this.#textOf(event, ids.uuid(), null))
  }

  #textOf({ type, payload, custom }: TransientEvent, id: string, sequence: number | null): string {
    const { clock } = this.parts.context
    return eventText({ id, sequence, at: clock.now(), type, payload, custom }, this.parts.names)
  }

  /** Caches the last frame for the other connections, most of which are at the same sequence. */
  #keep(event: object, sequence: number | null, text: string): string {
    if (this.#connections.length > 1) this.#frame = { event, sequence, text }
    return text
  }

  #kept(event: object, sequence: number | null): string | null {
    const frame = this.#frame
    return frame?.event === event && frame.sequence === sequence ? frame.text : null
  }
}
