import type { SystemMessageLevel } from '../../domain/conversation/event-payloads.ts'
import { withoutMarks } from '../../domain/conversation/spoken.ts'
import { type ClientEvent, type FrameError, parseClientFrame } from '../../protocol/client-frame.ts'
import { FRAME_ERROR_TEXTS } from '../../protocol/system-messages.ts'
import type { SessionUse } from './open-sessions.ts'

/** A frame that was read: an event to carry out, or the message for its sender instead. */
export type Task = { readonly length: number } & (
  | { readonly event: ClientEvent }
  | { readonly refusal: FrameError; readonly level: SystemMessageLevel }
)

/** Events that are written, as far as they are taken. */
const WRITTEN: ReadonlySet<ClientEvent['type']> = new Set([
  'USER_MESSAGE',
  'REQUEST_AI_AGENT_JOIN',
  'SET_CONTEXT',
])

/** Warns the sender of frames that are not read; once, until a frame is read again. */
export const SLOWED: Task = {
  length: 0,
  refusal: { error: FRAME_ERROR_TEXTS.rateLimited, custom: null },
  level: 'SYSTEM_MESSAGE_LEVEL_WARNING',
}

/**
 * Parses a frame when it arrives: rate limits and signs of life count from that moment.
 *
 * @param isCall the sender is the gateway of calls, which alone says how a message was said (VG1)
 */
export function readFrame(use: Pick<SessionUse, 'session' | 'allow'>, frame: string, isCall = false): Task {
  const { parts, presence } = use.session
  const { context, names } = parts
  const parsed = parseClientFrame(frame, names, context.settings.limits)
  const event = isCall ? parsed : { ...parsed, custom: withoutMarks(parsed.custom) }
  const { length } = frame
  const takesEffect = !('error' in event) && WRITTEN.has(event.type)
  const ends = !('error' in event) && event.type === 'USER_END_SESSION'
  // Writing an event counts as a sign of life; when the event is not written, take-event reports one.
  if (!takesEffect && !ends) presence.seen()
  if (!ends && !use.allow(takesEffect ? 'event' : 'signal')) {
    presence.seen()
    const refusal = { error: FRAME_ERROR_TEXTS.rateLimited, custom: event.custom }
    return { length, refusal, level: 'SYSTEM_MESSAGE_LEVEL_WARNING' }
  }
  if ('error' in event) return { length, refusal: event, level: 'SYSTEM_MESSAGE_LEVEL_ERROR' }
  return { length, event }
}
