import { type OutboundCall, overdueAt, postponed } from '../../domain/call/outbound-call.ts'
import type { Context } from '../context.ts'
import { askProvider } from './ask-provider.ts'
import { momentOf } from './call-moment.ts'
import type { CallParts } from './call-parts.ts'
import { reportCall } from './report-call.ts'

/** Reports whether the time of a call is over (OC16). The call itself must not be over. */
export function isOverdue(context: Context, call: OutboundCall): boolean {
  const moment = momentOf(context)
  return moment.now >= overdueAt(call, moment)
}

/**
 * Polls the provider a last time about a call that is overdue, and fails it unless it has ended (OC16). Returns
 * the call as it is then. Returns null if it is gone, or if the request was cancelled.
 */
export async function settleOverdue(
  deps: CallParts,
  call: OutboundCall,
  closing?: AbortSignal,
): Promise<OutboundCall | null> {
  const told = await askProvider(deps, call, closing)
  if (told !== null) await reportCall(deps, call.id, told)
  if (closing?.aborted === true) return null
  return (await reportCall(deps, call.id, { type: 'overdue' }))?.call ?? null
}

/** Polls the provider about a call without a report for a long time (OC16). */
export async function askAboutSilent(
  deps: CallParts,
  call: OutboundCall,
  closing: AbortSignal,
): Promise<void> {
  const later = postponed(call, momentOf(deps))
  // Put off before it is asked: of several processes one asks, and a killed one leaves a call that is asked for again.
  if (later === null || (await deps.store.conversations.outboundCalls.save(later, call.version)) === 'stale')
    return
  const told = await askProvider(deps, later, closing)
  if (told !== null) await reportCall(deps, call.id, told)
}
