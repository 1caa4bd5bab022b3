import type { Command } from '../../domain/conversation/command.ts'
import { readHandoffId } from '../../domain/conversation/handoff-id.ts'
import type { HandoffId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { parse } from '../../domain/parse.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { liveAgentSchema, queueStatusSchema, reportedMessageSchema } from './desk-input.ts'

/**
 * What a live-agent system reports. Each resolves to false, and changes nothing, when the handoff is over or was
 * never there. What does not fit is rejected with SCHEMA_VALIDATION_FAILED, and changes nothing either (DK23).
 */
export interface LiveAgentCallbacks {
  /** It is in the queue. */
  accepted(handoffId: HandoffId): Promise<boolean>
  /** Whole numbers, from 0; null for what is not known. `displayMessage`: words for the visitor, 1 to 1,000 characters. */
  queueStatus(
    handoffId: HandoffId,
    status: {
      readonly position: number | null
      readonly estimatedWaitSeconds: number | null
      /** @default null, none */
      readonly displayMessage?: string | null
    },
  ): Promise<boolean>
  /**
   * One live agent wins; later ones get false. `id` and `name` have 1 to 200 characters, `avatarUrl` is an http or
   * https address of at most 2,048; empty for none (DK24).
   */
  joined(
    handoffId: HandoffId,
    liveAgent: { readonly id: string; readonly name: string; readonly avatarUrl: string },
  ): Promise<boolean>
  /** The live agent types, or stopped. */
  typing(handoffId: HandoffId, state: 'started' | 'stopped'): Promise<boolean>
  /**
   * A text of at most `limits.replyLength` characters, attachments, call actions, or several of them. A `messageId` (1 to 200 characters) that came before is
   * taken once, and true.
   */
  message(
    handoffId: HandoffId,
    message: {
      readonly messageId: string
      readonly text: string
      /** As in `DeskMessage`. @default none */
      readonly attachments?: readonly JsonObject[]
      /** As in `DeskMessage`. @default none */
      readonly callActions?: readonly JsonObject[]
      /** As in `DeskMessage`. @default none */
      readonly suggestions?: readonly JsonObject[]
    },
  ): Promise<boolean>
  /** The live agent has left: the session ends. */
  left(handoffId: HandoffId, reason?: string): Promise<boolean>
  /** Nobody can come; for a handoff that waits. */
  failed(handoffId: HandoffId, reason?: string): Promise<boolean>
}

/**
 * `engine` is asked for late: the live-agent system and the engine know each other.
 *
 * @param replyLength characters of a message at most
 */
export function createLiveAgentCallbacks(
  engine: () => Pick<Engine, 'execute'>,
  replyLength: number,
): LiveAgentCallbacks {
  const messageSchema = reportedMessageSchema(replyLength)
  async function report(handoffId: HandoffId, command: Command): Promise<boolean> {
    const { conversationId } = readHandoffId(handoffId)
    const outcome = await engine().execute(conversationId, command)
    return outcome.status === 'done' || outcome.status === 'duplicate'
  }
  return {
    accepted: handoffId => report(handoffId, { type: 'handoff_accepted', handoffId }),
    async queueStatus(handoffId, status) {
      const place = parse(queueStatusSchema, status, "queue status's field")
      return report(handoffId, { type: 'queue_status', handoffId, ...place })
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
