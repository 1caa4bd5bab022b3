import type { Environment } from '../environment.ts'
import type { AccountId, AgentId, ApiKeyId, ConnectorId } from '../ids.ts'
import type { ContextKey, ContextKeyInfo } from './context-key.ts'

/** An account, which is the same thing as a workspace. Reached by its id and by its slug. */
export interface Account {
  readonly id: AccountId
  readonly slug: string
  readonly name: string
  readonly createdAt: number
}

/** The kinds of keys, each with its own routes (contract/accounts-and-keys.md, Keys). */
export const API_KEY_KINDS = ['workspace', 'project', 'external_events', 'desk', 'operator'] as const
export type ApiKeyKind = (typeof API_KEY_KINDS)[number]

/** An API key as it is kept: never the secret itself, only its SHA-256 in hexadecimal. */
export interface ApiKey {
  readonly id: ApiKeyId
  readonly kind: ApiKeyKind
  readonly hash: string
  /** The first characters of the secret, to help people recognise a key. */
  readonly prefix: string
  readonly name: string
  /** Null for operator keys alone. */
  readonly accountId: AccountId | null
  /** The one agent it is for; null: every agent of the account. */
  readonly agentId: AgentId | null
  /** Null: every region. */
  readonly region: string | null
  /** Null: everything that keys of its kind may do. */
  readonly permissions: readonly string[] | null
  readonly createdAt: number
  readonly revokedAt: number | null
  /** The time of expiry. Null: it never expires (CR1). */
  readonly expiresAt: number | null
  /** Its newest use, noted at most once in `Settings.credentialUseInterval`; null: none was noted (CR4). */
  readonly lastUsedAt: number | null
}

/** A connector's settings for the handoff to a human (contract/messaging.md, Handoff). */
export interface HandoffSettings {
  /** `server`: the platform asks a live-agent system. `client`: the visitor's client does the routing. */
  readonly mode: 'server' | 'client'
  /** Empty: the destination that the agent names. */
  readonly queueName: string
  /** @default 300 */
  readonly timeoutSeconds: number
}

/** The connection of a web site or app to one agent in one environment. */
export interface Connector {
  readonly kind: 'messaging'
  readonly id: ConnectorId
  /** SHA-256 of the connector token in hexadecimal. */
  readonly tokenHash: string
  readonly tokenPrefix: string
  readonly name: string
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  /** Registered domains or app namespaces, in lower case. */
  readonly hosts: readonly string[]
  readonly variantId: string | null
  readonly handoff: HandoffSettings
  /** Newest first; empty: the host signs no context for its conversations (MS49). */
  readonly contextKeys: readonly ContextKey[]
  readonly createdAt: number
  readonly revokedAt: number | null
  /**
   * The time of expiry. From then on it works like a revoked one, until the time is changed. Null: it never expires
   * (CR1).
   */
  readonly expiresAt: number | null
  /**
   * The newest use of its token, noted at most once in `Settings.credentialUseInterval`; null: none was noted (CR4).
   */
  readonly lastUsedAt: number | null
}

/** A connector as calls give it: without the secrets of its context keys. */
export interface ConnectorInfo extends Omit<Connector, 'contextKeys'> {
  readonly contextKeys: readonly ContextKeyInfo[]
}

/** Leaves the secrets out. */
export const connectorInfo = ({ contextKeys, ...connector }: Connector): ConnectorInfo => ({
  ...connector,
  contextKeys: contextKeys.map(({ secret: _, ...key }) => key),
})

/**
 * A connector that answers the calls of one agent in one environment, with its settings for hearing and speaking. It
 * has no token, so it opens nothing.
 */
export interface TelephonyConnector {
  readonly kind: 'telephony'
  readonly id: ConnectorId
  readonly name: string
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  /** Null: the content's default variant. */
  readonly variantId: string | null
  readonly asrLangCode: string
  readonly ttsLangCode: string
  /** As it was given; empty: none was. */
  readonly voiceName: string
  readonly disableHandoff: boolean
  readonly createdAt: number
  readonly revokedAt: number | null
}

/** A connector of either kind. */
export type AnyConnector = Connector | TelephonyConnector
