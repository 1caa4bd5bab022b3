import type {
  Account,
  AccountId,
  AgentId,
  AnyConnector,
  ApiKey,
  ApiKeyId,
  Connector,
  ConnectorId,
  TelephonyConnector,
} from '@colloquy/core'
import type { AccessStore, CredentialFilter, TokenKey } from '@colloquy/core/store'
import type { AuditTrail } from './audit-store.ts'
import { behind } from './order.ts'

interface Owned {
  readonly id: string
  readonly accountId: AccountId | null
  readonly agentId: AgentId | null
  readonly createdAt: number
}

/** The first credentials that a filter lets through. */
const credentials = <T extends Owned>(values: Iterable<T>, filter: CredentialFilter, limit: number): T[] =>
  behind(values, filter)
    .filter(one => filter.accountId === undefined || one.accountId === filter.accountId)
    .filter(one => filter.agentId === undefined || one.agentId === filter.agentId)
    .slice(0, limit)

/** Whether a use is to be noted: none was, or the newest is old enough, or further ahead than any clock (TM8). */
const isDue = (lastUsedAt: number | null, at: number, interval: number): boolean =>
  lastUsedAt === null || lastUsedAt <= at - interval || lastUsedAt > at + interval

const isMessaging = (connector: AnyConnector): connector is Connector => connector.kind === 'messaging'
const isTelephony = (connector: AnyConnector): connector is TelephonyConnector =>
  connector.kind === 'telephony'

/** All of a connector that an update can change, to be compared. */
const settingsOf = (connector: AnyConnector): string =>
  isMessaging(connector) ? messagingSettings(connector) : telephonySettings(connector)

const telephonySettings = (connector: TelephonyConnector): string =>
  JSON.stringify([
    ...[connector.name, connector.accountId, connector.agentId, connector.environment],
    ...[connector.variantId, connector.revokedAt, connector.asrLangCode, connector.ttsLangCode],
    ...[connector.voiceName, connector.disableHandoff],
  ])

const messagingSettings = ({ handoff, ...connector }: Connector): string =>
  JSON.stringify([
    ...[connector.tokenHash, connector.name, connector.accountId, connector.agentId, connector.environment],
    ...[connector.hosts, connector.variantId, connector.revokedAt, connector.expiresAt],
    ...[handoff.mode, handoff.queueName, handoff.timeoutSeconds],
  ])

/** Accounts, API keys, connectors, secrets and token keys. Every method runs to its end without a pause: at one instant. */
export function createAccessStore(trail: AuditTrail): AccessStore {
  const accounts = new Map<string, Account>()
  const apiKeys = new Map<ApiKeyId, ApiKey>()
  const connectors = new Map<ConnectorId, AnyConnector>()
  const secrets = new Map<string, string>()
  let tokenKeys: readonly TokenKey[] = []

  const accountOf = (name: string) =>
    accounts.get(name) ?? [...accounts.values()].find(({ slug }) => slug === name)
  const keyOf = (wanted: string) => [...apiKeys.values()].find(({ hash }) => hash === wanted)
  const messaging = () => [...connectors.values()].filter(isMessaging)
  const telephony = () => [...connectors.values()].filter(isTelephony)
  const connectorOf = (hash: string) => messaging().find(({ tokenHash }) => tokenHash === hash)

  return {
    async createAccount(account, entry) {
      if (accountOf(account.id) !== undefined || accountOf(account.slug) !== undefined) return 'taken'
      accounts.set(account.id, account)
      trail.keep(entry)
      return 'created'
    },
    account: async idOrSlug => accountOf(idOrSlug) ?? null,
    accounts: async (filter, limit) => behind(accounts.values(), filter).slice(0, limit),

    async createApiKey(key, entry) {
      if (apiKeys.has(key.id) || keyOf(key.hash) !== undefined) return 'taken'
      apiKeys.set(key.id, key)
      trail.keep(entry)
      return 'created'
    },
    apiKey: async id => apiKeys.get(id) ?? null,
    apiKeyByHash: async hash => keyOf(hash) ?? null,
    apiKeys: async (filter, limit) => credentials(apiKeys.values(), filter, limit),
    async revokeApiKey(id, at, entry) {
      const key = apiKeys.get(id)
      if (key === undefined) return false
      if (key.revokedAt !== null) return true
      apiKeys.set(id, { ...key, revokedAt: at })
      trail.keep(entry)
      return true
    },
    async touchApiKey(id, at, interval) {
      const key = apiKeys.get(id)
      if (key === undefined || !isDue(key.lastUsedAt, at, interval)) return false
      apiKeys.set(id, { ...key, lastUsedAt: at })
      return true
    },

    async createConnector(connector, entry) {
      if (connectors.has(connector.id)) return 'taken'
      if (isMessaging(connector) && connectorOf(connector.tokenHash) !== undefined) return 'taken'
      connectors.set(connector.id, connector)
      trail.keep(entry)
      return 'created'
    },
    connector: async id => messaging().find(one => one.id === id) ?? null,
    connectorByTokenHash: async hash => connectorOf(hash) ?? null,
    connectors: async (filter, limit) => credentials(messaging(), filter, limit),
    telephonyConnector: async id => telephony().find(one => one.id === id) ?? null,
    telephonyConnectors: async (agentId, filter, limit) =>
      credentials(telephony(), { ...filter, agentId }, limit),
    async updateConnector(before, next, entry) {
      const stored = connectors.get(before.id)
      if (stored === undefined || settingsOf(stored) !== settingsOf(before)) return 'stale'
      const kept = isMessaging(stored) ? { lastUsedAt: stored.lastUsedAt } : {}
      connectors.set(before.id, { ...next, id: before.id, ...kept })
      trail.keep(entry)
      return 'written'
    },
    async revokeConnector(id, at, entry) {
      const connector = connectors.get(id)
      if (connector === undefined) return false
      if (connector.revokedAt !== null) return true
      connectors.set(id, { ...connector, revokedAt: at })
      trail.keep(entry)
      return true
    },
    async touchConnector(id, at, interval) {
      const connector = connectors.get(id)
      if (connector === undefined || !isMessaging(connector) || !isDue(connector.lastUsedAt, at, interval))
        return false
      connectors.set(id, { ...connector, lastUsedAt: at })
      return true
    },

    async secret(name, candidate) {
      const kept = secrets.get(name) ?? candidate
      secrets.set(name, kept)
      return kept
    },

    tokenKeys: async () => tokenKeys,
    async addTokenKey(key, earlierUntil, entry) {
      if (key.number !== (tokenKeys[0]?.number ?? 0) + 1 || tokenKeys.some(({ id }) => id === key.id))
        return 'stale'
      const earlier = tokenKeys.map(one => ({
        ...one,
        verifiesUntil: Math.min(one.verifiesUntil ?? earlierUntil, earlierUntil),
      }))
      tokenKeys = [key, ...earlier]
      trail.keep(entry)
      return 'added'
    },
    async removeTokenKeys(at) {
      tokenKeys = tokenKeys.filter(({ verifiesUntil }) => verifiesUntil === null || verifiesUntil > at)
    },
  }
}
