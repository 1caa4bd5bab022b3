import type {
  AccessStore,
  Account,
  AccountId,
  ApiKey,
  ApiKeyId,
  Connector,
  ConnectorId,
} from '@colloquy/core'
import type { AuditTrail } from './audit-store.ts'
import { oldestFirst } from './order.ts'

interface Owned {
  readonly id: string
  readonly accountId: AccountId | null
  readonly createdAt: number
}

/** What an account owns, oldest first; everything when no account is given. */
const owned = <T extends Owned>(values: Iterable<T>, owner?: AccountId): T[] =>
  oldestFirst(values).filter(({ accountId }) => owner === undefined || accountId === owner)

/** Accounts, API keys, connectors and secrets. Every method runs to its end without a pause: at one instant. */
export function createAccessStore(trail: AuditTrail): AccessStore {
  const accounts = new Map<string, Account>()
  const apiKeys = new Map<ApiKeyId, ApiKey>()
  const connectors = new Map<ConnectorId, Connector>()
  const secrets = new Map<string, string>()

  const accountOf = (name: string) =>
    accounts.get(name) ?? [...accounts.values()].find(({ slug }) => slug === name)
  const keyOf = (wanted: string) => [...apiKeys.values()].find(({ hash }) => hash === wanted)
  const connectorOf = (hash: string) => [...connectors.values()].find(({ tokenHash }) => tokenHash === hash)

  return {
    async createAccount(account, entry) {
      if (accountOf(account.id) !== undefined || accountOf(account.slug) !== undefined) return 'taken'
      accounts.set(account.id, account)
      trail.keep(entry)
      return 'created'
    },
    account: async idOrSlug => accountOf(idOrSlug) ?? null,
    accounts: async () => oldestFirst(accounts.values()),

    async createApiKey(key, entry) {
      if (apiKeys.has(key.id) || keyOf(key.hash) !== undefined) return 'taken'
      apiKeys.set(key.id, key)
      trail.keep(entry)
      return 'created'
    },
    apiKeyByHash: async hash => keyOf(hash) ?? null,
    apiKeys: async ({ accountId }) => owned(apiKeys.values(), accountId),
    async revokeApiKey(id, at, entry) {
      const key = apiKeys.get(id)
      if (key === undefined) return false
      if (key.revokedAt !== null) return true
      apiKeys.set(id, { ...key, revokedAt: at })
      trail.keep(entry)
      return true
    },

    async createConnector(connector, entry) {
      if (connectors.has(connector.id) || connectorOf(connector.tokenHash) !== undefined) return 'taken'
      connectors.set(connector.id, connector)
      trail.keep(entry)
      return 'created'
    },
    connector: async id => connectors.get(id) ?? null,
    connectorByTokenHash: async hash => connectorOf(hash) ?? null,
    connectors: async ({ accountId }) => owned(connectors.values(), accountId),
    async updateConnector(connector, entry) {
      const stored = connectors.get(connector.id)
      if (stored === undefined) return false
      connectors.set(connector.id, { ...connector, revokedAt: stored.revokedAt ?? connector.revokedAt })
      trail.keep(entry)
      return true
    },
    async revokeConnector(id, at, entry) {
      const connector = connectors.get(id)
      if (connector === undefined) return false
      if (connector.revokedAt !== null) return true
      connectors.set(id, { ...connector, revokedAt: at })
      trail.keep(entry)
      return true
    },

    async secret(name, candidate) {
      const kept = secrets.get(name) ?? candidate
      secrets.set(name, kept)
      return kept
    },
  }
}
