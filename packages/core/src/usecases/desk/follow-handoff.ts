import type { ConversationEvent, TransientEvent } from '../../domain/conversation/event.ts'
import type { HandoffId } from '../../domain/ids.ts'
import type { Notice } from '../../ports/bus.ts'
import type { Context } from '../context.ts'
import type { DeskHandoff } from './desk.ts'
import type { DeskEvent } from './desk-feed.ts'

/** Events of a log that are read at a time. */
const PAGE_EVENTS = 500

/** The addressee of what is said on a conversation's bus to its live agent: no visitor's connection has this id. */
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
  /** What somebody who comes now is told first: that the visitor waits, or was taken. */
  standing(): Extract<DeskEvent, { type: 'waiting' | 'accepted' }>
  /** Takes over what the line knows better than the log: the place. */
  placed(listed: DeskHandoff): void
  /** Reads on in the log. Resolves when everything that was in it is told. */
  look(): Promise<void>
  /** The line has lost it and the log does not say why. Does nothing when the log did. */
  vanish(): void
  dispose(): void
}

/**
 * Reads a handoff's log: messages, the live agent who takes it, its end (DK4, DK5). A notice says only how far the log has
 * grown, and its events are used only when they follow the last one that was told; nothing behind the end is told.
 *
 * @param tell never throws
 * @param over called once, when the end was told
 */
export function followHandoff(
  context: Context,
  start: HandoffStart,
  tell: (event: DeskEvent) => void,
  over: () => void,
): FollowedHandoff {
  const { bus, settings, store } = context
  const { handoffId, sessionId } = start.handoff
  let { handoff, status, position } = start
  let heard = position
  let typing: { readonly state: 'started' | 'stopped'; readonly after: number } | null = null
  let reading: Promise<void> | null = null
  let ended = false

  function end(reason: string | null): void {
    if (ended) return
    dispose()
    tell({ type: 'ended', handoffId, sessionId, reason })
    over()
  }

  function take(event: ConversationEvent): void {
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
  }

  /** Takes the events that follow, however often and in whatever pieces they come. */
  function advance(events: readonly ConversationEvent[]): void {
    for (const event of events) {
      if (ended || event.sequence > position + 1) return
      if (event.sequence <= position) continue
      position = event.sequence
      take(event)
    }
  }

  function tellTyping(): void {
    if (ended || typing === null || typing.after > position) return
    const { state } = typing
    typing = null
    tell({ type: 'visitor_typing', handoffId, sessionId, state })
  }

  async function read(): Promise<void> {
    const from = position
    const announced = heard
    for (let more = true; more && !ended; ) {
      const page = await store.conversations.eventPage(sessionId, position, {
        count: PAGE_EVENTS,
        bytes: settings.limits.sliceBytes,
      })
      advance(page.events)
      more = page.more
    }
    tellTyping()
    // What was heard of meanwhile; a log that lags behind its notices is left to the next look.
    if (!ended && heard > position && (position > from || heard > announced)) await read()
  }

  async function look(): Promise<void> {
    if (ended) return
    const before = reading
    const run = (before ?? Promise.resolve()).then(read, read)
    reading = run
    try {
      await run
    } finally {
      if (reading === run) reading = null
    }
  }

  function hear(notice: Notice): void {
    heard = Math.max(heard, notice.sequence)
    const said = notice.transients.flatMap(visitorTyping).at(-1)
    if (said !== undefined) typing = { state: said, after: notice.sequence }
    advance(notice.events)
    if (ended) return
    if (heard <= position) tellTyping()
    else if (reading === null) look().catch(error => settings.onError(error, 'desk feed'))
  }

  const unsubscribe = bus.subscribe(sessionId, hear)
  function dispose(): void {
    ended = true
    unsubscribe()
  }

  return {
    id: handoffId,
    standing: () => ({ type: status === 'waiting' ? 'waiting' : 'accepted', handoff }),
    placed(listed) {
      if (status === 'waiting' && listed.position !== null)
        handoff = { ...handoff, position: listed.position }
    },
    look,
    vanish: () => end(null),
    dispose,
  }
}

/** How a handoff ends, in the words of `LiveAgents.cancel` where nobody gave a reason; null for every other event. */
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

const visitorTyping = ({ type, to, payload }: TransientEvent): readonly ('started' | 'stopped')[] => {
  if (type !== 'USER_TYPING' || to !== TO_DESK) return []
  return [payload.state === 'TYPING_STATE_STARTED' ? 'started' : 'stopped']
}
