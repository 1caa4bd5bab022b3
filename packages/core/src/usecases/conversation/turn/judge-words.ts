import { publicId } from '../../../domain/conversation/conversation-key.ts'
import { conversationFacts } from '../../../domain/conversation/platform-event.ts'
import { type ConversationState, isGenuine } from '../../../domain/conversation/state.ts'
import { type CheckedVerdict, guardVerdictSchema } from '../../../domain/guard/guard-verdict.ts'
import { parse } from '../../../domain/parse.ts'
import { PlatformError } from '../../../errors.ts'
import type { Guard, GuardedWords } from '../../../ports/guard.ts'
import { within } from '../../../shared/deadline.ts'
import type { Context } from '../../context.ts'
import type { CallOff } from './call-off.ts'

/** Replaces the guard's own error, which may hold words and is told to the host alone. */
const FAILED = 'The guard failed, and nothing is said that it has not judged.'

/** A turn whose words are judged. */
export interface JudgedTurn {
  readonly state: ConversationState
  readonly language: string
  readonly callOff: CallOff
}

/** Refuses texts that are longer than a reply may be. */
function checkedVerdict(verdict: unknown, most: number): CheckedVerdict {
  const checked = parse(guardVerdictSchema(), verdict, "guard's verdict field")
  if ('text' in checked && checked.text.length > most)
    throw new PlatformError(
      'SCHEMA_VALIDATION_FAILED',
      `The guard's verdict field "text" is too long: at most ${most} characters.`,
    )
  return checked
}

/**
 * Asks the guard, within its deadline, and counts its verdict (GU4, GU6).
 * @throws AGENT_FAILED if it fails and `guardFailure` is `refuse`; the reason of a turn that is called off
 */
export async function judgeWords(
  { clock, observers, settings }: Context,
  guard: Guard,
  { callOff, language, state }: JudgedTurn,
  words: Pick<GuardedWords, 'direction' | 'text' | 'beside'>,
): Promise<CheckedVerdict> {
  const { accountId, agentId, environment } = state
  const about = { accountId, agentId, environment, conversationId: publicId(state.id), language }
  const began = clock.monotonic()
  function tell(verdict: CheckedVerdict['verdict'] | 'failed'): void {
    if (!isGenuine(state.kind)) return
    const duration = Math.max(clock.monotonic() - began, 0)
    const { direction } = words
    observers.tell({
      type: 'words.guarded',
      event: { ...conversationFacts(state), direction, verdict, duration },
    })
  }
  if (callOff.done) throw callOff.reason
  const limit = settings.guardDeadline
  const late = new Error(`The guard did not answer within ${limit} ms.`)
  try {
    const verdict = await within(clock, { limit, late, outer: callOff.signal }, async signal =>
      guard.judge({ ...words, ...about }, signal),
    )
    const checked = checkedVerdict(verdict, settings.limits.replyLength)
    tell(checked.verdict)
    return checked
  } catch (error) {
    if (callOff.done) throw error
    settings.onError(error, 'guard')
    tell('failed')
    if (settings.guardFailure === 'allow') return { verdict: 'allow' }
    throw new PlatformError('AGENT_FAILED', FAILED)
  }
}
