import * as z from 'zod'
import { type CallsOf, callsWith } from '../../calls/call.ts'
import {
  type Account,
  API_KEY_KINDS,
  type ApiKey,
  type ApiKeyKind,
  type Connector,
  type ConnectorInfo,
  connectorInfo,
  type TelephonyConnector,
} from '../../domain/access/access.ts'
import type { ContextKey } from '../../domain/access/context-key.ts'
import { isInForce } from '../../domain/access/in-force.ts'
import { connectorChangeSchema } from '../../domain/access/schemas.ts'
import { hashSecret, sameHash } from '../../domain/access/secret.ts'
import type { AgentId, ApiKeyId, ConnectorId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import { agentId, id, isFunction, own, text } from '../shared/arguments.ts'
import { type PageQuery, pageQuerySchema } from '../shared/page.ts'
import {
  type ContextKeyRotation,
  contextKeyRotationSchema,
  revokeContextKeys,
  rotateContextKeys,
} from './context-keys.ts'
import { createAccount, type NewAccountInput, newAccountSchema } from './create-account.ts'
import { createApiKey, type NewApiKeyInput, newApiKeySchema } from './create-api-key.ts'
import { connectorInputSchema, createConnector, type NewConnectorInput } from './create-connector.ts'
import type { CredentialUses } from './credential-uses.ts'
import type { createApiKeyWatch } from './credential-watch.ts'
import {
  type AccountPage,
  type ApiKeyPage,
  type ConnectorPage,
  type CredentialQuery,
  credentialQuerySchema,
  listAccounts,
  listApiKeys,
  listConnectors,
} from './lists.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { revokeConnector } from './revoke-connector.ts'
import {
  createTelephonyConnector,
  revokeTelephonyConnector,
  type TelephonyConnectorChange,
  type TelephonyConnectorInput,
  telephonyConnector,
  telephonyConnectorInputSchema,
  telephonyConnectorMoveSchema,
  telephonyConnectors,
  updateTelephonyConnector,
} from './telephony-connectors.ts'
import {
  type TokenKeyInfo,
  type TokenKeyRotation,
  type TokenKeys,
  tokenKeyRotationSchema,
} from './token-keys.ts'
import { type ConnectorChange, liveConnector, updateConnector } from './update-connector.ts'

/** Accounts, API keys and connectors, as the host's operator manages them (contract/accounts-and-keys.md, Keys). */
export interface Access {
  /** Creates an account. `accountId` is `ws-<id>`, generated when omitted. @throws ACCOUNT_ALREADY_EXISTS */
  createAccount(input: NewAccountInput): Promise<Account>
  /** Finds an account by id or by slug. Returns null if there is no such account. */
  account(idOrSlug: string): Promise<Account | null>
  /** Lists accounts, oldest first. @throws SCHEMA_VALIDATION_FAILED for a limit out of range or an invalid cursor */
  accounts(query?: PageQuery): Promise<AccountPage>
  /**
   * Issues a key. Its secret is returned this once; the store keeps a hash. A host that brings its own secret passes
   * it, at least 16 characters; the same secret with the same scope again returns the key that exists.
   * @throws ACCOUNT_NOT_FOUND, PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED
   * @throws API_KEY_ALREADY_EXISTS when the secret was revoked or has another scope or end
   */
  createApiKey(input: NewApiKeyInput): Promise<{ readonly key: ApiKey; readonly secret: string }>
  /** Lists API keys, oldest first, including revoked ones. @throws SCHEMA_VALIDATION_FAILED as `accounts` */
  apiKeys(query?: CredentialQuery): Promise<ApiKeyPage>
  /**
   * Revokes a key: it stops working at once, in every process, and its sockets close (CR4, CR5). @throws
   * API_KEY_NOT_FOUND
   */
  revokeApiKey(id: ApiKeyId): Promise<void>
  /**
   * Calls `ended` when the key works no more, also when it does not now: at once when it is revoked here, and otherwise
   * within `Settings.revocationCheck` (CR5). The returned function ends it.
   */
  watchApiKey(id: ApiKeyId, ended: () => void): () => void
  /**
   * Returns the key of a secret, of one of the kinds and for the region. This counts as its use. Returns null if it is
   * missing, wrong, revoked or expired.
   */
  authenticate(
    secret: string | null | undefined,
    kinds: readonly ApiKeyKind[],
    region: string | null,
  ): Promise<ApiKey | null>
  /**
   * Issues a connector. Its token is returned this once. A host that brings its own token passes it; the same token for
   * the same agent again returns the connector as it is.
   * @throws ACCOUNT_NOT_FOUND, PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED
   * @throws CONNECTOR_ALREADY_EXISTS when the token was revoked, has expired or serves another agent
   */
  createConnector(
    input: NewConnectorInput,
  ): Promise<{ readonly connector: ConnectorInfo; readonly token: string }>
  /** Lists connectors, oldest first, including revoked ones. @throws SCHEMA_VALIDATION_FAILED as `accounts` */
  connectors(query?: CredentialQuery): Promise<ConnectorPage>
  /**
   * Returns a connector, without its token and the secrets of its context keys. @throws CONNECTOR_NOT_FOUND also when
   * it was revoked
   */
  connector(id: ConnectorId): Promise<ConnectorInfo>
  /**
   * Changes a connector. Missing fields stay as they are, also inside `handoff`. Concurrent changes all take effect
   * (AG30).
   * @throws CONNECTOR_NOT_FOUND, SCHEMA_VALIDATION_FAILED, WRITE_CONFLICT
   */
  updateConnector(id: ConnectorId, change: ConnectorChange): Promise<ConnectorInfo>
  /**
   * Creates a secret for a connector, with which the host signs context for its conversations. The previous one
   * verifies for a while longer (MS47).
   *
   * @throws CONNECTOR_NOT_FOUND, SCHEMA_VALIDATION_FAILED, WRITE_CONFLICT
   */
  rotateContextKeys(
    id: ConnectorId,
    rotation?: ContextKeyRotation,
  ): Promise<{ readonly connector: ConnectorInfo; readonly contextKey: ContextKey }>
  /**
   * Revokes a connector's context keys: from now on no token sets context through it (MS47). @throws
   * CONNECTOR_NOT_FOUND, WRITE_CONFLICT
   */
  revokeContextKeys(id: ConnectorId): Promise<ConnectorInfo>
  /** Its token, access tokens, handshakes and open sessions stop working at once (MS28). @throws CONNECTOR_NOT_FOUND */
  revokeConnector(id: ConnectorId): Promise<void>
  /**
   * Returns the connector of a token. This counts as its use. Returns null if it is missing, wrong, revoked or expired.
   */
  connectorByToken(token: string | null | undefined): Promise<ConnectorInfo | null>
  /** Adds a telephony connector. @throws ACCOUNT_NOT_FOUND, PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED */
  createTelephonyConnector(input: TelephonyConnectorInput): Promise<TelephonyConnector>
  /** Lists the telephony connectors of an agent that were not revoked, oldest first. */
  telephonyConnectors(agentId: AgentId): Promise<readonly TelephonyConnector[]>
  /**
   * Returns a telephony connector of an agent. @throws CONNECTORS_NOT_FOUND also when it was revoked, or is another
   * agent's
   */
  telephonyConnector(agentId: AgentId, id: ConnectorId): Promise<TelephonyConnector>
  /**
   * Changes a telephony connector. Missing fields stay as they are. `agentId` moves it to another agent of its account,
   * and the phone numbers that it answers with it. A variant that is not active there is removed.
   * @throws CONNECTORS_NOT_FOUND, PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED, WRITE_CONFLICT
   */
  updateTelephonyConnector(
    agentId: AgentId,
    id: ConnectorId,
    change: TelephonyConnectorChange,
  ): Promise<TelephonyConnector>
  /**
   * Revokes it, and removes the phone numbers that it answers. Resolves with the numbers; null when the agent has no
   * connector with that id, or it was revoked before.
   */
  revokeTelephonyConnector(agentId: AgentId, id: ConnectorId): Promise<readonly string[] | null>
  /**
   * Lists the keys that sign access tokens, newest first, without secrets. Empty if the host configures them
   * (`Settings.tokenSecret`).
   */
  tokenKeys(): Promise<readonly TokenKeyInfo[]>
  /**
   * Makes a new key sign access tokens, at once in every process. Tokens of the earlier keys are good until they
   * expire, unless `revokeEarlier` ends them: at once here, elsewhere within `Settings.revocationCheck`. Returns what
   * `tokenKeys` then does.
   * @throws TOKEN_KEYS_GIVEN when the host configures the secrets
   */
  rotateTokenKeys(rotation?: TokenKeyRotation): Promise<readonly TokenKeyInfo[]>
}

/** The parts of access that the use cases of other parts need too. */
export interface AccessParts {
  readonly uses: CredentialUses
  readonly tokenKeys: TokenKeys
  readonly apiKeyWatch: ReturnType<typeof createApiKeyWatch>
}

/** Authenticates like {@link Access.authenticate} by the hash of the secret, for callers that have it already. */
export async function authenticateHash(
  { clock, store }: Context,
  uses: CredentialUses,
  hash: string,
  { kinds, region }: { readonly kinds: readonly ApiKeyKind[]; readonly region: string | null },
): Promise<ApiKey | null> {
  // Read with every request, never from a cache: a revocation in any process takes effect here.
  const key = await store.access.apiKeys.findByHash(hash)
  if (key === null || !sameHash(key.hash, hash) || !isInForce(key, clock.now())) return null
  const here = region === null || key.region === null || key.region === region
  if (!here || !kinds.includes(key.kind)) return null
  uses.apiKey(key)
  return key
}

async function connectorByToken(
  { clock, store }: Context,
  uses: CredentialUses,
  token: string,
): Promise<ConnectorInfo | null> {
  const hash = hashSecret(token)
  const connector = await store.access.connectors.findByTokenHash(hash)
  if (connector === null || !sameHash(connector.tokenHash, hash)) return null
  if (!isInForce(connector, clock.now())) return null
  uses.connector(connector)
  return connectorInfo(connector)
}

/** Returns a result with a connector, without the connector's secrets. */
const shown = <Answer extends { readonly connector: Connector }>({ connector, ...answer }: Answer) => ({
  ...answer,
  connector: connectorInfo(connector),
})

/** The dependencies of the calls of access. */
export type AccessDeps = Context & AccessParts
const { call, act } = callsWith<AccessDeps>()
/** A credential that is missing, or is no text, is none. */
const credential = (name: string) => [name, own<string | null | undefined>()] as const

/** The implementations of the calls about accounts and credentials. */
export const accessCalls = {
  createAccount: act(() => [newAccountSchema], createAccount),
  account: call(
    () => [['idOrSlug', text]],
    ({ store }, idOrSlug) => store.access.accounts.find(idOrSlug),
  ),
  accounts: call(() => [pageQuerySchema], listAccounts),
  createApiKey: act(() => [newApiKeySchema], createApiKey),
  apiKeys: call(() => [credentialQuerySchema], listApiKeys),
  revokeApiKey: act(() => [id], revokeApiKey),
  watchApiKey: call(
    () => [id, ['ended', own<() => void>(isFunction, 'expected a function')]],
    ({ apiKeyWatch, settings }, key, ended) => {
      const watcher = { credentialEnded: () => ended() }
      apiKeyWatch.watch(key, watcher)
      // Catches up on changes from before this process listened.
      apiKeyWatch.check(key).catch(error => settings.onError(error, 'API keys of sockets'))
      return () => apiKeyWatch.unwatch(key, watcher)
    },
    { answers: 'now' },
  ),
  authenticate: call(
    () => [
      credential('secret'),
      ['kinds', z.array(z.enum(API_KEY_KINDS)).default([])],
      ['region', text.nullish()],
    ],
    async (deps, secret, kinds, region = null) =>
      typeof secret === 'string'
        ? authenticateHash(deps, deps.uses, hashSecret(secret), { kinds, region })
        : null,
  ),
  createConnector: act(
    () => [connectorInputSchema],
    (...input) => createConnector(...input).then(shown),
  ),
  connectors: call(() => [credentialQuerySchema], listConnectors),
  connector: call(
    () => [id],
    (...input) => liveConnector(...input).then(connectorInfo),
  ),
  updateConnector: act(
    () => [id, connectorChangeSchema],
    (...input) => updateConnector(...input).then(connectorInfo),
  ),
  rotateContextKeys: act(
    () => [id, contextKeyRotationSchema],
    (...input) => rotateContextKeys(...input).then(shown),
  ),
  revokeContextKeys: act(
    () => [id],
    (...input) => revokeContextKeys(...input).then(connectorInfo),
  ),
  revokeConnector: act(() => [id], revokeConnector),
  connectorByToken: call(
    () => [credential('token')],
    async (deps, token) => (typeof token === 'string' ? connectorByToken(deps, deps.uses, token) : null),
  ),
  createTelephonyConnector: act(() => [telephonyConnectorInputSchema], createTelephonyConnector),
  telephonyConnectors: call(() => [agentId], telephonyConnectors),
  telephonyConnector: call(() => [agentId, id], telephonyConnector),
  updateTelephonyConnector: act(() => [agentId, id, telephonyConnectorMoveSchema], updateTelephonyConnector),
  revokeTelephonyConnector: act(() => [agentId, id], revokeTelephonyConnector),
  tokenKeys: call(
    () => [],
    ({ tokenKeys }) => tokenKeys.list(),
  ),
  rotateTokenKeys: act(
    () => [tokenKeyRotationSchema],
    ({ caller, tokenKeys }, rotation) => tokenKeys.rotate(caller, rotation),
  ),
} satisfies CallsOf<Access, AccessDeps>
