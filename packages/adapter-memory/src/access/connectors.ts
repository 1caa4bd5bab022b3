import type { AnyConnector, Connector, ConnectorId, TelephonyConnector } from '@colloquy/core'
import type { ConnectorStore } from '@colloquy/core/store'
import type { OutboxKeeper } from '../outbox.ts'
import { credentials, isDue } from './credentials.ts'
import { createPhoneNumbers } from './phone-numbers.ts'

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
    ...[handoff.mode, handoff.queueName, handoff.timeoutSeconds, connector.contextKeys],
  ])

/**
 * Connectors of either kind by id, and the phone numbers that they answer. Every method runs to its end without a
 * pause: at one instant.
 */
export function createConnectors(keeper: OutboxKeeper) {
  const connectors = new Map<ConnectorId, AnyConnector>()
  const messaging = () => [...connectors.values()].filter(isMessaging)
  const telephony = () => [...connectors.values()].filter(isTelephony)
  const telephonyOf = (id: ConnectorId) => telephony().find(one => one.id === id) ?? null
  const numbers = createPhoneNumbers(keeper, telephonyOf)
  const connectorOf = (hash: string) => messaging().find(({ tokenHash }) => tokenHash === hash)

  const store: ConnectorStore = {
    async create(connector, outbox) {
      if (connectors.has(connector.id)) return 'taken'
      if (isMessaging(connector) && connectorOf(connector.tokenHash) !== undefined) return 'taken'
      connectors.set(connector.id, connector)
      keeper.keep(outbox)
      return 'created'
    },
    find: async id => messaging().find(one => one.id === id) ?? null,
    findByTokenHash: async hash => connectorOf(hash) ?? null,
    list: async (filter, limit) => credentials(messaging(), filter, limit),
    findTelephony: async id => telephonyOf(id),
    listTelephony: async (agentId, filter, limit) => credentials(telephony(), { ...filter, agentId }, limit),
    async update(before, next, outbox) {
      const stored = connectors.get(before.id)
      if (stored === undefined || settingsOf(stored) !== settingsOf(before)) return 'stale'
      const kept = isMessaging(stored) ? { lastUsedAt: stored.lastUsedAt } : {}
      connectors.set(before.id, { ...next, id: before.id, ...kept })
      if (isTelephony(next)) numbers.moveTo({ ...next, id: before.id })
      keeper.keep(outbox)
      return 'written'
    },
    async revoke(id, at, outbox) {
      const connector = connectors.get(id)
      if (connector === undefined || !isMessaging(connector)) return false
      if (connector.revokedAt !== null) return true
      connectors.set(id, { ...connector, revokedAt: at })
      keeper.keep(outbox)
      return true
    },
    async revokeTelephony(id, at, outbox) {
      const connector = telephonyOf(id)
      if (connector?.revokedAt !== null) return null
      connectors.set(id, { ...connector, revokedAt: at })
      keeper.keep(outbox)
      return numbers.dropOf(id)
    },
    async touch(id, at, interval) {
      const connector = connectors.get(id)
      if (connector === undefined || !isMessaging(connector) || !isDue(connector.lastUsedAt, at, interval))
        return false
      connectors.set(id, { ...connector, lastUsedAt: at })
      return true
    },
  }
  return { store, numbers }
}
