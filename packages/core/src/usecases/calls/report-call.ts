import { type CallReport, isOver, type OutboundCall, reported } from '../../domain/call/outbound-call.ts'
import { PlatformError } from '../../errors.ts'
import { untilWritten } from '../shared/until-written.ts'
import { beginConversation, endConversation } from './call-conversation.ts'
import { momentOf } from './call-moment.ts'
import type { CallParts } from './call-parts.ts'

const conflict = (): PlatformError =>
  new PlatformError('WRITE_CONFLICT', 'Too much is reported of the call at once. Try again.')

/** A call after a report. */
export interface Reported {
  readonly call: OutboundCall
  /** Whether the report has changed it. */
  readonly changed: boolean
}

/**
 * Applies a report of a call. An end of an answered call counts as both reports, so that the call has its conversation
 * also if the first one is late (OC10).
 */
export async function reportCall(deps: CallParts, id: string, report: CallReport): Promise<Reported | null> {
  if (report.type === 'ended' && report.answered === true) await takeReport(deps, id, { type: 'answered' })
  return takeReport(deps, id, report)
}

/**
 * Applies one report of a call (OC10 to OC16): once, in whatever order reports come. Null for a call that is not there.
 * The conversation begins before the call is marked as answered, and ends before the call is over. If a crash
 * interrupts that, the repeated report or the sweeper completes it.
 */
async function takeReport(deps: CallParts, id: string, report: CallReport): Promise<Reported | null> {
  const { store } = deps
  const { outboundCalls } = store.conversations
  const done = await untilWritten<{ readonly of: Reported | null }>(conflict, async () => {
    const call = await outboundCalls.find(id)
    if (call === null) return { of: null }
    const next = reported(call, report, momentOf(deps))
    if (next === null) return { of: { call, changed: false } }
    if (next.phase === 'answered') await beginConversation(deps, next)
    if (isOver(next)) await endConversation(deps, next)
    return (await outboundCalls.save(next, call.version)) === 'saved'
      ? { of: { call: next, changed: true } }
      : 'stale'
  })
  // Another report may have ended the call while this one began the conversation.
  if (report.type === 'answered' && (done.of === null || isOver(done.of.call)))
    await endConversation(deps, { id })
  return done.of
}
