import type { Command } from '../../domain/conversation/command.ts'
import { readHandoffId } from '../../domain/conversation/handoff-id.ts'
import type { HandoffId } from '../../domain/ids.ts'
import { parse } from '../../domain/parse.ts'
import type { LiveAgentCallbacks } from '../../ports/live-agent-callbacks.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { refuseOtherWords } from './desk-handoff.ts'
import { liveAgentSchema, queueStatusSchema, reportedMessageSchema } from './desk-input.ts'

/**
 * The callbacks over the engine.
 *
 * @param replyLength characters of a message at most
 */
export function createLiveAgentCallbacks(
  engine: Pick<Engine, 'execute'>,
  replyLength: number,
): LiveAgentCallbacks {
  const messageSchema = reportedMessageSchema(replyLength)
  async function report(handoffId: HandoffId, command: Command): Promise<boolean> {
    const { conversationId } = readHandoffId(handoffId)
    const outcome = await engine.execute(conversationId, command)
    if (outcome.status === 'duplicate' && command.type === 'live_agent_message')
      refuseOtherWords(outcome.event, command)
    return outcome.status === 'done' || outcome.status === 'duplicate'
  }
  return {
    accepted: handoffId => report(handoffId, { type: 'handoff_accepted', handoffId }),
    async queueStatus(handoffId, status) {
      const reported = parse(queueStatusSchema, status, "queue status's field")
      return report(handoffId, { type: 'queue_status', handoffId, ...reported })
    },
    async joined(handoffId, who) {
      const liveAgent = parse(liveAgentSchema, who, "live agent's field")
      return report(handoffId, { type: 'live_agent_joined', handoffId, liveAgent })
    },
    typing: (handoffId, state) => report(handoffId, { type: 'live_agent_typing', handoffId, state }),
    async message(handoffId, message) {
      const said = parse(messageSchema, message, 'message field')
      return report(handoffId, { type: 'live_agent_message', handoffId, ...said })
    },
    left: (handoffId, reason) =>
      report(handoffId, { type: 'live_agent_left', handoffId, reason: reason ?? null }),
    failed: (handoffId, reason) =>
      report(handoffId, { type: 'handoff_failed', handoffId, reason: reason ?? null }),
  }
}
