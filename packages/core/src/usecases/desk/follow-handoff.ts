import type { ConversationEvent, TransientEvent } from '../../domain/conversation/event.ts'
import type { EventPayloads } from '../../domain/conversation/event-payloads.ts'
import { filesBeside, filesOfEvent } from '../../domain/conversation/sent-files.ts'
import type { ConversationId, HandoffId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import type { Feed, FeedReader } from '../room/feed.ts'
import type { Room } from '../room/room.ts'
import type { Rooms } from '../room/rooms.ts'
import { createFresh } from '../shared/fresh.ts'
import type { DeskEvent } from './desk-event.ts'
import type { DeskHandoff } from './desk-handoff.ts'
import { noteOf } from './desk-note.ts'
import { summaryOf } from './desk-summary.ts'
import { lineOf } from './last-line.ts'

/** The addressee of what a conversation's notices tell its live agent: no visitor's connection has this id. */
export const TO_DESK = 'desk'

/** A visitor types for so long after the last sign of it, milliseconds (DK1). */
const TYPING_LASTS = 10_000

/** A notice may be lost: after so many questions without an answer a visitor is gone (DK544). */
const UNANSWERED = 2

type Presence = EventPayloads['USER_PRESENCE']['state']

/** Publishes a change of a visitor's connections to desks and to the processes that have them. */
export function publishPresence(rooms: Pick<Rooms, 'publish'>, id: ConversationId, state: Presence): void {
  const transients = [{ type: 'USER_PRESENCE', payload: { state }, custom: null, to: TO_DESK }] as const
  rooms.publish(id, { sequence: 0, events: [], transients })
}

/** Tells desks that a colleague has written a note. The note itself is read in the store. */
export function publishNote(rooms: Pick<Rooms, 'publish'>, id: ConversationId): void {
  const transients = [{ type: 'DESK_NOTE', payload: {}, custom: null, to: TO_DESK }] as const
  rooms.publish(id, { sequence: 0, events: [], transients })
}

/** Tells desks that the summary of a conversation has changed. The summary itself is read in the store. */
export function publishSummary(rooms: Pick<Rooms, 'publish'>, id: ConversationId): void {
  const transients = [{ type: 'DESK_SUMMARY', payload: {}, custom: null, to: TO_DESK }] as const
  rooms.publish(id, { sequence: 0, events: [], transients })
}

/**
 * The start of following a handoff: its status then, the position in the log of its conversation, and the number of the
 * newest note.
 */
export interface HandoffStart {
  /** Whether visitors of its kind have connections. */
  readonly connects: boolean
  readonly handoff: DeskHandoff
  readonly status: 'waiting' | 'active'
  readonly position: number
  readonly notes: number
}

/** A handoff that was found, with its conversation, which is followed until the handoff is over. */
export interface FoundHandoff {
  readonly room: Pick<Room, 'unfollow'>
  readonly feed: Feed
  readonly start: HandoffStart
}

/** The listener to a followed handoff. */
export interface HandoffTold {
  /** Receives an event. Never throws. */
  tell(event: DeskEvent): void
  /** Called once, after the event of the end. */
  over(): void
}

type FollowContext = Pick<Context, 'clock' | 'deskAssistant' | 'rooms' | 'settings' | 'store'>

/**
 * A handoff whose conversation is followed until the handoff is over. Reads its log: messages, the live agent who takes
 * it, its end (DK1, DK2). Nothing after the end is told.
 */
export class FollowedHandoff implements FeedReader {
  readonly #context: FollowContext
  readonly #found: FoundHandoff
  readonly #told: HandoffTold
  #handoff: DeskHandoff
  #status: HandoffStart['status']
  #position: number
  #ended = false
  /** The number of the newest note that was told. */
  #noted: number
  /** The version of the summary that was told. */
  #summarized = 0
  /** Reads notes that colleagues have written since, and a summary that has changed. Resolves when they are told. */
  readonly readBeside: () => Promise<void>
  /** The visitor types: ends the wait for another sign of it. */
  #noLonger: (() => void) | null = null
  #isGone = false
  /** The number of questions for the visitor since the last sign of one. */
  #asked = 0

  constructor(context: FollowContext, found: FoundHandoff, told: HandoffTold) {
    const { handoff, position, status } = found.start
    this.#context = context
    this.#found = found
    this.#told = told
    this.#handoff = handoff
    this.#status = status
    this.#position = position
    this.#noted = found.start.notes
    this.readBeside = createFresh(() => this.#tellBeside())
    // The line is told first: what the log holds already comes with the first read.
    found.feed.join(this, position)
    this.ask()
  }

  get id(): HandoffId {
    return this.#handoff.handoffId
  }

  /** Returns the first event for a new watcher: that the visitor waits, or was accepted. */
  current(): Extract<DeskEvent, { type: 'waiting' | 'accepted' }> {
    return { type: this.#status === 'waiting' ? 'waiting' : 'accepted', handoff: this.#handoff }
  }

  /** Returns the event that tells a new watcher that the visitor is gone, if so. */
  presence(): readonly DeskEvent[] {
    return this.#isGone ? [this.#presence] : []
  }

  /** Checks again whether the visitor is there. A visitor is gone if no process answers for them. */
  ask(): void {
    if (!this.#found.start.connects || this.#ended) return
    if (this.#asked >= UNANSWERED) this.#went(true)
    this.#asked++
    publishPresence(this.#context.rooms, this.#handoff.sessionId, 'asked')
  }

  /** Applies the position and the offer, which the line knows better than the log. */
  placed(listed: DeskHandoff): void {
    if (this.#ended || this.#status !== 'waiting' || listed.position === null) return
    const before = this.#handoff.offered
    const { offered, position } = listed
    this.#handoff = { ...this.#handoff, position, offered }
    if (before?.liveAgent.id !== offered?.liveAgent.id || before?.until !== offered?.until)
      this.#told.tell({ type: 'offered', ...this.#names, offered })
  }

  /** Reads the log. Resolves when all its events are reported. */
  async readOn(): Promise<void> {
    if (!this.#ended && !(await this.#found.feed.readOn()))
      throw new Error(`The log of conversation ${this.#handoff.sessionId} cannot be read.`)
  }

  /** Ends a handoff that the line has lost, if the log does not say why. Does nothing if the log did. */
  vanish(): void {
    this.#end(null)
  }

  dispose(): void {
    if (this.#ended) return
    this.#ended = true
    this.#noLonger?.()
    this.#found.feed.leave(this)
    this.#found.room.unfollow()
  }

  event(event: ConversationEvent): void {
    if (this.#ended || event.sequence <= this.#position) return
    this.#position = event.sequence
    const ending = endOf(event)
    if (ending !== null) this.#end(ending.reason)
    else if (event.type === 'LIVE_AGENT_JOINED') {
      this.#status = 'active'
      this.#handoff = {
        ...this.#handoff,
        status: 'active',
        position: null,
        offered: null,
        agent: agentOf(event),
        lastLine: null,
      }
      this.#told.tell({ type: 'accepted', handoff: this.#handoff })
    } else if (event.type === 'USER_MESSAGE') {
      this.#noLonger?.()
      this.#noLonger = null
      if (this.#status === 'waiting') this.#handoff = { ...this.#handoff, lastLine: lineOf(event) }
      const message = {
        ...{ messageId: text(event, 'message_id'), text: text(event, 'text'), sentAt: event.at },
        ...filesBeside({ files: filesOfEvent(event) }),
      }
      this.#told.tell({ type: 'visitor_message', ...this.#names, message })
    }
  }

  ephemeral(event: TransientEvent): void {
    if (this.#ended || event.to !== TO_DESK) return
    const { state } = event.payload
    if (event.type === 'DESK_NOTE' || event.type === 'DESK_SUMMARY') this.#hearBeside()
    else if (event.type === 'USER_TYPING')
      this.#typed(state === 'TYPING_STATE_STARTED' ? 'started' : 'stopped')
    else if (state !== 'asked') {
      this.#asked = 0
      this.#went(state === 'gone')
    }
  }

  again(): void {}

  gap(): void {}

  failed(): void {}

  get #names() {
    const { handoffId, sessionId } = this.#handoff
    return { handoffId, sessionId }
  }

  get #presence(): DeskEvent {
    return { type: 'visitor_presence', ...this.#names, state: this.#isGone ? 'gone' : 'here' }
  }

  #typed(state: 'started' | 'stopped'): void {
    this.#noLonger?.()
    this.#noLonger =
      state === 'started' ? this.#context.clock.schedule(TYPING_LASTS, () => this.#typed('stopped')) : null
    this.#told.tell({ type: 'visitor_typing', ...this.#names, state })
  }

  #hearBeside(): void {
    const { onError } = this.#context.settings
    this.readBeside().catch(error => onError(error, 'desk feed'))
  }

  async #tellBeside(): Promise<void> {
    if (this.#ended) return
    await this.#tellNotes()
    const { deskAssistant, store } = this.#context
    const summary = deskAssistant && (await store.conversations.summaries.find(this.id))
    if (this.#ended || !summary || summary.version <= this.#summarized) return
    this.#summarized = summary.version
    this.#told.tell({ type: 'summary', ...this.#names, summary: summaryOf(summary) })
  }

  async #tellNotes(): Promise<void> {
    const { settings, store } = this.#context
    const { sessionId } = this.#handoff
    const most = settings.limits.notesPerConversation
    for (const note of await store.conversations.notes.list(sessionId, this.#noted, most)) {
      if (this.#ended) return
      this.#noted = note.number
      this.#told.tell({ type: 'note', ...this.#names, note: noteOf(note) })
    }
  }

  #went(isGone: boolean): void {
    if (isGone && this.#noLonger !== null) this.#typed('stopped')
    if (this.#isGone === isGone) return
    this.#isGone = isGone
    this.#told.tell(this.#presence)
  }

  #end(reason: string | null): void {
    if (this.#ended) return
    this.dispose()
    this.#told.tell({ type: 'ended', ...this.#names, reason })
    this.#told.over()
  }
}

/**
 * Returns the end of a handoff, with the words of `LiveAgents.cancel` if no reason was given. Null for every other
 * event.
 */
function endOf(event: ConversationEvent): { readonly reason: string | null } | null {
  switch (event.type) {
    case 'LIVE_AGENT_LEFT':
    case 'HANDOFF_FAILED':
      return { reason: text(event, 'reason') || null }
    case 'HANDOFF_TIMEOUT':
      return { reason: 'timed out' }
    case 'USER_END_SESSION':
      return { reason: 'visitor ended' }
    case 'SESSION_END':
      return { reason: event.payload.reason === 'REASON_USER_ABANDONED' ? 'visitor left' : 'closed' }
    default:
      return null
  }
}

const text = ({ payload }: ConversationEvent, name: string): string => field(payload, name)

function field(object: unknown, name: string): string {
  const value: unknown = typeof object === 'object' && object !== null ? Reflect.get(object, name) : null
  return typeof value === 'string' ? value : ''
}

function agentOf({ payload }: ConversationEvent): NonNullable<DeskHandoff['agent']> {
  const { agent } = payload
  return { id: field(agent, 'id'), name: field(agent, 'name'), avatarUrl: field(agent, 'avatar_url') }
}
