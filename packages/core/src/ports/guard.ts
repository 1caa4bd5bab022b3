import type { Environment } from '../domain/environment.ts'
import type { AccountId, AgentId, ConversationId } from '../domain/ids.ts'

/** Words that a guard judges. */
export interface GuardedWords {
  /** `incoming`: a visitor's message, for the agent. `outgoing`: the agent's reply, for the visitor. */
  readonly direction: 'incoming' | 'outgoing'
  /** May be empty for a reply that only shows cards or buttons. */
  readonly text: string
  /** Texts and addresses of the buttons and cards below a reply. They are shown or removed, never changed. */
  readonly beside: readonly string[]
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  readonly conversationId: ConversationId
  /** A tag of BCP 47. */
  readonly language: string
}

/** The guard's decision about the words. */
export type GuardVerdict =
  | { readonly verdict: 'allow' }
  /** The agent reads, or the visitor gets, this text instead. */
  | { readonly verdict: 'change'; readonly text: string }
  /** The agent says this text. It neither reads the message nor sends its own reply. */
  | { readonly verdict: 'refuse'; readonly text: string }
  /** The same, and the conversation is handed off. */
  | {
      readonly verdict: 'hand_over'
      readonly destination: string
      /** For the live agent. @default "Guard" */
      readonly reason?: string
      /** The agent says it first. @default nothing */
      readonly text?: string
    }

/**
 * Judges what visitors say before the agent reads it, and what the agent says before it is stored and shown. It is
 * asked again if a turn is run again. Stop when `signal` aborts: after `Settings.guardDeadline`, or when the turn is
 * called off. If it throws, is late or gives no verdict, `Settings.guardFailure` decides.
 */
export interface Guard {
  judge(words: GuardedWords, signal: AbortSignal): GuardVerdict | Promise<GuardVerdict>
}
