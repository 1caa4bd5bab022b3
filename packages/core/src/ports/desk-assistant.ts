import type { SessionVisitor } from '../domain/conversation/visitor.ts'
import type { AccountId, AgentId, ConversationId, HandoffId } from '../domain/ids.ts'
import type { AgentContent, HistoryLine } from './agent-runtime.ts'

/** A conversation of a handoff, as an assistant of live agents reads it. */
export interface AssistedConversation {
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly conversationId: ConversationId
  readonly handoffId: HandoffId
  /** The AI agent's name, as visitors see it. */
  readonly agentName: string
  /** Why the AI agent handed off, in its own words. May be empty. */
  readonly reason: string
  /** A tag of BCP 47. Null if it is not known. */
  readonly language: string | null
  /** Null for a visitor without a name. */
  readonly visitor: SessionVisitor | null
  /** The newest 200 lines of what was said, oldest first, at most `limits.sliceBytes` of them. */
  readonly lines: readonly HistoryLine[]
}

/** The same for suggestions, with what the AI agent knows. */
export interface ConversationToAnswer extends AssistedConversation {
  /** The agent's content as the conversation runs it. Null if it is gone. */
  readonly content: AgentContent | null
}

/**
 * Helps live agents at the desk, for example with a language model: `createAiSdkAssistant` of
 * `@colloquy/runtime-ai-sdk`. Calls may come at once. `signal` aborts after `assistantTimeout`, and when nobody waits
 * for the answer any more: stop then. What it rejects with goes to the log; live agents are told that it failed.
 * Nothing that it says reaches a visitor unless a live agent sends it.
 */
export interface DeskAssistant {
  /**
   * Returns a summary for the live agent who takes the conversation. It may be asked twice for one handoff; one answer
   * is kept. It is cut at `limits.summaryLength`. A blank one is a failure.
   */
  summarize(conversation: AssistedConversation, signal: AbortSignal): Promise<string>
  /** Returns replies that the live agent may send next, the best first. The first three are shown. */
  suggest(conversation: ConversationToAnswer, signal: AbortSignal): Promise<readonly string[]>
}
