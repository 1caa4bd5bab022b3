import * as z from 'zod'
import type { Account, ApiKey, ConnectorInfo } from '../../domain/access/access.ts'
import type { ContextKeyInfo } from '../../domain/access/context-key.ts'
import {
  accountIdSchema,
  connectorChangeSchema,
  expiryOnWireSchema,
  labelSchema,
  nameSchema,
  newConnectorSchema,
  permissionsSchema,
  regionSchema,
  slugSchema,
} from '../../domain/access/schemas.ts'
import { isoTimeOrNull } from '../../domain/time.ts'
import type { Platform } from '../../platform.ts'
import { edgeOf } from '../../platform-context.ts'
import { contextKeyRotationSchema } from '../../usecases/access/context-keys.ts'
import type { CredentialQuery } from '../../usecases/access/lists.ts'
import { defineRoute, type Route } from '../route.ts'
import { page } from './query-values.ts'
import { newTelephonyConnectorRoute } from './telephony-connectors.ts'

const byId = z.object({ id: z.string() })
const byAccount = z.object({ accountId: z.string().min(1).exactOptional(), ...page })
const common = { family: 'operator', credential: 'operator' } as const

/** Returns an account as the Operator API shows it. */
export const accountOnWire = ({ id, slug, name, createdAt }: Account) => ({
  accountId: id,
  slug,
  name,
  createdAt: isoTimeOrNull(createdAt),
})

/** Returns an API key as the Operator API shows it: without the hash. */
export const apiKeyOnWire = ({ hash: _, ...key }: ApiKey) => ({
  ...key,
  createdAt: isoTimeOrNull(key.createdAt),
  revokedAt: isoTimeOrNull(key.revokedAt),
  expiresAt: isoTimeOrNull(key.expiresAt),
  lastUsedAt: isoTimeOrNull(key.lastUsedAt),
})

/** Returns a context key as the Operator API shows it: without its secret. */
export const contextKeyOnWire = ({ kid, createdAt, verifiesUntil }: ContextKeyInfo) => ({
  kid,
  createdAt: isoTimeOrNull(createdAt),
  verifiesUntil: isoTimeOrNull(verifiesUntil),
})

/** Returns a connector as the Operator API shows it: without the token's hash and its context keys. */
export const connectorOnWire = ({
  tokenHash: _,
  tokenPrefix: prefix,
  kind: __,
  contextKeys,
  ...connector
}: ConnectorInfo) => ({
  ...connector,
  contextKeys: contextKeys.map(contextKeyOnWire),
  prefix,
  createdAt: isoTimeOrNull(connector.createdAt),
  revokedAt: isoTimeOrNull(connector.revokedAt),
  expiresAt: isoTimeOrNull(connector.expiresAt),
  lastUsedAt: isoTimeOrNull(connector.lastUsedAt),
})

/** Returns token keys as the Operator API shows them: without their secrets. */
export const tokenKeysOnWire = (keys: Awaited<ReturnType<Platform['access']['tokenKeys']>>) => ({
  tokenKeys: keys.map(({ id, createdAt, verifiesUntil }) => ({
    id,
    createdAt: isoTimeOrNull(createdAt),
    verifiesUntil: isoTimeOrNull(verifiesUntil),
  })),
})

/** The end of a connector as it is sent; null takes it away. */
const connectorExpiry = { expiresAt: expiryOnWireSchema.nullable().exactOptional() }

/** Returns the filter of a list; the account is named by id or slug. @throws ACCOUNT_NOT_FOUND */
async function credentialQuery(
  platform: Platform,
  { accountId, ...page }: z.output<typeof byAccount>,
): Promise<CredentialQuery> {
  return accountId === undefined
    ? page
    : { ...page, accountId: (await edgeOf(platform).account(accountId)).id }
}

const accountRoutes = [
  defineRoute({
    ...common,
    method: 'POST',
    path: '/operator/v1/accounts',
    operation: 'createAccount',
    summary: 'Create an account',
    body: z.object({ accountId: accountIdSchema.exactOptional(), slug: slugSchema, name: nameSchema }),
    async handle({ platform, body }) {
      return { status: 201, json: accountOnWire(await platform.access.createAccount(body)) }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/operator/v1/accounts',
    operation: 'listAccounts',
    summary: 'List accounts, oldest first',
    query: z.object(page),
    async handle({ platform, query }) {
      const { accounts, cursor } = await platform.access.accounts(query)
      return { status: 200, json: { accounts: accounts.map(accountOnWire), next_cursor: cursor } }
    },
  }),
]

const apiKeyRoutes = [
  defineRoute({
    ...common,
    method: 'POST',
    path: '/operator/v1/api-keys',
    operation: 'createApiKey',
    summary: 'Issue an API key; only this response has its secret',
    body: z.object({
      kind: z.enum(['workspace', 'project', 'external_events', 'desk']),
      accountId: z.string(),
      agentId: z.string().exactOptional(),
      region: regionSchema.exactOptional(),
      name: labelSchema.exactOptional(),
      permissions: permissionsSchema.exactOptional(),
      expiresAt: expiryOnWireSchema.exactOptional(),
    }),
    async handle({ platform, body }) {
      const { key, secret } = await platform.access.createApiKey(body)
      return { status: 201, json: { ...apiKeyOnWire(key), key: secret } }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/operator/v1/api-keys',
    operation: 'listApiKeys',
    summary: 'List API keys without their secrets, revoked ones included, oldest first',
    query: byAccount,
    async handle({ platform, query }) {
      const { apiKeys, cursor } = await platform.access.apiKeys(await credentialQuery(platform, query))
      return { status: 200, json: { apiKeys: apiKeys.map(apiKeyOnWire), next_cursor: cursor } }
    },
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: '/operator/v1/api-keys/:id',
    operation: 'revokeApiKey',
    summary: 'Revoke an API key',
    params: byId,
    async handle({ platform, params }) {
      await platform.access.revokeApiKey(params.id)
      return { status: 204 }
    },
  }),
]

const connectorRoutes = [
  defineRoute({
    ...common,
    method: 'POST',
    path: '/operator/v1/connectors',
    operation: 'createConnector',
    summary: 'Create a connector; only this response has its token',
    body: newConnectorSchema.extend({ accountId: z.string(), agentId: z.string(), ...connectorExpiry }),
    async handle({ platform, body }) {
      const { connector, token } = await platform.access.createConnector(body)
      return { status: 201, json: { ...connectorOnWire(connector), token } }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/operator/v1/connectors',
    operation: 'listConnectors',
    summary: 'List connectors without their tokens, revoked ones included, oldest first',
    query: byAccount,
    async handle({ platform, query }) {
      const { connectors, cursor } = await platform.access.connectors(await credentialQuery(platform, query))
      return { status: 200, json: { connectors: connectors.map(connectorOnWire), next_cursor: cursor } }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/operator/v1/connectors/:id',
    operation: 'readConnector',
    summary: 'Read a connector',
    params: byId,
    async handle({ platform, params }) {
      const connector = await platform.access.connector(params.id)
      return { status: 200, json: connectorOnWire(connector) }
    },
  }),
  defineRoute({
    ...common,
    method: 'PATCH',
    path: '/operator/v1/connectors/:id',
    operation: 'updateConnector',
    summary: 'Change a connector; what is left out stays',
    params: byId,
    body: connectorChangeSchema.extend(connectorExpiry),
    async handle({ platform, params, body }) {
      const connector = await platform.access.updateConnector(params.id, body)
      return { status: 200, json: connectorOnWire(connector) }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/operator/v1/connectors/:id/context-keys',
    operation: 'rotateContextKeys',
    summary: 'Create a context key for a connector; only this response has its secret',
    params: byId,
    body: contextKeyRotationSchema,
    async handle({ platform, params, body }) {
      const { contextKey } = await platform.access.rotateContextKeys(params.id, body)
      return { status: 201, json: { ...contextKeyOnWire(contextKey), secret: contextKey.secret } }
    },
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: '/operator/v1/connectors/:id/context-keys',
    operation: 'revokeContextKeys',
    summary: 'Revoke the context keys of a connector',
    params: byId,
    async handle({ platform, params }) {
      await platform.access.revokeContextKeys(params.id)
      return { status: 204 }
    },
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: '/operator/v1/connectors/:id',
    operation: 'revokeConnector',
    summary: 'Revoke a connector',
    params: byId,
    async handle({ platform, params }) {
      await platform.access.revokeConnector(params.id)
      return { status: 204 }
    },
  }),
]

const tokenKeyRoutes = [
  defineRoute({
    ...common,
    method: 'GET',
    path: '/operator/v1/token-keys',
    operation: 'listTokenKeys',
    summary: 'List the keys that sign access tokens, newest first, without their secrets',
    async handle({ platform }) {
      return { status: 200, json: tokenKeysOnWire(await platform.access.tokenKeys()) }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/operator/v1/token-keys/rotate',
    operation: 'rotateTokenKeys',
    summary: 'Sign access tokens with a new key',
    body: z.object({ revokeEarlier: z.boolean().exactOptional() }),
    async handle({ platform, body }) {
      return { status: 200, json: tokenKeysOnWire(await platform.access.rotateTokenKeys(body)) }
    },
  }),
]

/** The Operator API, `/operator/v1` (contract/operator.md). */
export const operatorRoutes: readonly Route[] = [
  ...accountRoutes,
  ...apiKeyRoutes,
  ...connectorRoutes,
  newTelephonyConnectorRoute,
  ...tokenKeyRoutes,
]
