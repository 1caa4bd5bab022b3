import type {
  Account,
  ApiKey,
  ApiKeyKind,
  ConnectorInfo,
  TelephonyConnector,
} from '../domain/access/access.ts'
import { API_KEY_KINDS } from '../domain/access/access.ts'
import type { Permission } from '../domain/access/permissions.ts'
import { mayUseAccount } from '../domain/access/person.ts'
import type { Principal } from '../domain/access/principal.ts'
import { hashSecret } from '../domain/access/secret.ts'
import type { Agent, AgentRecord } from '../domain/agent/agent.ts'
import { brandedHeader } from '../domain/brand.ts'
import type { AgentId } from '../domain/ids.ts'
import { PlatformError } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { edgeOf } from '../platform-context.ts'
import { attempt } from '../usecases/access/attempt.ts'
import type { Family, HttpRequest, Route, RouteScope } from './route.ts'

/** The permission that a limited key needs for each family; null: the family takes no keys. */
export const PERMISSION: Readonly<Record<Family, Permission | null>> = {
  agents: 'agents',
  'debug-chat': 'debug-chat',
  chat: 'chat',
  'conversations-v1': 'conversations',
  'conversations-v3': 'conversations',
  concurrency: 'analytics',
  'external-events': 'external-events',
  messaging: null,
  operator: 'operator',
  desk: 'desk',
  webhooks: 'webhooks',
  alerts: 'alerts',
  texts: 'texts',
  calls: 'calls',
  'handoff-state': 'conversations',
  'number-reservation': 'conversations',
}

const unauthorised = (message: string) => new PlatformError('AUTH_USER_UNAUTHORISED', message)
const forbidden = (message: string) => new PlatformError('USER_ACCESS_FORBIDDEN', message)

const keyRequired = (header: string) => unauthorised(`An API key is required in the header ${header}.`)

/** @throws AUTH_USER_UNAUTHORISED */
function secretIn(headers: HttpRequest['headers'], name: string): string {
  const secret = headers[name]?.trim() ?? ''
  if (secret === '') throw keyRequired(name)
  return secret
}

/**
 * Returns the secret that a request brings for a kind of key: operator keys as a bearer token, all others in
 * `x-api-key`.
 */
function givenSecret(kind: ApiKeyKind, headers: HttpRequest['headers']): string {
  if (kind !== 'operator') return secretIn(headers, 'x-api-key')
  const secret = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  if (secret === undefined) throw keyRequired('Authorization: Bearer <operator key>')
  return secret
}

/** The origin of a secret. */
export interface SecretOrigin {
  /** Null: the host that was asked has none. */
  readonly region: string | null
  readonly remoteAddress: string
}

const ANYONE: Principal = { type: 'anyone' }

/**
 * Returns the principal that makes a request.
 *
 * @throws RATE_LIMITED before anything is looked up (SM20 to SM24)
 * @throws AUTH_USER_UNAUTHORISED for a key that is missing, wrong, revoked, expired or of another region
 * @throws USER_ACCESS_FORBIDDEN for a good key of another kind, or one without permission for the family
 * @throws CONNECTORS_NOT_FOUND for an unknown telephony connector
 */
export async function authenticate(
  platform: Platform,
  { credential, family }: Route,
  headers: HttpRequest['headers'],
  from: SecretOrigin,
): Promise<Principal> {
  if (credential === 'own') return ANYONE
  if (credential === 'host_key') {
    const key = await hostKeyOf(platform, family, givenSecret('project', headers), from)
    return { type: 'api_key', key }
  }
  if (credential === 'key_and_token') return authenticateBoth(platform, family, headers, from)
  if (credential === 'key_and_line' || credential === 'line_key')
    return authenticateLine(platform, { credential, family }, headers, from)
  return authenticateSecret(platform, { credential, family }, givenSecret(credential, headers), from)
}

/** Authenticates a secret, wherever it came from. */
export async function authenticateSecret(
  platform: Platform,
  route: { readonly credential: ApiKeyKind; readonly family: Family },
  secret: string,
  from: SecretOrigin,
): Promise<Principal> {
  const key = await keyOf(platform, secret, from)
  if (key.kind !== route.credential)
    throw forbidden(
      `An API key of kind ${route.credential} is required, and this one is of kind ${key.kind}.`,
    )
  const permission = PERMISSION[route.family]
  if (permission !== null) checkPermission(key, permission)
  return { type: 'api_key', key }
}

/**
 * Authenticates a project or workspace key, and a connector's token for the same account and agent (TC10). Neither is
 * enough: the key says whose server asks, the token for which agent and environment.
 */
async function authenticateBoth(
  platform: Platform,
  family: Family,
  headers: HttpRequest['headers'],
  from: SecretOrigin,
): Promise<Principal> {
  const key = await hostKeyOf(platform, family, givenSecret('project', headers), from)
  const connector = await connectorOf(platform, headers['x-token']?.trim() ?? '', from)
  if (key.accountId !== connector.accountId || (key.agentId !== null && key.agentId !== connector.agentId))
    throw forbidden('The API key and the connector token are for different accounts or agents.')
  return { type: 'api_key', key, connector }
}

/**
 * Authenticates a project or workspace key, and the id of a telephony connector of the same account and agent (TX40).
 * The id is no secret, and says for which agent and environment.
 */
async function authenticateLine(
  platform: Platform,
  { credential, family }: Pick<Route, 'credential' | 'family'>,
  headers: HttpRequest['headers'],
  from: SecretOrigin,
): Promise<Principal> {
  const header = brandedHeader(platform.settings.brand, 'Auth-Token').toLowerCase()
  const key = await hostKeyOf(platform, family, secretIn(headers, header), from)
  const id = headers['x-token-id']?.trim() ?? ''
  const line =
    id === '' && credential === 'line_key' ? await usualLineOf(platform, key) : await lineOf(platform, id)
  if (key.accountId !== line.accountId || (key.agentId !== null && key.agentId !== line.agentId))
    throw forbidden('The API key and the telephony connector are for different accounts or agents.')
  return { type: 'api_key', key, line }
}

/** Returns the connector over which the agent of the key calls by default (TX40). @throws AUTH_USER_UNAUTHORISED */
async function usualLineOf(platform: Platform, { agentId }: ApiKey): Promise<TelephonyConnector> {
  if (agentId === null)
    throw unauthorised(
      'The API key is for no agent alone: the id of a telephony connector is required in the header x-token-id.',
    )
  const line = await platform.calls.usualConnector(agentId, 'live')
  if (line !== null) return line
  throw unauthorised('The agent of the API key has no telephony connector in the environment live.')
}

/** @throws AUTH_USER_UNAUTHORISED, CONNECTORS_NOT_FOUND */
async function lineOf(platform: Platform, id: string): Promise<TelephonyConnector> {
  if (id === '') throw unauthorised('The id of a telephony connector is required in the header x-token-id.')
  const found = await edgeOf(platform).telephonyConnector(id)
  if (found !== null) return found
  throw new PlatformError('CONNECTORS_NOT_FOUND', 'There is no telephony connector of that id.')
}

/** Returns a key of the host's own servers that may use the family. */
async function hostKeyOf(
  platform: Platform,
  family: Family,
  secret: string,
  from: SecretOrigin,
): Promise<ApiKey> {
  const key = await keyOf(platform, secret, from)
  requireHostKind(key)
  const permission = PERMISSION[family]
  if (permission !== null) checkPermission(key, permission)
  return key
}

/** @throws RATE_LIMITED, AUTH_USER_UNAUTHORISED */
async function connectorOf(
  platform: Platform,
  token: string,
  { remoteAddress }: Pick<SecretOrigin, 'remoteAddress'>,
): Promise<ConnectorInfo> {
  if (token === '') throw unauthorised('The token of a connector is required in the header x-token.')
  const { limiters } = edgeOf(platform)
  const found = await attempt(limiters, { used: limiters.keys, name: hashSecret(token), remoteAddress }, () =>
    platform.access.connectorByToken(token),
  )
  if (found === null) throw unauthorised('The connector token is wrong, revoked, or has expired.')
  return found
}

function requireHostKind(key: ApiKey): void {
  if (key.kind !== 'project' && key.kind !== 'workspace')
    throw forbidden(
      `An API key of kind project or workspace is required, and this one is of kind ${key.kind}.`,
    )
}

async function keyOf(
  platform: Platform,
  secret: string,
  { region, remoteAddress }: SecretOrigin,
): Promise<ApiKey> {
  const { apiKey, limiters } = edgeOf(platform)
  const hash = hashSecret(secret)
  const key = await attempt(limiters, { used: limiters.keys, name: hash, remoteAddress }, () =>
    apiKey(hash, { kinds: API_KEY_KINDS, region }),
  )
  if (key === null)
    throw unauthorised('The API key is wrong, revoked, has expired, or was issued for another region.')
  return key
}

function checkPermission(key: ApiKey, permission: Permission): void {
  if (key.permissions !== null && !key.permissions.includes(permission))
    throw forbidden(`The API key lacks the permission "${permission}".`)
}

/**
 * Requires a key of the host beside the visitor's token, for facts that only the host's server may set. Valid are a
 * project key of the connector's agent and a workspace key of its account (MS45).
 *
 * @throws as {@link authenticateSecret}
 */
export async function requireHostKey(
  platform: Platform,
  { headers, remoteAddress }: Pick<HttpRequest, 'headers' | 'remoteAddress'>,
  { accountId, agentId }: Pick<ConnectorInfo, 'accountId' | 'agentId'>,
): Promise<void> {
  const secret = headers['x-api-key']?.trim() ?? ''
  if (secret === '')
    throw unauthorised(
      'Who the visitor is, and integration attributes, are taken from your server: it sends a project or workspace key in the header x-api-key.',
    )
  const key = await keyOf(platform, secret, { region: null, remoteAddress })
  requireHostKind(key)
  checkPermission(key, 'conversations')
  if (key.accountId !== accountId || (key.agentId !== null && key.agentId !== agentId))
    throw forbidden('The API key has no permission for the agent of that access token.')
}

/** The account and agent that a request is about; null when it does not name them. */
export interface ResolvedScope {
  readonly account: Account | null
  /** Null also for an agent that was deleted. */
  readonly agent: Agent | null
  /** Null also where the scope does not ask for it. */
  readonly record: AgentRecord | null
  readonly agentId: AgentId | null
}

function checkAccount(principal: Principal, account: Account): void {
  const key = principal.type === 'api_key' ? principal.key : null
  if (key !== null && key.accountId !== null && key.accountId !== account.id)
    throw forbidden('The API key has no permission for that account.')
  if (principal.type === 'person' && !mayUseAccount(principal.person, account.id))
    throw forbidden('You have no permission for that account.')
}

/**
 * Returns the agent that a scope names. @throws PROJECT_NOT_FOUND also for one of another account than the named one
 */
async function findAgent(
  platform: Platform,
  scope: RouteScope,
  named: Account | null,
): Promise<Pick<ResolvedScope, 'agent' | 'agentId' | 'record'>> {
  const { agent: agentId } = scope
  if (agentId === undefined) return { agent: null, agentId: null, record: null }
  const { agents } = edgeOf(platform)
  const record = scope.asRecord ? await agents.findRecord(agentId) : null
  const agent = scope.asRecord ? record : await agents.find(agentId)
  if (agent !== null && (named === null || agent.accountId === named.id)) return { agent, agentId, record }
  if (scope.evenDeleted && named !== null && (await agents.findDeleted(named.id, agentId)))
    return { agent: null, agentId, record: null }
  throw new PlatformError('PROJECT_NOT_FOUND', 'There is no agent of that id.')
}

/**
 * Finds the account and agent that a route's scope names, and checks that the principal may use them. A key that is for
 * one agent opens nothing that concerns the account as a whole.
 *
 * @throws ACCOUNT_NOT_FOUND, PROJECT_NOT_FOUND also for an agent that is not of the named account
 * @throws USER_ACCESS_FORBIDDEN for what belongs to another account or agent than the key
 */
export async function resolveScope(
  platform: Platform,
  principal: Principal,
  scope: RouteScope,
): Promise<ResolvedScope> {
  const key = principal.type === 'api_key' ? principal.key : null
  const named = scope.account === undefined ? null : await edgeOf(platform).account(scope.account)
  if (named !== null) checkAccount(principal, named)
  const { agent, agentId, record } = await findAgent(platform, scope, named)
  const account = named ?? (agent === null ? null : await edgeOf(platform).account(agent.accountId))
  if (account !== null) checkAccount(principal, account)
  if (account !== null && key !== null && key.agentId !== null) {
    if (key.agentId !== agentId) throw forbidden('The API key is for another agent.')
    if (scope.wholeAccount)
      throw forbidden('The API key is for one agent, and this concerns the whole account.')
  }
  const connector = principal.type === 'api_key' ? (principal.connector ?? null) : null
  if (connector !== null && (connector.accountId !== account?.id || connector.agentId !== agentId))
    throw forbidden('The connector token is for another agent.')
  return { account, agent, agentId, record }
}
