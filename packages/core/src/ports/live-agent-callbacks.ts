import type { HandoffId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'

/**
 * The reports of a live-agent system. Each resolves to false, and changes nothing, if the handoff is over or never
 * existed. Invalid input is rejected with SCHEMA_VALIDATION_FAILED, and changes nothing either (DK21).
 */
export interface LiveAgentCallbacks {
  /** It is in the queue. */
  accepted(handoffId: HandoffId): Promise<boolean>
  /**
   * Whole numbers, from 0; null for what is not known. `displayMessage`: words for the visitor, 1 to 1,000 characters.
   */
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
   * https address of at most 2,048; empty for none (DK21).
   */
  joined(
    handoffId: HandoffId,
    liveAgent: { readonly id: string; readonly name: string; readonly avatarUrl: string },
  ): Promise<boolean>
  /** The live agent types, or stopped. */
  typing(handoffId: HandoffId, state: 'started' | 'stopped'): Promise<boolean>
  /**
   * A text of at most `limits.replyLength` characters, attachments, call actions, or several of them. A `messageId` (1
   * to 200 characters) that came before is taken once, and true.
   */
  message(
    handoffId: HandoffId,
    message: {
      readonly messageId: string
      readonly text: string
      /** As in `DeskMessage`. @default none */
      readonly attachments?: readonly JsonObject[]
      /** As in `DeskMessage`. @default none */
      readonly chatCallActions?: readonly JsonObject[]
      /** As in `DeskMessage`. @default none */
      readonly responseSuggestions?: readonly JsonObject[]
    },
  ): Promise<boolean>
  /** The live agent has left: the session ends. */
  left(handoffId: HandoffId, reason?: string): Promise<boolean>
  /**
   * The live agent gives the visitor back to the AI agent, which gets the messages whose `forward` has not resolved.
   *
   * @throws HANDOFF_CONFLICT where the setting `returnToAgent` is off
   */
  returned(handoffId: HandoffId, reason?: string): Promise<boolean>
  /** No live agent is available; for a waiting handoff. */
  failed(handoffId: HandoffId, reason?: string): Promise<boolean>
}
