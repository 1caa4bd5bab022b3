import type { ConversationEvent, TransientEvent } from '../../domain/conversation/event.ts'
import type { HandoffId } from '../../domain/ids.ts'
import type { Feed, FeedReader } from '../feed/feed.ts'
import type { Hold } from '../shared/held.ts'
import type { DeskEvent } from './desk-event.ts'
import type { DeskHandoff } from './desk-handoff.ts'

/** The addressee of what a conversation's notices tell its live agent: no visitor's connection has this id. */
export const TO_DESK = 'desk'

/** Where a handoff is taken up: as what, and after which event of its conversation. */
export interface HandoffStart {
  readonly handoff: DeskHandoff
  readonly status: 'waiting' | 'active'
  readonly position: number
}

/** A handoff whose conversation is followed until the handoff is over. */
export interface FollowedHandoff {
  readonly id: HandoffId
  /** What a new watcher is told first: that the visitor waits, or was accepted. */
  current(): Extract<DeskEvent, { type: 'waiting' | 'accepted' }>
  /** Takes over what the line knows better than the log: the position. */
  placed(listed: DeskHandoff): void
  /** Reads the log. Resolves when all its events are told. */
  readOn(): Promise<void>
  /** The line has lost it and the log does not say why. Does nothing when the log did. */
  vanish(): void
  dispose(): void
}

/**
 * Reads a handoff's log: messages, the live agent who takes it, its end (DK4, DK5). Nothing after the end is told. Long
 * because what is read changes what a new watcher is told.
 *
 * @param open the conversation's feed; released when the handoff is over
 * @param tell never throws
 * @param over called once, when the end was told
 */
export function followHandoff(
  open: Hold<Feed>,
  start: HandoffStart,
  tell: (event: DeskEvent) => void,
  over: () => void,
): FollowedHandoff {
  const feed = open.value
  const { handoffId, sessionId } = start.handoff
  let { handoff, status, position } = start
  let ended = false

  function dispose(): void {
    if (ended) return
    ended = true
    feed.leave(reader)
    open.release()
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
        const message = { messageId: text(event, 'message_id'), text: text(event, 'text'), sentAt: event.at }
        tell({ type: 'visitor_message', handoffId, sessionId, message })
      }
    },
    ephemeral(event) {
      const state = visitorTyping(event)
      if (!ended && state !== null) tell({ type: 'visitor_typing', handoffId, sessionId, state })
    },
    again() {},
    gap() {},
    failed() {},
  }
  // The line is told first: what the log holds already comes with the first read.
  feed.join(reader, position)

  return {
    id: handoffId,
    current: () => ({ type: status === 'waiting' ? 'waiting' : 'accepted', handoff }),
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

function visitorTyping({ type, to, payload }: TransientEvent): 'started' | 'stopped' | null {
  if (type !== 'USER_TYPING' || to !== TO_DESK) return null
  return payload.state === 'TYPING_STATE_STARTED' ? 'started' : 'stopped'
}
