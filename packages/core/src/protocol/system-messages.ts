import type { Refusal, TurnFailure } from '../domain/conversation/command.ts'

/** How serious a `SYSTEM_MESSAGE` is. */
export type SystemMessageLevel =
  | 'SYSTEM_MESSAGE_LEVEL_INFO'
  | 'SYSTEM_MESSAGE_LEVEL_WARNING'
  | 'SYSTEM_MESSAGE_LEVEL_ERROR'

const CANNOT_START = "Sorry, I'm unable to start a conversation right now. Please try again later."
const CANNOT_REPLY = "Sorry, I'm having trouble responding right now. Please try again."
const OVERLOAD = 'Our system is experiencing high load. Please try again in a moment.'
const NOT_FOUND = 'Error: Conversation not found'
const FAILED = 'Sorry, I encountered an error. Please try again.'

/** What a visitor reads when a turn fails (decisions.md section 8, Errors). */
export const TURN_FAILURE_TEXTS: Readonly<Record<TurnFailure, string>> = {
  start: CANNOT_START,
  reply: CANNOT_REPLY,
  stream: FAILED,
  overload: OVERLOAD,
}

/** What a visitor reads when a command changed nothing. The last three never answer a visitor's own command. */
export const REFUSAL_TEXTS: Readonly<Record<Refusal, string>> = {
  not_joined: NOT_FOUND,
  ended: NOT_FOUND,
  no_deployment: CANNOT_START,
  overloaded: OVERLOAD,
  handoff_over: FAILED,
  fenced: FAILED,
  not_awaited: FAILED,
}

/** What a visitor reads when a frame was not taken at all. */
export const FRAME_ERROR_TEXTS = {
  invalid: 'Unknown event type or invalid message format',
  tooLarge: 'Message too large',
  overload: OVERLOAD,
  rateLimited: 'Too many messages. Please slow down and try again.',
} as const

/** @param wireType as the client sent it */
export const notAllowedText = (wireType: string): string => `Event type not allowed: ${wireType}`
