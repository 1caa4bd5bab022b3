import type { ContentTree, ResponseSettings, Topic } from '../domain/agent/content.ts'
import type { SentFile } from '../domain/conversation/event-payloads.ts'
import type { RuntimePart } from '../domain/conversation/runtime-part.ts'
import type { ConversationKind } from '../domain/conversation/state.ts'
import type { SessionVisitor } from '../domain/conversation/visitor.ts'
import type { Environment } from '../domain/environment.ts'
import type { AccountId, AgentId, BranchId, ConversationId, DeploymentId, TurnId } from '../domain/ids.ts'
import type { Json, JsonObject } from '../domain/json.ts'

export type { Attachment, CallAction, RuntimePart } from '../domain/conversation/runtime-part.ts'

/** The input that the agent answers. */
export type RuntimeInput =
  | { readonly type: 'greeting' }
  | {
      readonly type: 'message'
      readonly messageId: string
      readonly text: string
      /** The files that the message names; `RuntimeTurn.readFile` reads them. @default none */
      readonly files?: readonly SentFile[]
    }
  | {
      readonly type: 'external_event'
      readonly eventId: string
      readonly contentType: string
      /** As it came, byte for byte. */
      readonly body: Uint8Array
    }

/** One earlier line of the conversation. */
export interface HistoryLine {
  readonly from: 'visitor' | 'ai_agent' | 'live_agent'
  readonly text: string
  readonly at: number
  /** @default none */
  readonly files?: readonly SentFile[]
  /** The live agent who said the line. The name is missing where a live-agent system gave none. */
  readonly agent?: { readonly id: string; readonly name?: string }
}

/** An agent's content at one revision; never changes, so whatever is built from it may be kept by `key`. */
export interface AgentContent {
  /** Names agent and revision. */
  readonly key: string
  readonly behavior: string
  readonly responseSettings: ResponseSettings
  /** Active and inactive topics, by name. */
  readonly topics: readonly (Topic & { readonly id: string })[]
  readonly tree: ContentTree
}

/** The event of a called function. `error` is null if it returned. */
export interface FunctionEvent {
  readonly name: string
  readonly arguments: JsonObject
  readonly result: Json
  readonly error: string | null
  /** Milliseconds. */
  readonly duration: number
}

/** A function's event, and the effects of the call on the turn. */
export interface FunctionCall extends FunctionEvent {
  /** True when it said text that is not blank. */
  readonly said: boolean
  /** True when it delayed the response, handed off or ended: the turn needs no text then. */
  readonly concluded: boolean
  /** The ids of external events that it expects, oldest first. */
  readonly expectedEventIds: readonly string[]
}

/** A function of the host as a runtime may describe it to a language model. */
export interface FunctionDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema (draft 7) of the arguments, an object (FN2). */
  readonly parameters: JsonObject
}

/** One turn as a runtime sees it. */
export interface RuntimeTurn {
  /** Stays the same when a turn is run again after a crash: an idempotency key for effects outside. */
  readonly turnId: TurnId
  readonly conversationId: ConversationId
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  /** In a debug chat on a branch that branch (DC8). */
  readonly deploymentId: DeploymentId | BranchId
  readonly kind: ConversationKind
  readonly channel: string
  readonly language: string
  /** Milliseconds since the epoch: the moment of the turn. */
  readonly now: number
  readonly input: RuntimeInput
  readonly content: AgentContent
  /**
   * The conversation's variant; attribute values by attribute name, those that functions have set before the variant's
   * own (FN11). Null when the agent has none.
   */
  readonly variant: {
    readonly id: string
    readonly name: string
    readonly attributes: Readonly<Record<string, string>>
  } | null
  /** The variables that earlier turns have written, with this turn's own writes and those of its functions. */
  readonly variables: JsonObject
  /** The visitor, as named by the host. Null for a visitor without a name (MS45). */
  readonly visitor: SessionVisitor | null
  /**
   * The newest context that the host signed for the conversation. Null without one (MS49). It is given to no model
   * automatically.
   */
  readonly verifiedContext: JsonObject | null
  /**
   * The queue of the newest handoff was closed, so nobody came, and has not opened since: when it opens next (null: not
   * within 400 days), the IANA time zone of its hours, and whether to take a message for the live agents instead
   * (DK559). @default null, it was not
   */
  readonly closedQueue?: {
    readonly opensAt: number | null
    /** @default `UTC` */
    readonly timeZone?: string
    readonly takesMessages: boolean
  } | null
  /**
   * Looks up whether nobody would come for a handoff to that destination now, because its queue is closed (DK559). Ask
   * before saying that somebody comes. Null if somebody may come. @default it is not known
   */
  closedFor?(destination: string): Promise<NonNullable<RuntimeTurn['closedQueue']> | null>
  /** The attributes that the conversation began with, and the values that functions have set over them. */
  readonly integrationAttributes: JsonObject
  /** The variables of the environment's real-time config as they were when the turn began (AG35). */
  readonly realTimeConfig: JsonObject
  /** The newest lines before this turn, oldest first. */
  history(limit: number): Promise<readonly HistoryLine[]>
  /** Reads a file that a message of the conversation names. Null for another one, and one that was removed (FI15). */
  readFile(fileId: string): Promise<Uint8Array | null>
  /** The functions that the host registered. */
  readonly functions: readonly FunctionDescription[]
  /**
   * Calls a function that the host registered. Also resolves if the function throws, takes too long or is unknown, or
   * if the arguments do not fit: the event says so. Writes, expected events, a handoff or an end by the function
   * become part of the turn automatically.
   */
  callFunction(name: string, args: JsonObject): Promise<FunctionCall>
  /** Reserves an id under which an outside system may send a result into this conversation; see external events. */
  expectExternalEvent(): Promise<string>
}

/**
 * Answers one turn. It may be asked twice for the same `turnId`; only one answer is taken. A runtime that throws, or
 * ends without text and without `delayed`, `handoff` or `end`, has failed the turn. `signal` aborts when no caller
 * waits for the answer any more.
 */
export interface AgentRuntime {
  /**
   * Hears of content that conversations are about to run: it was deployed in this process. A runtime that builds
   * something of it may begin now, in the background; it must not rely on hearing of every content. Resolves when it is
   * done: the agent's next content waits for that. What it throws is told to the host alone: no deployment waits for it
   * or fails of it (IX3). @default nothing is prepared
   */
  prepare?(content: AgentContent): Promise<void>
  respond(turn: RuntimeTurn, signal: AbortSignal): AsyncIterable<RuntimePart>
}
