import type { HandoffSettings } from '../access/access.ts'
import type { Environment } from '../environment.ts'
import type {
  AccountId,
  AgentId,
  BranchId,
  ConnectorId,
  ConversationId,
  DeploymentId,
  HandoffId,
  TurnId,
} from '../ids.ts'
import type { JsonObject } from '../json.ts'
import type { RolloutPlacement } from '../rollout/rollout.ts'
import type { Arrival } from './arrival.ts'
import type { Acceptor } from './desk-actor.ts'
import type { CustomMetadata } from './event.ts'
import type { EventPayloads } from './event-payloads.ts'
import type { GuardedLines } from './guarded-lines.ts'
import type { HeardMark } from './spoken.ts'
import type { SessionVisitor } from './visitor.ts'

/** Through which door a conversation came. */
export type ConversationKind = 'messaging' | 'debug' | 'chat' | 'text' | 'recorded' | 'test'

/**
 * False for debug chats and tests: they are in no figure and no webhook, and in lists only where the host wants debug
 * chats there.
 */
export const isGenuine = (kind: ConversationKind): boolean => kind !== 'debug' && kind !== 'test'

/**
 * Kinds whose ids the platform generates, so that no id is used twice and states may be remembered. An id that a caller
 * chose can be used again once its conversation was removed: the state of the first conversation would pass for the
 * second one's of the same version. A test's id can be used again too: a released attempt is repeated under its
 * number (TE21).
 */
export const HAS_OWN_ID: Readonly<Record<ConversationKind, boolean>> = {
  messaging: true,
  chat: true,
  text: true,
  debug: false,
  recorded: false,
  test: false,
}

/**
 * The owners of a conversation: the one who answers the visitor. There is exactly one at any time
 * (contract/messaging.md, Handoff).
 * `unassigned`: before the first join. `nobody`: after a failed, timed-out or finished handoff.
 */
export const OWNERS = ['unassigned', 'ai_agent', 'queue', 'live_agent', 'client', 'nobody'] as const
export type Owner = (typeof OWNERS)[number]

/** The reason why a conversation ended (contract/messaging.md, Events). */
export type EndReason = EventPayloads['SESSION_END']['reason']

/** The values that a caller gives with a message of a turn-based chat. They hold for the rest of it (TC12). */
export interface GivenWithMessage {
  /** Merged over those before, at the first level. */
  readonly integrationAttributes?: JsonObject
  readonly asrLanguage?: string
  /** The language that the agent speaks from then on. Takes precedence over `asrLanguage`. */
  readonly ttsLanguage?: string
}

/** The state of a turn-based chat that other conversations do not have. */
export interface ChatState {
  /** The number of replies: answered turns, counted from 1, the greeting (TC20). */
  readonly replies: number
  /** The newest reply that was returned to the caller. */
  readonly told: number
  /** SHA-256 of the request that began it under an idempotency key; null without one (TC30). */
  readonly request: string | null
}

/** A text to the user that no carrier is known to have taken. */
export interface OutgoingText {
  /** Counted from 1 within the conversation. */
  readonly number: number
  /** The sequence of its words in the log. */
  readonly sequence: number
  /** The index, from 0, among the parts that these words are sent in (TX26). */
  readonly part: number
  /** The number of times that a carrier was asked to send it. Counted before it is asked. */
  readonly attempts: number
  /** The time of the first attempt. Null before. */
  readonly triedAt: number | null
}

/** A text whose sending is over. */
export interface SettledText {
  readonly number: number
  /** `dropped`: the user has opted out. `failed`: the carrier refused it, gave up, or was asked too often. */
  readonly status: 'sent' | 'delivered' | 'failed' | 'dropped'
  /** The carrier's own id of it; null if there is none. */
  readonly carrierId: string | null
}

/** The state of a text session that other conversations do not have. */
export interface TextState {
  /** The agent's number, E.164. */
  readonly ours: string
  /** The user's number, E.164. */
  readonly theirs: string
  readonly channel: 'SMS' | 'RCS'
  /** The carrier's id of the sender; null if the number says it. */
  readonly service: string | null
  /** The time that a warned user has to reply, milliseconds. */
  readonly grace: number
  readonly replied: boolean
  /** The time of the warning of the end. Null if there was none since the last reply. */
  readonly warnedAt: number | null
  /** The texts to send, oldest first. Only the first one is ever in progress. */
  readonly outgoing: readonly OutgoingText[]
  /** The number of the newest text; 0 before the first. */
  readonly newest: number
  /** The time at which the first one is retried if there is no report. Null if none waits. */
  readonly sendAt: number | null
  /** The newest texts whose sending is over, oldest first. */
  readonly settled: readonly SettledText[]
}

/** Something the agent has to answer. A message's text stays in the log; `sequence` says where. */
export type TurnInput =
  | { readonly type: 'greeting'; readonly turnId: TurnId }
  | {
      readonly type: 'message'
      readonly turnId: TurnId
      readonly messageId: string
      readonly sequence: number
      readonly receivedAt: number
      /** The connection that sent it, for errors that go to the sender alone. */
      readonly sender: string | null
      /** The values that hold from this message on. Applied when its turn begins. */
      readonly given?: GivenWithMessage
      /** As in the command. */
      readonly redacted?: Readonly<Record<string, number>>
    }
  | {
      readonly type: 'external_event'
      readonly turnId: TurnId
      readonly eventId: string
      readonly receivedAt: number
    }

/** The turn that runs now. Only the holder of its generation may finish it. */
export interface ActiveTurn {
  readonly id: TurnId
  /** 1 at first; grows each time that the turn is taken over because its lease ran out. */
  readonly generation: number
  readonly input: TurnInput
  readonly startedAt: number
  readonly leaseUntil: number
}

/** A queue that was closed when the agent handed off to it (DK559). */
export interface ClosedQueue {
  /** The time at which it opens next, milliseconds. Null if it stays closed for 400 days. */
  readonly opensAt: number | null
  /** The IANA time zone of its hours. @default `UTC` */
  readonly timeZone?: string
  /** Whether the agent may take a message for the live agents instead. */
  readonly takesMessages: boolean
}

/** One hand-over to a human, from the request to its end. */
export interface Handoff {
  readonly id: HandoffId
  readonly status: 'requested' | 'waiting' | 'active' | 'over'
  readonly queueName: string
  readonly reason: string
  readonly destination: string
  readonly requestedAt: number
  /** The time at which the wait in the queue times out. */
  readonly timeoutAt: number
  readonly liveAgent: { readonly id: string; readonly name: string; readonly avatarUrl: string } | null
  /** The time at which the live agent who has the visitor got them. @default unknown, as for who waits */
  readonly joinedAt?: number
  /** On whose word the live agent joined; null while none has. */
  readonly acceptedBy: Acceptor | null
  /**
   * The time at which the live agent counts as gone without a further sign. Null if the live agent was never seen
   * through a socket of the desk, and so can never be missed.
   */
  readonly attendedUntil: number | null
  /** Why it was over at once: the queue was closed. @default it was not */
  readonly closed?: ClosedQueue
  /** From whom the visitor was transferred last, and why. @default the visitor came from the agent */
  readonly transferred?: {
    readonly from: { readonly id: string; readonly name: string }
    readonly reason: string
  }
}

/** The data that a conversation leaves for the target of its handoff (contract/conversations.md, Handoff state). */
export interface HandedOff {
  /** The state key `handoff` if it was an object, else the destination and the reason. */
  readonly data: JsonObject
  /** The integrator's own id of the conversation; null if there was none. */
  readonly sharedId: string | null
  /** The beginning of the newest handoff. */
  readonly at: number
}

/**
 * A call to the live-agent system that has not been confirmed yet. Kept until it is, and made again after a crash.
 * Forwards wait until a live agent has joined.
 */
export interface PendingDelivery {
  /** Grows by one a delivery within a conversation. */
  readonly number: number
  readonly handoffId: HandoffId
  readonly call:
    | { readonly type: 'request' }
    | {
        readonly type: 'forward'
        readonly messageId: string
        readonly sequence: number
        readonly sender: string | null
      }
    | { readonly type: 'cancel'; readonly reason: string }
}

/** The facts of a conversation's record beside its turns. */
export interface RecordFacts {
  readonly channel: string
  readonly direction: 'inbound' | 'outbound'
  readonly language: string | null
  readonly fromNumber: string
  readonly toNumber: string
  readonly variantId: string | null
  readonly variantName: string | null
  /** The rollout that placed it last; undefined for none, and if it began before that was kept. */
  readonly rollout?: RolloutPlacement
  readonly turns: number
  readonly silences: number
  readonly outOfDomain: number
  /** Topics that its turns rest on, in the order in which they came; undefined: it began before they were kept. */
  readonly topics?: readonly string[]
  readonly handoff: boolean
  readonly handoffReason: string
  readonly handoffDestination: string
  /** Milliseconds that an AI agent owned the conversation, up to `aiSince`. */
  readonly aiDuration: number
  /** Since when the AI agent owns it now; null while it does not. */
  readonly aiSince: number | null
}

/**
 * The whole state for a decision: the fold of the conversation's log, bounded in size whatever its history. Plain data.
 * Times are milliseconds since the epoch.
 */
export interface ConversationState {
  readonly id: ConversationId
  readonly kind: ConversationKind
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  /** Whether its record stands in lists and searches. */
  readonly listed: boolean
  /** The connector that a messaging session came through; null for every other kind. */
  readonly connectorId: ConnectorId | null
  /** The test case that a test's conversation goes through, of the revision that it runs; null for every other kind. */
  readonly testCaseId: string | null
  /** SHA-256 of the access token that a messaging session was created with; null for every other kind. */
  readonly tokenHash: string | null
  readonly startedAt: number
  /**
   * The newest time that the conversation has stamped on an event or a turn: none that it stamps later is before it
   * (TM4).
   */
  readonly lastAt: number
  readonly endedAt: number | null
  readonly endReason: EndReason | null
  /** Sequence of the newest event; 0 before the first. */
  readonly sequence: number
  /**
   * UTF-8 bytes of the JSON of all that its events and turns say, as far as they were counted when they were written
   * (CM50).
   */
  readonly bytes: number
  readonly owner: Owner
  readonly greeted: boolean
  readonly streaming: boolean
  /** The deployment that the conversation runs, of a debug chat on a branch that branch; null until one was active. */
  readonly deploymentId: DeploymentId | BranchId | null
  readonly revision: number | null
  /** The agent's name as visitors see it. */
  readonly agentName: string
  /** The agent's picture, empty for none. */
  readonly agentAvatarUrl: string
  readonly idleTimeout: number
  /** The time before the end by silence at which the visitor is warned, milliseconds. Null: no warning (MS11). */
  readonly idleWarning: number | null
  /** The visitor was warned, and has given no sign of life since. */
  readonly idleWarned: boolean
  /** The last sign of life of the visitor. */
  readonly seenAt: number
  readonly turn: ActiveTurn | null
  /** Inputs that wait for the active turn, oldest first. */
  readonly pending: readonly TurnInput[]
  /** Null for every kind but a turn-based chat. */
  readonly chat: ChatState | null
  /** Null for every kind but a text session. */
  readonly text: TextState | null
  /** The stated failure of the newest input, until the next one is taken. */
  readonly failure: { readonly text: string; readonly custom: CustomMetadata | null } | null
  readonly handoffSettings: HandoffSettings
  readonly handoffs: number
  readonly handoff: Handoff | null
  /** The data of the newest handoff, even if nobody could take it. Null before the first. */
  readonly handedOff: HandedOff | null
  /**
   * Unconfirmed calls to the live-agent system, oldest first, and the end of the lease of the process that makes them.
   */
  readonly deliveries: readonly PendingDelivery[]
  readonly deliveryNumber: number
  readonly deliveryUntil: number | null
  /** Ids of external events that the agent waits for. */
  readonly awaiting: readonly string[]
  /** The time to check for external events that came before the agent could take them. Null if there is no need. */
  readonly externalCheckAt: number | null
  /** The variables written by the agent and its functions. */
  readonly variables: JsonObject
  readonly metrics: Readonly<Record<string, string | readonly string[]>>
  readonly integrationAttributes: JsonObject
  /** The visitor, as named by the host. Null for a visitor without a name. */
  readonly visitor: SessionVisitor | null
  /** The page and the device on which it began (DK640). @default unknown */
  readonly arrival?: Arrival
  /** The newest context that the host signed for the conversation. Null without one (MS49). */
  readonly verifiedContext: JsonObject | null
  /** The visitor's lines that a guard changed or took out (GU5). @default none */
  readonly guarded?: GuardedLines
  /** Values that functions have set over the variant's own, by attribute name (FN11). */
  readonly setAttributes: Readonly<Record<string, string>>
  readonly asrLanguage: string | null
  readonly ttsLanguage: string | null
  readonly record: RecordFacts
  /** The place up to which the caller of a phone call has heard (MS280). @default nothing is known to be heard */
  readonly heard?: HeardMark
  /** The number for which a phone call has left, E.164 (MS280). @default it has not */
  readonly leftFor?: string
}
