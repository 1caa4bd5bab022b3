import type { ConversationState, Handoff } from '../../domain/conversation/state.ts'
import { PlatformError } from '../../errors.ts'
import type { DeskHandoff } from './desk.ts'

/** The refusal of an id that names no handoff of the account. */
export const notFound = (handoffId: string) =>
  new PlatformError('HANDOFF_NOT_FOUND', `There is no handoff ${handoffId}.`)

/** The refusal of what a handoff does not allow now. */
const conflict = (message: string) => new PlatformError('HANDOFF_CONFLICT', message)

/** Why a handoff does not allow something, and what it allows. */
export function refusal(handoff: Handoff | null, handoffId: string): PlatformError {
  if (handoff?.id !== handoffId || handoff.status === 'over') return conflict('The handoff is over.')
  if (handoff.status === 'active')
    return conflict(
      `The handoff was accepted by ${handoff.liveAgent?.name}: type, write or leave. It can no longer be accepted or rejected.`,
    )
  return conflict('The handoff waits: accept it before you type, write or leave, or reject it.')
}

/** A handoff as its conversation's state has it. */
export interface Found {
  readonly state: ConversationState
  readonly handoff: Handoff
}

/** A handoff as a live agent sees it. `position` is null while it does not wait. */
export const describe = ({ state, handoff }: Found, position: number | null): DeskHandoff => ({
  handoffId: handoff.id,
  sessionId: state.id,
  status: handoff.status,
  queueName: handoff.queueName,
  reason: handoff.reason,
  destination: handoff.destination,
  waitingSince: handoff.requestedAt,
  position,
  agent: handoff.liveAgent,
})
