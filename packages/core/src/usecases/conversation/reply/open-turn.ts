import type { ConversationState } from '../../../domain/conversation/state.ts'
import type { TurnId } from '../../../domain/ids.ts'
import { PlatformError } from '../../../errors.ts'

/** Reports whether the turn is being run, or waits for those before it. */
export const isOpenTurn = ({ turn, pending }: ConversationState, turnId: TurnId): boolean =>
  turn?.id === turnId || pending.some(input => input.turnId === turnId)

/** Returns the error for a message of a conversation in which too many wait. */
export const tooManyWait = (): PlatformError =>
  new PlatformError('RATE_LIMITED', 'Too many messages of this conversation wait for an answer.', {
    retryAfterSeconds: 1,
  })
