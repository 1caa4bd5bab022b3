import { isForgotten, isOver, type OutboundCall } from '../../domain/call/outbound-call.ts'
import { PlatformError } from '../../errors.ts'
import type { CallOfAgent } from './call-fields.ts'
import type { CallParts } from './call-parts.ts'
import { isOverdue, settleOverdue } from './look-at-call.ts'

/**
 * Returns the current call (OC20). An overdue one is settled first, so that the state that is read here stays.
 *
 * @throws CALLS_NOT_FOUND
 */
export async function findCall(
  deps: CallParts,
  { agentId, environment, id }: CallOfAgent,
): Promise<OutboundCall> {
  const stored = await deps.store.conversations.outboundCalls.find(id)
  const isMeant =
    stored?.agentId === agentId && (environment === undefined || stored.environment === environment)
  const call =
    isMeant && !isOver(stored) && isOverdue(deps, stored) ? await settleOverdue(deps, stored) : stored
  if (isMeant && call !== null && !isForgotten(call, deps.clock.now())) return call
  throw new PlatformError(
    'CALLS_NOT_FOUND',
    'There is no such call. A call can be read for 2 hours after its end, in its environment.',
  )
}
