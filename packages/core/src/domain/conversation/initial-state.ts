import type { HandoffSettings } from '../access/access.ts'
import type { Environment } from '../environment.ts'
import type { AccountId, AgentId, ConnectorId, ConversationId } from '../ids.ts'
import type { JsonObject } from '../json.ts'
import type { Arrival } from './arrival.ts'
import type { Pinning } from './command.ts'
import {
  type ConversationKind,
  type ConversationState,
  isGenuine,
  type RecordFacts,
  type TextState,
} from './state.ts'
import type { SessionVisitor } from './visitor.ts'

/** The facts of one new conversation. */
export interface NewConversation {
  readonly id: ConversationId
  readonly kind: ConversationKind
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  /** `webchat`, `debug` …: the channel of the conversation's record. */
  readonly channel: string
  /** Milliseconds of the visitor's silence until the conversation ends. */
  readonly idleTimeout: number
  /**
   * The time before that at which the visitor is warned, milliseconds. Less than `idleTimeout`.
   * @default null, no warning
   */
  readonly idleWarning?: number | null
  readonly handoffSettings: HandoffSettings
  /** The active deployment; null without one. */
  readonly pinning: Pinning | null
  /** The variant that was asked for, while no deployment can say which one that is. @default null */
  readonly variantId?: string | null
  /** Whether its record stands in lists. @default as is usual for its kind */
  readonly listed?: boolean
  /** @default false */
  readonly streaming?: boolean
  /** @default null */
  readonly connectorId?: ConnectorId | null
  /** @default null */
  readonly testCaseId?: string | null
  /** @default null */
  readonly tokenHash?: string | null
  /** @default {} */
  readonly integrationAttributes?: JsonObject
  /** @default null */
  readonly visitor?: SessionVisitor | null
  /** @default null, unknown */
  readonly arrival?: Arrival | null
  /** @default null */
  readonly asrLanguage?: string | null
  /** @default null */
  readonly ttsLanguage?: string | null
  /** SHA-256 of the request that begins a chat under an idempotency key. @default null */
  readonly request?: string | null
  /** The state of a text session. @default null */
  readonly text?: TextState | null
  /** @default "inbound" */
  readonly direction?: RecordFacts['direction']
  /** @default the visitor's language, else the deployment's */
  readonly language?: string | null
  /** @default "" */
  readonly fromNumber?: string
  /** @default "" */
  readonly toNumber?: string
}

/**
 * Returns a conversation in which nothing has happened yet: its log is empty (MS45). Its owner is `nobody`, except that
 * a recorded one is with the AI agent from its start (RC31). It is as long as the state has fields.
 */
export function initialState(conversation: NewConversation, now: number): ConversationState {
  const { arrival = null, pinning } = conversation
  const recorded = conversation.kind === 'recorded'
  return {
    id: conversation.id,
    kind: conversation.kind,
    accountId: conversation.accountId,
    agentId: conversation.agentId,
    environment: conversation.environment,
    listed: conversation.listed ?? isGenuine(conversation.kind),
    connectorId: conversation.connectorId ?? null,
    testCaseId: conversation.testCaseId ?? null,
    tokenHash: conversation.tokenHash ?? null,
    startedAt: now,
    lastAt: now,
    endedAt: null,
    endReason: null,
    sequence: 0,
    bytes: 0,
    owner: recorded ? 'ai_agent' : 'unassigned',
    greeted: recorded,
    streaming: conversation.streaming ?? false,
    deploymentId: pinning?.deploymentId ?? null,
    revision: pinning?.revision ?? null,
    agentName: pinning?.agentName ?? '',
    agentAvatarUrl: pinning?.agentAvatarUrl ?? '',
    idleTimeout: conversation.idleTimeout,
    idleWarning: conversation.idleWarning ?? null,
    idleWarned: false,
    seenAt: now,
    turn: null,
    pending: [],
    chat:
      conversation.kind === 'chat' ? { replies: 0, told: 0, request: conversation.request ?? null } : null,
    text: conversation.text ?? null,
    failure: null,
    handoffSettings: conversation.handoffSettings,
    handoffs: 0,
    handoff: null,
    handedOff: null,
    deliveries: [],
    deliveryNumber: 0,
    deliveryUntil: null,
    awaiting: [],
    externalCheckAt: null,
    variables: {},
    metrics: {},
    integrationAttributes: conversation.integrationAttributes ?? {},
    visitor: conversation.visitor ?? null,
    ...(arrival !== null && { arrival }),
    verifiedContext: null,
    setAttributes: {},
    asrLanguage: conversation.asrLanguage ?? null,
    ttsLanguage: conversation.ttsLanguage ?? null,
    record: {
      channel: conversation.channel,
      direction: conversation.direction ?? 'inbound',
      language: conversation.language ?? conversation.visitor?.language ?? pinning?.languageCode ?? null,
      fromNumber: conversation.fromNumber ?? '',
      toNumber: conversation.toNumber ?? '',
      variantId: pinning?.variantId ?? conversation.variantId ?? null,
      variantName: pinning?.variantName ?? null,
      ...(pinning?.rollout !== undefined && { rollout: pinning.rollout }),
      turns: 0,
      silences: 0,
      outOfDomain: 0,
      topics: [],
      handoff: false,
      handoffReason: '',
      handoffDestination: '',
      aiDuration: 0,
      aiSince: recorded ? now : null,
    },
  }
}
