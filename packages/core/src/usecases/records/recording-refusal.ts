import type { ConversationId } from '../../domain/ids.ts'
import { isoTime } from '../../domain/time.ts'
import { PlatformError } from '../../errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Outcome } from '../conversation/engine/engine.ts'

/** The error of a turn or an end that a conversation's record did not take (RC35). */
export function refusalOf(
  id: ConversationId,
  outcome: Outcome,
  { limits }: Pick<Settings, 'limits'>,
): PlatformError {
  if (outcome.status !== 'refused') {
    return new PlatformError('CONVERSATIONS_NOT_FOUND', `There is no conversation ${id}.`)
  }
  const { state } = outcome
  switch (outcome.refusal) {
    case 'not_recorded':
      return new PlatformError(
        'CONVERSATION_NOT_RECORDED',
        `The conversation ${id} writes its own record. Only conversations started with conversations.start can be recorded.`,
      )
    case 'ended':
      return new PlatformError(
        'CONVERSATION_FINISHED',
        `The conversation ${id} has finished; it takes no turns.`,
      )
    case 'outgrown':
      return new PlatformError(
        'SCHEMA_VALIDATION_FAILED',
        `The conversation ${id} would reach limits.conversationBytes (${limits.conversationBytes} bytes of JSON) or limits.conversationEvents (${limits.conversationEvents} events). Finish it, and go on in another one.`,
      )
    case 'too_large':
      return new PlatformError(
        'SCHEMA_VALIDATION_FAILED',
        `variables and metrics: those of a conversation have at most limits.variableBytes (${limits.variableBytes}) bytes of JSON each.`,
      )
    default:
      return new PlatformError(
        'SCHEMA_VALIDATION_FAILED',
        `The times are out of order: the conversation began at ${isoTime(state.startedAt)}, and its newest response was at ${isoTime(state.seenAt)}. No input may lie before the former, no response or end before the latter, and aiDuration is at most the whole duration.`,
      )
  }
}
