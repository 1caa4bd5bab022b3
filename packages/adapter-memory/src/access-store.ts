import type { AccessStore, Account, AccountId, ApiKey, Connector } from '@colloquy/core'
import { inOrder, type Place } from './order.ts'

/** What an account owns; everything when no account is given. */
const ownedBy = <T extends { readonly accountId: AccountId | null }>(
  values: Iterable<T>,
  owner?: AccountId,
): T[] => [...values].filter(({ accountId }) => owner === undefined || accountId === owner)

const age = ({ createdAt, id }: { readonly createdAt: number; readonly id: string }): Place => [createdAt, id]

/** Accounts, API keys, connectors and secrets. Every method runs to its end without a pause: at one instant. */
export function createAccessStore(): AccessStore {
  const accounts = new Map<string, Account>()
  const idsBySlug = new Map<string, string>()
  const apiKeys = new Map<string, ApiKey>()
  const keyIdsByHash = new Map<string, string>()
  const connectors = new Map<string, Connector>()
  const connectorIdsByHash = new Map<string, string>()
  const secrets = new Map<string, string>()

  const findAccount = (idOrSlug: string) => accounts.get(idsBySlug.get(idOrSlug) ?? idOrSlug) ?? null

  return {
    async createAccount(account) {
      if (findAccount(account.id) !== null || findAccount(account.slug) !== null) return 'taken'
      accounts.set(account.id, account)
      idsBySlug.set(account.slug, account.id)
      return 'created'
    },
    account: async idOrSlug => findAccount(idOrSlug),
    accounts: async () => inOrder(accounts.values(), age),

    async createApiKey(key) {
      if (apiKeys.has(key.id) || keyIdsByHash.has(key.hash)) return 'taken'
      apiKeys.set(key.id, key)
      keyIdsByHash.set(key.hash, key.id)
      return 'created'
    },
    apiKeyByHash: async hash => apiKeys.get(keyIdsByHash.get(hash) ?? '') ?? null,
    apiKeys: async ({ accountId }) => inOrder(ownedBy(apiKeys.values(), accountId), age),
    async revokeApiKey(id, at) {
      const key = apiKeys.get(id)
      if (key === undefined) return false
      apiKeys.set(id, { ...key, revokedAt: key.revokedAt ?? at })
      return true
    },

    async createConnector(connector) {
      if (connectors.has(connector.id) || connectorIdsByHash.has(connector.tokenHash)) return 'taken'
      connectors.set(connector.id, connector)
      connectorIdsByHash.set(connector.tokenHash, connector.id)
      return 'created'
    },
    connector: async id => connectors.get(id) ?? null,
    connectorByTokenHash: async hash => connectors.get(connectorIdsByHash.get(hash) ?? '') ?? null,
    connectors: async ({ accountId }) => inOrder(ownedBy(connectors.values(), accountId), age),
    async updateConnector(connector) {
      const previous = connectors.get(connector.id)
      if (previous === undefined) return false
      connectorIdsByHash.delete(previous.tokenHash)
      connectorIdsByHash.set(connector.tokenHash, connector.id)
      connectors.set(connector.id, connector)
      return true
    },

    async secret(name, candidate) {
      const kept = secrets.get(name) ?? candidate
      secrets.set(name, kept)
      return kept
    },
  }
}
