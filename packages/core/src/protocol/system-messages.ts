import type { Refusal } from '../domain/conversation/command.ts'
import { FAILURE_TEXT } from '../domain/conversation/pending-inputs.ts'

const NOT_FOUND = 'Error: Conversation not found'

/**
 * The texts for a visitor whose command changed nothing (contract/messaging.md, Errors; CM12). Those from
 * `handoff_over` on never answer a visitor's own command.
 */
export const REFUSAL_TEXTS: Readonly<Record<Refusal, string>> = {
  not_joined: NOT_FOUND,
  ended: NOT_FOUND,
  no_deployment: FAILURE_TEXT.start,
  overloaded: FAILURE_TEXT.overload,
  handoff_over: FAILURE_TEXT.stream,
  not_accepted_by: FAILURE_TEXT.stream,
  transfer_to_self: FAILURE_TEXT.stream,
  talks_full: FAILURE_TEXT.stream,
  text_forestalled: FAILURE_TEXT.stream,
  return_not_allowed: FAILURE_TEXT.stream,
  fenced: FAILURE_TEXT.stream,
  not_awaited: FAILURE_TEXT.stream,
  not_recorded: FAILURE_TEXT.stream,
  out_of_order: FAILURE_TEXT.stream,
  too_large: FAILURE_TEXT.stream,
  outgrown: FAILURE_TEXT.stream,
}

/** The texts for a visitor whose frame was refused. */
export const FRAME_ERROR_TEXTS = {
  invalid: 'Unknown event type or invalid message format',
  tooLarge: 'Message too large',
  overload: FAILURE_TEXT.overload,
  rateLimited: 'Too many messages. Please slow down and try again.',
} as const

/** The text for a visitor whose message has the id of another one. Nothing was said (EN6). */
export const OTHER_WORDS_TEXT = 'The id of the message belongs to another message. Send a new one.'

/** The text for a page whose context token is refused. The reason is for the host's log alone (MS49). */
export const CONTEXT_TEXT = 'The verified context was not taken.'

/** @param wireType as the client sent it */
export const notAllowedText = (wireType: string): string => `Event type not allowed: ${wireType}`
