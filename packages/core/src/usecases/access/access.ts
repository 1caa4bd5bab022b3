import {
  type Account,
  type ApiKey,
  type ApiKeyKind,
  type Connector,
  type ConnectorInfo,
  connectorInfo,
  type TelephonyConnector,
} from '../../domain/access/access.ts'
import type { ContextKey } from '../../domain/access/context-key.ts'
import { isInForce } from '../../domain/access/in-force.ts'
import { hashSecret, sameHash } from '../../domain/access/secret.ts'
import type { Caller } from '../../domain/audit/audit.ts'
import type { AgentId, ApiKeyId, ConnectorId } from '../../domain/ids.ts'
import { type Acting, actingIn, type Context } from '../context.ts'
import type { PartCalls } from '../shared/acts.ts'
import type { PageQuery } from '../shared/page.ts'
import type { ConnectorInput } from './connector-input.ts'
import { type ContextKeyRotation, revokeContextKeys, rotateContextKeys } from './context-keys.ts'
import { createAccount, type NewAccountInput } from './create-account.ts'
import { createApiKey, type NewApiKeyInput } from './create-api-key.ts'
import { createConnector, type NewConnectorInput } from './create-connector.ts'
import type { CredentialUses } from './credential-uses.ts'
import type { createApiKeyWatch } from './credential-watch.ts'
import {
  type AccountPage,
  type ApiKeyPage,
  type ConnectorPage,
  type CredentialQuery,
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
  telephonyConnectors,
  updateTelephonyConnector,
} from './telephony-connectors.ts'
import type { TokenKeyInfo, TokenKeyRotation, TokenKeys } from './token-keys.ts'
import { liveConnector, updateConnector } from './update-connector.ts'

/** Accounts, API keys and connectors, as the host's operator manages them (contract/accounts-and-keys.md, Keys). */
export interface Access {
  /** `accountId` is `ws-<id>`, generated when omitted. @throws ACCOUNT_ALREADY_EXISTS */
  createAccount(input: NewAccountInput): Promise<Account>
  /** By id or by slug; null when there is no such account. */
  account(idOrSlug: string): Promise<Account | null>
  /** Oldest first. @throws SCHEMA_VALIDATION_FAILED for a limit out of range or an invalid cursor */
  accounts(query?: PageQuery): Promise<AccountPage>
  /**
   * Issues a key. Its secret is returned this once; the store keeps a hash. A host that brings its own secret passes
   * it, at least 16 characters; the same secret with the same scope again returns the key that exists.
   * @throws ACCOUNT_NOT_FOUND, PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED
   * @throws API_KEY_ALREADY_EXISTS when the secret was revoked or has another scope or end
   */
  createApiKey(input: NewApiKeyInput): Promise<{ readonly key: ApiKey; readonly secret: string }>
  /** Revoked ones included, oldest first. @throws SCHEMA_VALIDATION_FAILED as `accounts` */
  apiKeys(query?: CredentialQuery): Promise<ApiKeyPage>
  /** The key stops working at once, in every process; its sockets close (CR4, CR5). @throws API_KEY_NOT_FOUND */
  revokeApiKey(id: ApiKeyId): Promise<void>
  /**
   * Calls `ended` when the key works no more, also when it does not now: at once when it is revoked here, and otherwise
   * within `Settings.revocationCheck` (CR5). The returned function ends it.
   */
  watchApiKey(id: ApiKeyId, ended: () => void): () => void
  /**
   * The key of that secret, of one of the kinds and for the region, which counts as its use; null when it is missing,
   * wrong, revoked or has expired.
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
  /** Revoked ones included, oldest first. @throws SCHEMA_VALIDATION_FAILED as `accounts` */
  connectors(query?: CredentialQuery): Promise<ConnectorPage>
  /**
   * A connector, without its token and the secrets of its context keys. @throws CONNECTOR_NOT_FOUND also when it was
   * revoked
   */
  connector(id: ConnectorId): Promise<ConnectorInfo>
  /**
   * Missing fields stay as they are, also inside `handoff`. Concurrent changes all take effect (AC14).
   * @throws CONNECTOR_NOT_FOUND, SCHEMA_VALIDATION_FAILED, WRITE_CONFLICT
   */
  updateConnector(id: ConnectorId, change: Partial<ConnectorInput>): Promise<ConnectorInfo>
  /**
   * Gives a connector a secret with which the host signs context for its conversations; the one before verifies on for
   * a while (MS47).
   * @throws CONNECTOR_NOT_FOUND, SCHEMA_VALIDATION_FAILED, WRITE_CONFLICT
   */
  rotateContextKeys(
    id: ConnectorId,
    rotation?: ContextKeyRotation,
  ): Promise<{ readonly connector: ConnectorInfo; readonly contextKey: ContextKey }>
  /** From now on no token sets context through the connector (MS47). @throws CONNECTOR_NOT_FOUND, WRITE_CONFLICT */
  revokeContextKeys(id: ConnectorId): Promise<ConnectorInfo>
  /** Its token, access tokens, handshakes and open sessions stop working at once (MS28). @throws CONNECTOR_NOT_FOUND */
  revokeConnector(id: ConnectorId): Promise<void>
  /** The connector of that token, which counts as its use; null when it is missing, wrong, revoked or has expired. */
  connectorByToken(token: string | null | undefined): Promise<ConnectorInfo | null>
  /** Adds a telephony connector. @throws ACCOUNT_NOT_FOUND, PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED */
  createTelephonyConnector(input: TelephonyConnectorInput): Promise<TelephonyConnector>
  /** Those of an agent that were not revoked, oldest first. */
  telephonyConnectors(agentId: AgentId): Promise<readonly TelephonyConnector[]>
  /** A telephony connector of an agent. @throws CONNECTORS_NOT_FOUND also when it was revoked, or is another agent's */
  telephonyConnector(agentId: AgentId, id: ConnectorId): Promise<TelephonyConnector>
  /**
   * Missing fields stay as they are. `agentId` moves it to another agent of its account, and the phone numbers that it
   * answers with it; a variant that is not active there is removed.
   * @throws CONNECTORS_NOT_FOUND, PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED, WRITE_CONFLICT
   */
  updateTelephonyConnector(
    agentId: AgentId,
    id: ConnectorId,
    change: TelephonyConnectorChange & { readonly agentId?: AgentId },
  ): Promise<TelephonyConnector>
  /**
   * Revokes it, and removes the phone numbers that it answers. Resolves with the numbers; null when the agent has no
   * connector with that id, or it was revoked before.
   */
  revokeTelephonyConnector(agentId: AgentId, id: ConnectorId): Promise<readonly string[] | null>
  /**
   * The keys that sign access tokens, newest first, without secrets; empty when the host configures them
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

/** What the use cases of access share with other parts. */
export interface AccessParts {
  readonly uses: CredentialUses
  readonly tokenKeys: TokenKeys
  readonly apiKeyWatch: ReturnType<typeof createApiKeyWatch>
}

/** {@link Access.authenticate} by the hash of the secret, for callers that have it already. */
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

/**
 * The calls of accounts and credentials, not bound to a caller yet: those that issue, change and revoke them record
 * their caller.
 */
export type AccessCalls = PartCalls<
  Access,
  | 'createAccount'
  | 'createApiKey'
  | 'revokeApiKey'
  | 'createConnector'
  | 'updateConnector'
  | 'rotateContextKeys'
  | 'revokeContextKeys'
  | 'revokeConnector'
  | 'createTelephonyConnector'
  | 'updateTelephonyConnector'
  | 'revokeTelephonyConnector'
  | 'rotateTokenKeys'
>

/** An answer with a connector, without the secrets that the connector holds. */
const shown = <Answer extends { readonly connector: Connector }>({ connector, ...answer }: Answer) => ({
  ...answer,
  connector: connectorInfo(connector),
})

/** Binds the use cases of accounts and credentials to a context. */
export function createAccess(context: Context, { apiKeyWatch, uses, tokenKeys }: AccessParts): AccessCalls {
  const { access } = context.store
  const by = (caller: Caller): Acting => actingIn(context, caller)
  return {
    acts: {
      createAccount: (caller, input) => createAccount(by(caller), input),
      createApiKey: (caller, input) => createApiKey(by(caller), input),
      revokeApiKey: (caller, id) => revokeApiKey(by(caller), id),
      createConnector: (caller, input) => createConnector(by(caller), input).then(shown),
      updateConnector: (caller, id, change) => updateConnector(by(caller), id, change).then(connectorInfo),
      rotateContextKeys: (caller, id, rotation = {}) =>
        rotateContextKeys(by(caller), id, rotation).then(shown),
      revokeContextKeys: (caller, id) => revokeContextKeys(by(caller), id).then(connectorInfo),
      revokeConnector: (caller, id) => revokeConnector(by(caller), id),
      createTelephonyConnector: (caller, input) => createTelephonyConnector(by(caller), input),
      updateTelephonyConnector: (caller, agentId, id, change) =>
        updateTelephonyConnector(by(caller), agentId, id, change),
      revokeTelephonyConnector: (caller, agentId, id) => revokeTelephonyConnector(by(caller), agentId, id),
      rotateTokenKeys: (caller, rotation = {}) => tokenKeys.rotate(caller, rotation),
    },
    common: {
      account: idOrSlug => access.accounts.find(idOrSlug),
      accounts: (query = {}) => listAccounts(context, query),
      apiKeys: (query = {}) => listApiKeys(context, query),
      watchApiKey(id, ended) {
        const watcher = { credentialEnded: () => ended() }
        apiKeyWatch.watch(id, watcher)
        // What happened before this process listened.
        apiKeyWatch.check(id).catch(error => context.settings.onError(error, 'API keys of sockets'))
        return () => apiKeyWatch.unwatch(id, watcher)
      },
      authenticate: async (secret, kinds = [], region = null) =>
        typeof secret === 'string'
          ? authenticateHash(context, uses, hashSecret(secret), { kinds, region })
          : null,
      connectors: (query = {}) => listConnectors(context, query),
      connector: id => liveConnector(context, id).then(connectorInfo),
      connectorByToken: async token =>
        typeof token === 'string' ? connectorByToken(context, uses, token) : null,
      telephonyConnectors: agentId => telephonyConnectors(context, agentId),
      telephonyConnector: (agentId, id) => telephonyConnector(context, agentId, id),
      tokenKeys: tokenKeys.list,
    },
  }
}
