import type { SessionVisitor } from '../domain/conversation/visitor.ts'
import type { Environment } from '../domain/environment.ts'
import type { AccountId, AgentId, ConversationId, TurnId } from '../domain/ids.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import type { Attachment } from './agent-runtime.ts'

/**
 * The conversation as a host's function sees and changes it. When the call is over, because the function returned,
 * threw or took too long, everything that says, sets or asks throws or rejects with a PlatformError and changes nothing
 * (FN20).
 */
export interface FunctionConversation {
  readonly turnId: TurnId
  readonly conversationId: ConversationId
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  /** The medium, for example `CHAT` or `VOICE-SIP`. */
  readonly channel: string
  /** The agent's language when the turn began, for example `en-GB`. */
  readonly language: string
  /**
   * Names this call towards the outside: the same when the turn is run again after a crash, different for every other
   * call (FN30). At most 120 letters, digits, hyphens, underscores and dots.
   */
  readonly idempotencyKey: string
  /** The variables written by the agent and its functions, in this turn too. */
  readonly variables: JsonObject
  /** The visitor, as named by the host. Null for a visitor without a name (MS45). */
  readonly visitor: SessionVisitor | null
  /** The newest context that the host signed for the conversation. Null without one (MS49). */
  readonly verifiedContext: JsonObject | null
  /**
   * The metadata that the caller of a turn-based chat gave with the message of this turn, for it alone (TC12).
   * @default {}
   */
  readonly metadata: JsonObject
  /** The attributes that the conversation began with, and the values that functions have set over them. */
  readonly integrationAttributes: JsonObject
  /** Values by attribute name: those of the conversation's variant, and what functions have set over them. */
  readonly variantAttributes: Readonly<Record<string, string>>
  /** The variables of the environment's real-time config as they were when the turn began (AG35). */
  readonly realTimeConfig: JsonObject
  /** Set when the function runs because of an external event that came. */
  readonly externalEvent: {
    readonly eventId: string
    readonly contentType: string
    /** The body in the charset that its content type names, else UTF-8. */
    readonly text: string
  } | null
  /**
   * Writes a key of the conversation's state. @throws SCHEMA_VALIDATION_FAILED for what is not JSON, or would be too
   * large (FN10)
   */
  setVariable(key: string, value: Json): void
  /** Writes a metric; one that is written again keeps all its values. @throws SCHEMA_VALIDATION_FAILED (FN10) */
  setMetric(name: string, value: string): void
  /** Sets an integration attribute for the rest of the conversation. @throws SCHEMA_VALIDATION_FAILED (FN10) */
  setIntegrationAttribute(key: string, value: Json): void
  /**
   * Changes an attribute in this conversation: later `{{attr:name}}` of this turn and of later turns show the new value
   * (FN11).
   *
   * @throws ATTRIBUTE_NOT_FOUND when the agent has no attribute of that name, VARIANT_NOT_FOUND when the conversation
   * has no variant, SCHEMA_VALIDATION_FAILED (FN10)
   */
  setVariantAttribute(name: string, value: string): void
  /**
   * Merges variables into the real-time config of the conversation's environment (at the first level; null removes a
   * key), at once and for every conversation, whatever becomes of the turn. Resolves with the merged variables. @throws
   * REAL_TIME_CONFIG_INVALID_FOR_SCHEMA, SCHEMA_VALIDATION_FAILED, WRITE_CONFLICT
   */
  updateRealTimeConfigVariables(variables: JsonObject): Promise<JsonObject>
  /** Reserves an id under which an outside system may send a result into this conversation; see external events. */
  expectExternalEvent(options?: { readonly delayResponse?: boolean }): Promise<string>
  /** Text the agent says in this turn. @throws AGENT_FAILED when the reply would be longer than `limits.replyLength` */
  say(text: string): void
  /**
   * An answer that the visitor may give with a tap, shown below the reply; `payload` is a text that clients get beside
   * the one that is shown.
   *
   * @throws SCHEMA_VALIDATION_FAILED
   */
  suggest(text: string, payload?: string): void
  /** A button or card below the reply. @throws SCHEMA_VALIDATION_FAILED */
  attach(attachment: Attachment): void
  /** A number that the visitor may call, as a button below the reply. @throws SCHEMA_VALIDATION_FAILED */
  offerCall(title: string, contactNumber: string): void
  handOff(destination: string, reason: string): void
  end(): void
}

/** One call of a function whose arguments fit. */
export type PreparedCall = (
  conversation: FunctionConversation,
  signal: AbortSignal,
) => Promise<unknown> | unknown

/** A function of the host that an agent may call, whatever its arguments; `defineFunction` makes it. */
export interface AgentFunction {
  /** The description of the function, for those who decide when to call it. */
  readonly description: string
  /** Milliseconds that a call may take. @default `Settings.functionTimeout` */
  readonly timeout?: number
  /**
   * Whether test runs may call it when a test case gives no result for it, and replays when the recording has none. Set
   * true for functions that change nothing outside (TE13, TE44).
   *
   * @default false
   */
  readonly callInTests?: boolean
  /** JSON Schema (draft 7) of the arguments, an object. @throws when JSON Schema cannot express them */
  describeParameters(): JsonObject
  /** Checks arguments. @throws SCHEMA_VALIDATION_FAILED naming the fields that do not fit */
  prepare(args: JsonObject): Promise<PreparedCall>
}

/**
 * Functions that come and go while the platform runs, such as tools of servers that are connected to (FN50):
 * `PlatformOptions.functionSources`.
 */
export interface FunctionSource {
  /**
   * The functions there are now, by name. Asked as each turn begins, which keeps what it got until it is over: MUST
   * return at once. As long as nothing has changed it SHOULD return the same object, which is then not checked again.
   */
  functions(): Readonly<Record<string, AgentFunction>>
}
