import type { Account, ApiKey, Connector } from '../../src/domain/access/access.ts'
import type { AccessStore } from '../../src/ports/access-store.ts'

const older = (
  one: { readonly createdAt: number; readonly id: string },
  other: { readonly createdAt: number; readonly id: string },
) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1)

/** The smallest store that keeps the promises of the access port. */
export function createAccessStore(): AccessStore {
  const accounts = new Map<string, Account>()
  const keys = new Map<string, ApiKey>()
  const connectors = new Map<string, Connector>()
  const secrets = new Map<string, string>()
  const named = (name: string) =>
    [...accounts.values()].find(({ id, slug }) => id === name || slug === name) ?? null
  return {
    async createAccount(account) {
      if (named(account.id) !== null || named(account.slug) !== null) return 'taken'
      accounts.set(account.id, account)
      return 'created'
    },
    account: async name => named(name),
    accounts: async () => [...accounts.values()].sort(older),
    async createApiKey(key) {
      if (keys.has(key.id) || [...keys.values()].some(({ hash }) => hash === key.hash)) return 'taken'
      keys.set(key.id, key)
      return 'created'
    },
    apiKeyByHash: async wanted => [...keys.values()].find(({ hash }) => hash === wanted) ?? null,
    apiKeys: async ({ accountId }) =>
      [...keys.values()].filter(key => accountId === undefined || key.accountId === accountId).sort(older),
    async revokeApiKey(id, at) {
      const key = keys.get(id)
      if (key !== undefined) keys.set(id, { ...key, revokedAt: key.revokedAt ?? at })
      return key !== undefined
    },
    async createConnector(connector) {
      const taken = [...connectors.values()].some(({ tokenHash }) => tokenHash === connector.tokenHash)
      if (taken || connectors.has(connector.id)) return 'taken'
      connectors.set(connector.id, connector)
      return 'created'
    },
    connector: async id => connectors.get(id) ?? null,
    connectorByTokenHash: async hash =>
      [...connectors.values()].find(({ tokenHash }) => tokenHash === hash) ?? null,
    connectors: async ({ accountId }) =>
      [...connectors.values()]
        .filter(connector => accountId === undefined || connector.accountId === accountId)
        .sort(older),
    async updateConnector(connector) {
      const stored = connectors.get(connector.id)
      if (stored !== undefined)
        connectors.set(connector.id, { ...connector, revokedAt: stored.revokedAt ?? connector.revokedAt })
      return stored !== undefined
    },
    async secret(name, candidate) {
      const kept = secrets.get(name) ?? candidate
      secrets.set(name, kept)
      return kept
    },
  }
}
