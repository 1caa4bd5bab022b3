import type { ConversationEvent } from '../../domain/conversation/event.ts'
import type { EventPayloads } from '../../domain/conversation/event-payloads.ts'
import type { ConversationId, HandoffId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import type { Feed, FeedReader } from '../room/feed.ts'
import type { Room } from '../room/room.ts'
import type { Rooms } from '../room/rooms.ts'
import type { DeskEvent } from './desk-event.ts'
import type { DeskHandoff } from './desk-handoff.ts'

/** The addressee of what a conversation's notices tell its live agent: no visitor's connection has this id. */
export const TO_DESK = 'desk'

/** A visitor types for so long after the last sign of it, milliseconds (DK543). */
const TYPING_LASTS = 10_000

/** A notice may be lost: after so many questions without an answer a visitor is gone (DK544). */
const UNANSWERED = 2

type Presence = EventPayloads['USER_PRESENCE']['state']

/** Says something of a visitor's connections, to desks and to the processes that have them. */
export function publishPresence(rooms: Pick<Rooms, 'publish'>, id: ConversationId, state: Presence): void {
  const transients = [{ type: 'USER_PRESENCE', payload: { state }, custom: null, to: TO_DESK }] as const
  rooms.publish(id, { sequence: 0, events: [], transients })
}

/** Where a handoff is taken up: as what, and after which event of its conversation. */
export interface HandoffStart {
  /** Whether visitors of its kind have connections. */
  readonly connects: boolean
  readonly handoff: DeskHandoff
  readonly status: 'waiting' | 'active'
  readonly position: number
}

/** A handoff whose conversation is followed until the handoff is over. */
export interface FollowedHandoff {
  readonly id: HandoffId
  /** What a new watcher is told first: that the visitor waits, or was accepted. */
  current(): Extract<DeskEvent, { type: 'waiting' | 'accepted' }>
  /** Whether the visitor is gone, which a new watcher is told, too. */
  presence(): readonly DeskEvent[]
  /** Asks again whether the visitor is there. One for whom no process answers any more is gone. */
  ask(): void
  /** Takes over what the line knows better than the log: the position. */
  placed(listed: DeskHandoff): void
  /** Reads the log. Resolves when all its events are told. */
  readOn(): Promise<void>
  /** The line has lost it and the log does not say why. Does nothing when the log did. */
  vanish(): void
  dispose(): void
}

/** A handoff that was found, with its conversation, which is followed until the handoff is over. */
export interface FoundHandoff {
  readonly room: Pick<Room, 'unfollow'>
  readonly feed: Feed
  readonly start: HandoffStart
}

/**
 * Reads a handoff's log: messages, the live agent who takes it, its end (DK4, DK5). Nothing after the end is told. Long
 * because what is read changes what a new watcher is told.
 *
 * @param tell never throws
 * @param over called once, when the end was told
 */
export function followHandoff(
  { clock, rooms }: Pick<Context, 'clock' | 'rooms'>,
  { feed, room, start }: FoundHandoff,
  tell: (event: DeskEvent) => void,
  over: () => void,
): FollowedHandoff {
  const { handoffId, sessionId } = start.handoff
  let { handoff, status, position } = start
  let ended = false
  /** The visitor types: ends the wait for another sign of it. */
  let noLonger: (() => void) | null = null

  function typed(state: 'started' | 'stopped'): void {
    noLonger?.()
    noLonger = state === 'started' ? clock.schedule(TYPING_LASTS, () => typed('stopped')) : null
    tell({ type: 'visitor_typing', handoffId, sessionId, state })
  }

  let isGone = false
  /** How often it was asked for the visitor since one was heard of. */
  let asked = 0

  const presence = (): DeskEvent => ({
    ...{ type: 'visitor_presence', handoffId, sessionId },
    state: isGone ? 'gone' : 'here',
  })

  function went(nowGone: boolean): void {
    if (nowGone && noLonger !== null) typed('stopped')
    if (isGone === nowGone) return
    isGone = nowGone
    tell(presence())
  }

  function ask(): void {
    if (!start.connects || ended) return
    if (asked >= UNANSWERED) went(true)
    asked++
    publishPresence(rooms, sessionId, 'asked')
  }

  function dispose(): void {
    if (ended) return
    ended = true
    noLonger?.()
    feed.leave(reader)
    room.unfollow()
  }

  function end(reason: string | null): void {
    if (ended) return
    dispose()
    tell({ type: 'ended', handoffId, sessionId, reason })
    over()
  }

  const reader: FeedReader = {
    event(event) {
      if (ended || event.sequence <= position) return
      position = event.sequence
      const ending = endOf(event)
      if (ending !== null) end(ending.reason)
      else if (event.type === 'LIVE_AGENT_JOINED') {
        status = 'active'
        handoff = { ...handoff, status: 'active', position: null, agent: agentOf(event) }
        tell({ type: 'accepted', handoff })
      } else if (event.type === 'USER_MESSAGE') {
        noLonger?.()
        noLonger = null
        const message = { messageId: text(event, 'message_id'), text: text(event, 'text'), sentAt: event.at }
        tell({ type: 'visitor_message', handoffId, sessionId, message })
      }
    },
    ephemeral(event) {
      if (ended || event.to !== TO_DESK) return
      const { state } = event.payload
      if (event.type === 'USER_TYPING') typed(state === 'TYPING_STATE_STARTED' ? 'started' : 'stopped')
      else if (state !== 'asked') {
        asked = 0
        went(state === 'gone')
      }
    },
    again() {},
    gap() {},
    failed() {},
  }
  // The line is told first: what the log holds already comes with the first read.
  feed.join(reader, position)
  ask()

  return {
    id: handoffId,
    current: () => ({ type: status === 'waiting' ? 'waiting' : 'accepted', handoff }),
    presence: () => (isGone ? [presence()] : []),
    ask,
    placed(listed) {
      if (status === 'waiting' && listed.position !== null)
        handoff = { ...handoff, position: listed.position }
    },
    async readOn() {
      if (!ended && !(await feed.readOn()))
        throw new Error(`The log of conversation ${sessionId} cannot be read.`)
    },
    vanish: () => end(null),
    dispose,
  }
}

/** How a handoff ends, in the words of `LiveAgents.cancel` where no reason was given; null for every other event. */
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
