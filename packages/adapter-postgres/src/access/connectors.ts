import type { AnyConnector, Connector, TelephonyConnector } from '@colloquy/core'
import type { ConnectorStore } from '@colloquy/core/store'
import { behind } from '../database/created-order.ts'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import { outboxOf } from '../outbox/outbox-keeper.ts'
import type { AccessStatements, ConnectorRow } from './access-statements.ts'
import { conditionsOf, listFor, mapped } from './credential-conditions.ts'
import { numbersBesideStatements } from './phone-numbers.ts'

/** What a telephony connector has beside what all have. */
type Speech = Pick<TelephonyConnector, 'asrLangCode' | 'ttsLangCode' | 'voiceName' | 'disableHandoff'>

export const toConnector = (row: ConnectorRow): Connector => ({
  kind: 'messaging',
  id: row.id,
  tokenHash: row.token_hash,
  tokenPrefix: row.token_prefix,
  name: row.name,
  accountId: row.account_id,
  agentId: row.agent_id,
  variantId: row.variant_id,
  environment: row.environment,
  hosts: fromJson(row.hosts),
  handoff: fromJson(row.handoff),
  contextKeys: fromJson(row.context_keys),
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
})

export const toTelephonyConnector = (row: ConnectorRow): TelephonyConnector => {
  const { asrLangCode, ttsLangCode, voiceName, disableHandoff } = fromJson<Speech>(row.speech)
  return {
    kind: 'telephony',
    id: row.id,
    name: row.name,
    accountId: row.account_id,
    agentId: row.agent_id,
    environment: row.environment,
    variantId: row.variant_id,
    ...{ asrLangCode, ttsLangCode, voiceName, disableHandoff },
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  }
}

const speechOf = ({ asrLangCode, ttsLangCode, voiceName, disableHandoff }: TelephonyConnector): string =>
  JSON.stringify({ asrLangCode, ttsLangCode, voiceName, disableHandoff } satisfies Speech)

/** The columns in which the kinds differ; those of the other kind are empty. */
const ofKind = (connector: AnyConnector) =>
  connector.kind === 'telephony'
    ? {
        ...{ token_hash: '', token_prefix: '', hosts: '[]', handoff: '{}', context_keys: '[]' },
        ...{ expires_at: null, last_used_at: null },
        speech: speechOf(connector),
      }
    : {
        token_hash: connector.tokenHash,
        token_prefix: connector.tokenPrefix,
        hosts: JSON.stringify(connector.hosts),
        handoff: JSON.stringify(connector.handoff),
        context_keys: JSON.stringify(connector.contextKeys),
        expires_at: connector.expiresAt,
        last_used_at: connector.lastUsedAt,
        speech: '{}',
      }

export const fromConnector = (connector: AnyConnector) => ({
  id: connector.id,
  kind: connector.kind,
  name: connector.name,
  account_id: connector.accountId,
  agent_id: connector.agentId,
  environment: connector.environment,
  variant_id: connector.variantId,
  created_at: connector.createdAt,
  revoked_at: connector.revokedAt,
  ...ofKind(connector),
})

/** A connector as the condition of an update. */
const was = (row: ReturnType<typeof fromConnector>) => ({
  was_kind: row.kind,
  was_token_hash: row.token_hash,
  was_name: row.name,
  was_account_id: row.account_id,
  was_agent_id: row.agent_id,
  was_environment: row.environment,
  was_hosts: row.hosts,
  was_variant_id: row.variant_id,
  was_handoff: row.handoff,
  was_context_keys: row.context_keys,
  was_speech: row.speech,
  was_revoked_at: row.revoked_at,
  was_expires_at: row.expires_at,
})

/** Connectors of either kind in PostgreSQL. */
export function connectorMethods({ define, transaction }: Session, run: AccessStatements): ConnectorStore {
  const beside = numbersBesideStatements(define)
  return {
    async create(connector, outbox) {
      const added = await run.insertConnector.get({ ...fromConnector(connector), ...outboxOf(outbox) })
      return added?.done ? 'created' : 'taken'
    },
    find: async id => mapped(await run.connector.get({ id, kind: 'messaging' }), toConnector),
    findByTokenHash: async hash => mapped(await run.connectorByTokenHash.get({ hash }), toConnector),
    async list(filter, limit) {
      const list = listFor(filter, run.connectors, run.connectorsOfAccount, run.connectorsOfAgent)
      return (await list.all(conditionsOf(filter, limit))).map(toConnector)
    },
    findTelephony: async id =>
      mapped(await run.connector.get({ id, kind: 'telephony' }), toTelephonyConnector),
    async listTelephony(agentId, filter, limit) {
      const conditions = { ...behind(filter, limit), agentId }
      return (await run.telephonyConnectors.all(conditions)).map(toTelephonyConnector)
    },
    async update(before, next, outbox) {
      const { kind: _, last_used_at: __, ...changed } = fromConnector(next)
      const row = { ...changed, ...was(fromConnector(before)), id: before.id }
      const update = { ...row, ...outboxOf(outbox) }
      if (row.was_kind === 'messaging')
        return (await run.updateConnector.get(update))?.done ? 'written' : 'stale'
      // Numbers are looked for once the connector is locked, so that none that got it meanwhile stays behind.
      return transaction('update a connector', async on => {
        if (!(await run.updateConnector.get(update, on))?.done) return 'stale'
        await beside.moveNumbers.all({ ...row, connectorId: row.id }, on)
        return 'written'
      })
    },
    async revoke(id, at, outbox) {
      return (await run.revokeConnector.get({ id, at, ...outboxOf(outbox) }))?.there ?? false
    },
    async revokeTelephony(id, at, outbox) {
      const revocation = { id, at, ...outboxOf(outbox) }
      return transaction('revoke a connector', async on => {
        if (!(await run.revokeTelephonyConnector.get(revocation, on))?.done) return null
        const numbers = await beside.dropNumbers.all({ connectorId: id }, on)
        return numbers.map(({ number }) => number).sort()
      })
    },
    async touch(id, at, interval) {
      const used = { id, at, before: at - interval, behind: at + interval }
      return (await run.touchConnector.get(used)) !== undefined
    },
  }
}
