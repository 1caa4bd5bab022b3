import type { EventJson, TransientEvent } from '../../domain/conversation/event.ts'
import type { ActiveTurn, ConversationState } from '../../domain/conversation/state.ts'
import type { StateChanges } from '../../domain/conversation/state-changes.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { ConversationNotice, NoticeListener, Subscription } from '../../ports/notices.ts'
import type { CallOff } from '../conversation/turn/call-off.ts'
import { Lock } from '../shared/serial.ts'
import { Feed, type FeedParts } from './feed.ts'
import type { Presence } from './presence.ts'

/** The newest events of a log, oldest first, and their size in memory. */
export interface CachedLog {
  readonly events: readonly EventJson[]
  readonly bytes: number
}

/** A conversation as a command is decided on. */
export interface LoadedConversation {
  readonly state: ConversationState
  readonly version: number
  /** As in `StoredConversation`; none of one that was not read just now. */
  readonly pendingExternalEvents: readonly string[]
  /** The changes since the state was written whole. Null if another process has written it. */
  readonly sinceWhole: StateChanges | null
  /** False: this process has written it last, and the store may have a later version. */
  readonly isNew: boolean
}

/** A turn that runs in this process. */
export interface RunningTurn {
  readonly id: ActiveTurn['id']
  readonly callOff: CallOff
}

/** One attempt at a reply, with the chunks that were sent. */
export interface Stream {
  readonly turn: ActiveTurn
  /** Sequence of the log when the turn began: an event that ends the turn is newer. */
  readonly sequence: number
  readonly chunks: TransientEvent[]
}

/** A position in the waiting line, and when it was sent. */
export interface KnownPosition {
  readonly event: TransientEvent
  readonly sequence: number
  readonly at: number
}

/** The parts that the connections of a visitor share in this process. */
export interface VisitorSession {
  /** Connections, and those that are reserved for a handshake. */
  readonly slots: number
  readonly presence: Pick<Presence, 'renew' | 'flush' | 'stop'>
}

/** The parts that the rooms of a process share. */
export interface RoomParts extends FeedParts {
  /** Subscribes to notices of other processes; null if there are none. */
  readonly listen: ((room: Room) => Subscription) | null
  /** Something has ended: the room goes unless it is still needed. */
  readonly settled: (room: Room) => void
}

type Listener = NoticeListener<ConversationNotice>

const NOBODY: readonly Listener[] = []
const NO_TURNS: readonly RunningTurn[] = []

/**
 * One conversation while somebody in this process needs it: its lock, its cached state, its turn and stream, and its
 * followers. The cached state may be behind the store, whose guarded write makes that harmless.
 */
export class Room implements Listener {
  readonly id: ConversationId
  /** Commands are carried out one after the other. */
  readonly lock = new Lock()
  /** As this process has written it last; null: the next command reads it from the store. */
  written: LoadedConversation | null = null
  /** Kept while the conversation is open, and written by this process. Set by `Rooms.cacheLog`. */
  log: CachedLog | null = null
  /** This process has written it, and it is open: its deadlines move with a step of the clock. */
  isOurs = false
  /** The last write was rejected: it may have been made all the same, without any notice. */
  isDoubted = false
  /**
   * Turns that run in this process, the newest last: the next one begins while the one before hears that its reply was
   * taken. Replaced, never changed.
   */
  turns: readonly RunningTurn[] = NO_TURNS
  /** The reply that streams from this process. */
  stream: Stream | null = null
  /** The last position in the waiting line that was sent. */
  position: KnownPosition | null = null
  /** The part that the visitor's connections share. */
  session: VisitorSession | null = null
  /** Counts among those of which something is remembered. */
  isCounted = false
  /** The number of notices from other processes: each may be newer than what is remembered. */
  heard = 0
  /** Calls to the live-agent system are made one after the other; null before the first. */
  #deliveries: Lock | null = null
  readonly #parts: RoomParts
  #feed: Feed | null = null
  #followers = 0
  /** Replaced, never changed. */
  #listeners: readonly Listener[] = NOBODY
  #others: Subscription | null = null

  constructor(id: ConversationId, parts: RoomParts) {
    this.id = id
    this.#parts = parts
  }

  /** Reports whether this process has cached state that it could drop. */
  get isRemembered(): boolean {
    return this.written !== null || this.isOurs || this.isDoubted || this.position !== null
  }

  /** Reports whether the room is in use. */
  get isUsed(): boolean {
    return (
      this.lock.isHeld ||
      this.#listeners.length > 0 ||
      this.turns.length > 0 ||
      this.stream !== null ||
      this.#deliveries?.isHeld === true
    )
  }

  get deliveries(): Lock {
    this.#deliveries ??= new Lock()
    return this.#deliveries
  }

  /** Forgets everything, which is read from the store again then. */
  forget(): void {
    this.written = null
    this.isOurs = false
    this.isDoubted = false
    this.position = null
  }

  /** Returns the follower of the log, which all share until each has called `unfollow`. */
  follow(state: ConversationState): Feed {
    this.#feed ??= new Feed(this.#parts, state)
    if (this.#followers++ === 0) this.listen(this.#feed)
    return this.#feed
  }

  unfollow(): void {
    if (--this.#followers > 0 || this.#feed === null) return
    const feed = this.#feed
    this.#feed = null
    feed.close()
    this.leave(feed)
  }

  /** Adds a listener to notices about the conversation, in this process and in others. */
  listen(listener: Listener): void {
    if (this.#listeners.length === 0) this.#others = this.#parts.listen?.(this) ?? null
    this.#listeners = this.#listeners.concat(listener)
  }

  leave(listener: Listener): void {
    this.#listeners = this.#listeners.filter(other => other !== listener)
    if (this.#listeners.length > 0) return
    this.#others?.end()
    this.#others = null
    this.#parts.settled(this)
  }

  /** Takes a notice of another process. */
  notice(notice: ConversationNotice): void {
    this.heard++
    this.publish(notice)
  }

  publish(notice: ConversationNotice): void {
    for (const one of this.#listeners) this.#tell(() => one.notice(notice))
  }

  gap(): void {
    this.heard++
    for (const one of this.#listeners) this.#tell(() => one.gap())
  }

  /** Notifies one listener. Its error keeps nothing from the others. */
  #tell(tell: () => void): void {
    try {
      tell()
    } catch (error) {
      this.#parts.settings.onError(error, 'notice')
    }
  }
}
