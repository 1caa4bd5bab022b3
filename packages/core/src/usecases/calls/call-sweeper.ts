import { isOver, type OutboundCall } from '../../domain/call/outbound-call.ts'
import { until } from '../../schedule/until.ts'
import { endConversation } from './call-conversation.ts'
import type { CallParts } from './call-parts.ts'
import { askAboutSilent, isOverdue, settleOverdue } from './look-at-call.ts'

/** The number of calls in a round. */
const BATCH = 100

/** The number of them handled at once. Each may wait for the provider. */
const AT_ONCE = 10

/** The time until the next check if due calls are left, milliseconds. A read of a call settles it earlier (OC16). */
const LEFT = 1_000

/** Polls silent calls, fails overdue ones, and removes those that have been over for long enough. */
export interface CallSweeper {
  /** Starts no further round, cancels its questions to the provider, and waits for the round in progress. */
  stop(): Promise<void>
}

/**
 * Looks for calls that are due (OC16). If several processes do so at once, the version lets one of them change
 * a call.
 */
export function startCallSweeper(deps: CallParts): CallSweeper {
  const { clock, scheduler, store } = deps
  const { outboundCalls } = store.conversations
  const closing = new AbortController()

  async function settle(call: OutboundCall): Promise<void> {
    if (!isOver(call)) {
      if (isOverdue(deps, call)) await settleOverdue(deps, call, closing.signal)
      else await askAboutSilent(deps, call, closing.signal)
      return
    }
    // Left open by a crash between a report and what it does.
    await endConversation(deps, call)
    await outboundCalls.remove(call.id, call.version)
  }

  async function round(): Promise<number | null> {
    const due = await outboundCalls.due(clock.now(), BATCH)
    for (let from = 0; from < due.length && !closing.signal.aborted; from += AT_ONCE)
      await Promise.all(due.slice(from, from + AT_ONCE).map(settle))
    return due.length === BATCH ? 0 : until(await outboundCalls.nextDue(), clock.now(), LEFT)
  }

  const job = scheduler.begin({ name: 'outbound calls', kind: 'calls', round })
  return {
    async stop() {
      closing.abort(new Error('The platform is closed.'))
      await job.stop()
    },
  }
}
