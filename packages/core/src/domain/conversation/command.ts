import type { BranchId, DeploymentId, HandoffId, TurnId } from '../ids.ts'
import type { JsonObject } from '../json.ts'
import type { RolloutPlacement } from '../rollout/rollout.ts'
import type { Acceptor, DeskActor } from './desk-actor.ts'
import type { CustomMetadata } from './event.ts'
import type { SentFile, WireAttachment, WireCallAction, WireSuggestion } from './event-payloads.ts'
import type { TurnDescription } from './project-turn.ts'
import type { Rating } from './rating.ts'
import type { StoredTurn } from './record.ts'
import type { HeardMark } from './spoken.ts'
import type { ClosedQueue, EndReason, GivenWithMessage, Handoff } from './state.ts'

/** The fields that every event of a visitor's client may have. */
export interface ClientOrigin {
  /** The connection it came over; null for a caller without one. */
  readonly sender: string | null
  readonly custom: CustomMetadata | null
  /** The client's own id of the event; takes effect once. */
  readonly clientEventId: string | null
  /** A second one, for clients that give two; either takes effect once. @default null */
  readonly localId?: string | null
}

/** A finished answer, ready for the log. */
export interface TurnReply {
  /** The whole text; empty when the turn only delays, hands off or ends. */
  readonly text: string
  readonly messageId: string
  readonly attachments: readonly WireAttachment[]
  readonly suggestions: readonly WireSuggestion[]
  readonly callActions: readonly WireCallAction[]
  /** Texts of the chunks that were sent, the last one included; null when the session does not stream. */
  readonly chunks: readonly string[] | null
  readonly variables: JsonObject
  readonly metrics: Readonly<Record<string, string | readonly string[]>>
  readonly integrationAttributes: JsonObject
  /** Values by attribute name, over the variant's own. */
  readonly setAttributes: Readonly<Record<string, string>>
  readonly language: string | null
  readonly expectedEvents: readonly string[]
  readonly handoff: { readonly destination: string; readonly reason: string } | null
  readonly end: boolean
  readonly silence: boolean
  readonly outOfDomain: boolean
  readonly turn: StoredTurn
}

/** The deployment that a conversation is to run, and the variant it speaks as. */
export interface Pinning {
  /** In a debug chat on a branch that branch (DC8). */
  readonly deploymentId: DeploymentId | BranchId
  readonly revision: number
  readonly languageCode: string
  readonly agentName: string
  /** The agent's picture, empty for none. @default empty */
  readonly agentAvatarUrl?: string
  readonly variantId: string | null
  readonly variantName: string | null
  /** Only where a rollout has chosen the deployment now. */
  readonly rollout?: RolloutPlacement
}

/** A turn that a host's own channel had, as it is to be kept. */
export interface RecordedTurn {
  /** The host's own id of the turn: it takes effect once in its conversation. */
  readonly turnId: TurnId
  /** The id of the message that is its response. */
  readonly responseId: string
  readonly description: TurnDescription
  /** Additional fields that v3 shows, under their wire names. */
  readonly details: JsonObject
  /** Written over those of the same name. */
  readonly variables: JsonObject
  /** Written over those of the same name. */
  readonly metrics: Readonly<Record<string, string | readonly string[]>>
}

/** The end of a recorded conversation. */
export interface RecordedEnd {
  /** Null: now. */
  readonly finishedAt: number | null
  readonly reason: EndReason
  readonly handoff: { readonly destination: string; readonly reason: string } | null
  /** Milliseconds that the AI agent handled; null: all of it. */
  readonly aiDuration: number | null
  /** Written over those of the same name. */
  readonly variables: JsonObject
  /** Written over those of the same name. */
  readonly metrics: Readonly<Record<string, string | readonly string[]>>
}

/** All commands to a conversation. `at` is not part of it: time comes with the decision. */
export type Command =
  // from the visitor
  | ({ readonly type: 'join'; readonly pinning: Pinning | null } & ClientOrigin)
  | ({
      readonly type: 'message'
      readonly text: string
      readonly pinning: Pinning | null
      /** @default none */
      readonly files?: readonly SentFile[]
      /** @default nothing changes */
      readonly given?: GivenWithMessage
      /** The number of private parts by sort that a redactor took out of the text (RD2). @default none */
      readonly redacted?: Readonly<Record<string, number>>
      /** For the functions of its turn alone (TC12). @default none */
      readonly metadata?: JsonObject
      /** SHA-256 of the request that said it under an idempotency key (TC30). @default none */
      readonly request?: string
    } & ClientOrigin)
  | { readonly type: 'typing'; readonly state: 'started' | 'stopped' }
  | ({ readonly type: 'end' } & ClientOrigin)
  | { readonly type: 'seen'; readonly seenAt: number }
  /** The host has signed what is true of the conversation; in place of what was signed before (MS49). */
  | { readonly type: 'set_context'; readonly context: JsonObject | null }
  /** A phone call was heard up to there, or has left for a number (MS280). */
  | { readonly type: 'call_progress'; readonly heard?: HeardMark; readonly leftFor?: string }
  /** The visitor's rating. Accepted after the end too (VC25). */
  | { readonly type: 'rate'; readonly rating: Rating }
  /** The caller of a turn-based chat asks for the replies after that one, so it has those up to it (TC20). */
  | { readonly type: 'replies_asked'; readonly after: number; readonly seenAt: number }
  // from the agent's side
  | {
      readonly type: 'turn_completed'
      readonly turnId: TurnId
      readonly generation: number
      readonly reply: TurnReply
      /** The text that the agent reads in place of the message; empty for none (GU5). @default the message */
      readonly read?: string
    }
  | {
      readonly type: 'turn_failed'
      readonly turnId: TurnId
      readonly generation: number
      readonly failure: TurnFailure
      /** The custom metadata of the input's event, echoed in the error. */
      readonly custom: CustomMetadata | null
      /** The record of the turn. Null if the turn did not get so far. */
      readonly turn: StoredTurn | null
      /** As in `turn_completed`. @default the message */
      readonly read?: string
    }
  | { readonly type: 'turn_alive'; readonly turnId: TurnId; readonly generation: number }
  // from the carrier of texts
  /** The agent's side opens a text session with a message (TX1). */
  | { readonly type: 'open_text'; readonly text: string }
  /** The answer of the carrier that was asked to send the text (TX20). */
  | {
      readonly type: 'text_done'
      readonly number: number
      readonly attempt: number
      readonly outcome: TextOutcome
    }
  /** The carrier reports the status of a text (TX32). */
  | {
      readonly type: 'text_status'
      readonly number: number
      readonly carrierId: string
      readonly status: 'sent' | 'delivered' | 'failed'
    }
  // from live agents
  | { readonly type: 'handoff_accepted'; readonly handoffId: HandoffId }
  | {
      readonly type: 'handoff_failed'
      readonly handoffId: HandoffId
      readonly reason: string | null
      /** The queue is closed: what the agent is told of it (DK559). @default it failed for another reason */
      readonly closed?: ClosedQueue
      /** For a request without an answer: it has not failed if it was accepted meanwhile (EN32). */
      readonly unlessAccepted?: boolean
    }
  | {
      readonly type: 'live_agent_joined'
      readonly handoffId: HandoffId
      readonly liveAgent: { readonly id: string; readonly name: string; readonly avatarUrl: string }
      /** @default the host's live-agent system */
      readonly by?: DeskActor
      /** Also from the live agent who has it. @default false */
      readonly takeOver?: boolean
      /** The most visitors whom the live agent may talk to at once. @default any number */
      readonly talksAtOnce?: number
    }
  | {
      readonly type: 'live_agent_message'
      readonly handoffId: HandoffId
      readonly messageId: string
      readonly text: string
      readonly attachments: readonly WireAttachment[]
      /** @default none */
      readonly files?: readonly SentFile[]
      /** @default none */
      readonly callActions?: readonly WireCallAction[]
      /** @default none */
      readonly suggestions?: readonly WireSuggestion[]
      /** @default the host's live-agent system */
      readonly by?: DeskActor
    }
  | {
      readonly type: 'live_agent_typing'
      readonly handoffId: HandoffId
      readonly state: 'started' | 'stopped'
      /** @default the host's live-agent system */
      readonly by?: DeskActor
    }
  | {
      readonly type: 'queue_status'
      readonly handoffId: HandoffId
      readonly position: number | null
      readonly estimatedWaitSeconds: number | null
      /** Words for the visitor. @default null, none */
      readonly displayMessage?: string | null
    }
  /** The socket through which the live agent watches the desk is open, or was closed just now. */
  | {
      readonly type: 'live_agent_watched'
      readonly handoffId: HandoffId
      readonly liveAgentId: string
      readonly socket: 'open' | 'closed'
    }
  | {
      readonly type: 'live_agent_left'
      readonly handoffId: HandoffId
      readonly reason: string | null
      /** @default the host's live-agent system */
      readonly by?: DeskActor
    }
  /** The live agent gives the visitor back to the AI agent. */
  | {
      readonly type: 'live_agent_returned'
      readonly handoffId: HandoffId
      readonly reason: string | null
      /** @default the host's live-agent system */
      readonly by?: DeskActor
    }
  /** The live agent gives the visitor to a colleague, or into a queue. */
  | {
      readonly type: 'handoff_transferred'
      readonly handoffId: HandoffId
      readonly to:
        | { readonly queueName: string }
        | { readonly liveAgent: NonNullable<Handoff['liveAgent']>; readonly acceptor: Acceptor }
      /** The most visitors whom the colleague may talk to at once. @default any number */
      readonly talksAtOnce?: number
      /** The reason for the next live agent; empty for none. The visitor does not see it. */
      readonly reason: string
      /** Whether a summary is asked for if the visitor waits again. @default false */
      readonly summarizes?: boolean
      /** @default the host's live-agent system */
      readonly by?: DeskActor
    }
  | { readonly type: 'deliveries_done'; readonly through: number; readonly failed: readonly number[] }
  // from a host that keeps the record of its own channel
  | { readonly type: 'record_turns'; readonly turns: readonly RecordedTurn[] }
  | { readonly type: 'finish_recording'; readonly end: RecordedEnd }
  // from elsewhere
  | {
      readonly type: 'external_event'
      readonly eventId: string
      /** True when the store has it and it was not handed over yet. @default false */
      readonly pending?: boolean
    }
  | { readonly type: 'close'; readonly reason: EndReason }
  | { readonly type: 'wake' }
  /** The wall clock was put forward by that many milliseconds (TM3). */
  | { readonly type: 'clock_stepped'; readonly by: number }

/**
 * The result of asking a carrier. It has the text, the user opted out, it refused for good, or it is to be asked
 * again, not before `after` milliseconds.
 */
export type TextOutcome =
  | { readonly type: 'sent'; readonly carrierId: string }
  | { readonly type: 'dropped' }
  | { readonly type: 'failed' }
  | { readonly type: 'again'; readonly after?: number }

/** The ways in which a turn fails. Each has its text in contract/messaging.md, Errors. */
export type TurnFailure = 'start' | 'reply' | 'stream' | 'overload'

/** The reason why a command changed nothing. */
export type Refusal =
  /** A message before the first join. */
  | 'not_joined'
  /** No deployment is active in the environment. */
  | 'no_deployment'
  /** Too many messages wait for an answer. */
  | 'overloaded'
  | 'ended'
  /** A live agent's call about a handoff that is over, or in another state. */
  | 'handoff_over'
  /** A live agent's call about a handoff that another live agent has (DK41). */
  | 'not_accepted_by'
  /** A transfer to the live agent who has the visitor. */
  | 'transfer_to_self'
  /** The live agent talks to as many visitors as at once (DK604). */
  | 'talks_full'
  /** Another text of the two numbers came first. */
  | 'text_forestalled'
  /** The setting `returnToAgent` is off. */
  | 'return_not_allowed'
  /** A turn's result from a generation that has lost its lease, or a turn that is over. */
  | 'fenced'
  /** The external event is not awaited: handed over already, or the turn that expects it has not finished. */
  | 'not_awaited'
  /** A recorded turn or end for a conversation whose record the platform writes. */
  | 'not_recorded'
  /** A recorded time before one that must come first. */
  | 'out_of_order'
  /** The conversation's variables, or its metrics, would be larger than they may be. */
  | 'too_large'
  /** A recorded turn would make the conversation longer than it may be. */
  | 'outgrown'
