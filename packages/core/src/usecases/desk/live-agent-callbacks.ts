import type { Command } from '../../domain/conversation/command.ts'
import { asId, type ConversationId, type HandoffId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Engine } from '../conversation/engine.ts'

/**
 * What a live-agent system reports. Each resolves to false, and changes nothing, when the handoff is over or was
 * never there.
 */
export interface LiveAgentCallbacks {
  accepted(handoffId: HandoffId): Promise<boolean>
  queueStatus(
    handoffId: HandoffId,
    status: { readonly position: number | null; readonly estimatedWaitSeconds: number | null },
  ): Promise<boolean>
  /** One live agent wins; later ones get false. */
  joined(
    handoffId: HandoffId,
    liveAgent: { readonly id: string; readonly name: string; readonly avatarUrl: string },
  ): Promise<boolean>
  typing(handoffId: HandoffId, state: 'started' | 'stopped'): Promise<boolean>
  /** A `messageId` that came before is taken once, and true. */
  message(
    handoffId: HandoffId,
    message: {
      readonly messageId: string
      readonly text: string
      readonly attachments?: readonly JsonObject[]
    },
  ): Promise<boolean>
  left(handoffId: HandoffId, reason?: string): Promise<boolean>
  failed(handoffId: HandoffId, reason?: string): Promise<boolean>
}

/** `engine` is asked for late: the live-agent system and the engine know each other. */
export function createLiveAgentCallbacks(engine: () => Pick<Engine, 'execute'>): LiveAgentCallbacks {
  async function report(handoffId: HandoffId, command: Command): Promise<boolean> {
    const conversationId = asId<ConversationId>(handoffId.slice(0, Math.max(handoffId.lastIndexOf('.'), 0)))
    const outcome = await engine().execute(conversationId, command)
    return outcome.status === 'done' || outcome.status === 'duplicate'
  }
  return {
    accepted: handoffId => report(handoffId, { type: 'handoff_accepted', handoffId }),
    queueStatus: (handoffId, status) => report(handoffId, { type: 'queue_status', handoffId, ...status }),
    joined: (handoffId, liveAgent) => report(handoffId, { type: 'live_agent_joined', handoffId, liveAgent }),
    typing: (handoffId, state) => report(handoffId, { type: 'live_agent_typing', handoffId, state }),
    message: (handoffId, { messageId, text, attachments = [] }) =>
      report(handoffId, { type: 'live_agent_message', handoffId, messageId, text, attachments }),
    left: (handoffId, reason) =>
      report(handoffId, { type: 'live_agent_left', handoffId, reason: reason ?? null }),
    failed: (handoffId, reason) =>
      report(handoffId, { type: 'handoff_failed', handoffId, reason: reason ?? null }),
  }
}
