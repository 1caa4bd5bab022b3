import type { ConversationId } from '../../domain/ids.ts'
import { isoTime } from '../../domain/time.ts'
import { PlatformError } from '../../errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Outcome } from '../conversation/engine/engine.ts'

/** Returns the error of a turn or an end that a conversation's record did not take (RC35). */
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
        `The conversation ${id} writes its own record. Only those begun with conversations.start can be recorded.`,
      )
    case 'ended':
      return new PlatformError(
        'CONVERSATION_FINISHED',
        `The conversation ${id} has finished; it takes no turns.`,
      )
    case 'outgrown': {
      const bytes = `limits.conversationBytes (${limits.conversationBytes} bytes of JSON)`
      const events = `limits.conversationEvents (${limits.conversationEvents} events)`
      return new PlatformError(
        'SCHEMA_VALIDATION_FAILED',
        `The conversation ${id} would reach ${bytes} or ${events}. Finish it, and go on in another one.`,
      )
    }
    case 'too_large':
      return new PlatformError(
        'SCHEMA_VALIDATION_FAILED',
        `Variables and metrics must each have at most limits.variableBytes (${limits.variableBytes}) bytes of JSON.`,
      )
    default: {
      const [began, newest] = [isoTime(state.startedAt), isoTime(state.seenAt)]
      const wrong = `The times are out of order: the conversation began at ${began}, its newest response was at ${newest}.`
      const inputs = 'An input must not be before the former, a response or end not before the latter'
      const message = `${wrong} ${inputs}, and aiDuration not above the duration.`
      return new PlatformError('SCHEMA_VALIDATION_FAILED', message)
    }
  }
}
