import type { SentFile } from '../domain/conversation/event-payloads.ts'
import type { SessionVisitor } from '../domain/conversation/visitor.ts'
import type { AccountId, AgentId, ConversationId, HandoffId } from '../domain/ids.ts'

/** The hand-over that a call is about. */
export interface HandoffContext {
  readonly handoffId: HandoffId
  readonly conversationId: ConversationId
  readonly accountId: AccountId
  readonly agentId: AgentId
  /** The connector's, or the destination where that names none. */
  readonly queueName: string
  readonly reason: string
  /** The destination that the agent named, as in `{{ho:billing}}`. */
  readonly destination: string
  /** The visitor, as named by the host. Null for a visitor without a name (MS45). */
  readonly visitor: SessionVisitor | null
}

/** A visitor's message on its way to a live agent. `messageId` is the idempotency key: a message may come twice. */
export interface ForwardedMessage {
  readonly messageId: string
  readonly text: string
  readonly at: number
  /** The files that the message names; `platform.desk.fileAddress` returns their addresses. @default none */
  readonly files?: readonly SentFile[]
}

/**
 * A system in which humans answer visitors. It calls back through `platform.liveAgents`. `request`, `forward` and
 * `cancel` are repeated after a crash until they resolve, so each must be idempotent. A rejected `request` fails the
 * handoff. After a rejected `forward` the sender is notified. A call that takes longer than
 * `Settings.liveAgentDeadline` counts as rejected. If it arrives all the same, the system's later reports are refused.
 */
export interface LiveAgents {
  /** Requests a human. Answer by calling `accepted`, `queueStatus`, `joined` or `failed`, now or later. */
  request(handoff: HandoffContext): Promise<void>
  /** Hands over a message of the visitor. Those from the queue come first, in order, when a live agent has joined. */
  forward(handoff: HandoffContext, message: ForwardedMessage): Promise<void>
  /** The visitor types, or stopped. Not repeated when it fails. */
  visitorTyping(handoff: HandoffContext, state: 'started' | 'stopped'): Promise<void>
  /** The handoff is over before the live agent ended it: the visitor left, or waited too long. */
  cancel(handoff: HandoffContext, reason: string): Promise<void>
}
