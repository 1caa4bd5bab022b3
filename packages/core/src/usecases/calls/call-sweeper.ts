import { isOver, type OutboundCall } from '../../domain/call/outbound-call.ts'
import type { Context } from '../context.ts'
import { startPollLoop } from '../shared/poll-loop.ts'
import { endConversation } from './call-conversation.ts'
import type { CallParts } from './call-parts.ts'
import { reportCall } from './report-call.ts'

/** How many calls are looked at in a round. */
const BATCH = 100

/** How often calls that are due are looked for, milliseconds: who reads one knows before (OC14). */
const PAUSE = 60_000

/** How soon it is looked again where the store was away, milliseconds. */
const RETRY = 5_000

/** Fails calls whose time is over, and forgets those that were over long enough. */
export interface CallSweeper {
  /** Begins no further round, and waits for the one that is under way. */
  stop(): Promise<void>
}

/**
 * Looks for calls that are due (OC14, OC15). Of several processes that do so at once one changes a call, as its version
 * tells.
 */
export function startCallSweeper(context: Context, parts: CallParts): CallSweeper {
  const { clock, store } = context
  const { outboundCalls } = store.conversations
  let stopped = false

  async function settle(call: OutboundCall): Promise<void> {
    if (!isOver(call)) {
      await reportCall(context, parts, call.id, { type: 'overdue' })
      return
    }
    // Left open by a crash between a report and what it does.
    await endConversation(parts, call)
    await outboundCalls.remove(call.id, call.version)
  }

  async function round(): Promise<number> {
    const due = await outboundCalls.due(clock.now(), BATCH)
    for (const call of due) {
      if (stopped) break
      await settle(call)
    }
    return due.length === BATCH ? 0 : PAUSE
  }

  const loop = startPollLoop(context, { name: 'outbound calls', round, retryAfter: RETRY })
  return {
    async stop() {
      stopped = true
      await loop.stop()
    },
  }
}
