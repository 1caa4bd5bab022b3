import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import { type Account, type ApiKey, type ConnectorInfo, connectorInfo } from '../../domain/access/access.ts'
import type { CredentialFilter } from '../../ports/store/api-keys.ts'
import type { Context } from '../context.ts'
import { type PageEnd, type PageQuery, pageFields, readOldestFirst } from '../shared/page.ts'

/** The schema of {@link CredentialQuery}. */
export const credentialQuerySchema = z.object({
  ...pageFields,
  accountId: z.string().exactOptional(),
  /** Only keys that are limited to the agent, or lead to it. */
  agentId: z.string().exactOptional(),
})

/** The filter of a list of keys or connectors, and its page. All given conditions hold. */
export type CredentialQuery = InputOf<typeof credentialQuerySchema>

/** A page of accounts, oldest first. */
export interface AccountPage extends PageEnd {
  readonly accounts: readonly Account[]
}

/** A page of API keys, oldest first. */
export interface ApiKeyPage extends PageEnd {
  readonly apiKeys: readonly ApiKey[]
}

/** A page of connectors, oldest first. */
export interface ConnectorPage extends PageEnd {
  readonly connectors: readonly ConnectorInfo[]
}

const conditionsOf = ({ accountId, agentId }: CredentialQuery): CredentialFilter => ({
  ...(accountId === undefined ? {} : { accountId }),
  ...(agentId === undefined ? {} : { agentId }),
})

/** See `Access.accounts`. */
export async function listAccounts({ store }: Context, query: PageQuery): Promise<AccountPage> {
  const { values: accounts, cursor } = await readOldestFirst(query, (filter, limit) =>
    store.access.accounts.list(filter, limit),
  )
  return { accounts, cursor }
}

/** See `Access.apiKeys`. */
export async function listApiKeys({ store }: Context, query: CredentialQuery): Promise<ApiKeyPage> {
  const conditions = conditionsOf(query)
  const { values: apiKeys, cursor } = await readOldestFirst(query, (filter, limit) =>
    store.access.apiKeys.list({ ...conditions, ...filter }, limit),
  )
  return { apiKeys, cursor }
}

/** See `Access.connectors`. */
export async function listConnectors({ store }: Context, query: CredentialQuery): Promise<ConnectorPage> {
  const conditions = conditionsOf(query)
  const { values: connectors, cursor } = await readOldestFirst(query, (filter, limit) =>
    store.access.connectors.list({ ...conditions, ...filter }, limit),
  )
  return { connectors: connectors.map(connectorInfo), cursor }
}
