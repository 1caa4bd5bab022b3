import type { AnyConnector, Connector, TelephonyConnector } from '@colloquy/core'
import type { ConnectorStore } from '@colloquy/core/store'
import type { Selectable } from 'kysely'
import { behind } from '../database/created-order.ts'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { Schema } from '../database/tables.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import type { AccessStatements } from './access-statements.ts'
import { conditionsOf, listFor, mapped } from './credential-conditions.ts'
import { numbersBesideStatements } from './phone-numbers.ts'

/** What a telephony connector has beside what all have. */
type Speech = Pick<TelephonyConnector, 'asrLangCode' | 'ttsLangCode' | 'voiceName' | 'disableHandoff'>

export const toConnector = (row: Selectable<Schema['connector']>): Connector => ({
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

export const toTelephonyConnector = (row: Selectable<Schema['connector']>): TelephonyConnector => {
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

const ofThatKind = <Row extends { readonly kind: AnyConnector['kind'] }>(
  row: Row | undefined,
  kind: AnyConnector['kind'],
): Row | undefined => (row?.kind === kind ? row : undefined)

/** Connectors of either kind in SQLite. */
export function connectorMethods(
  { define, read, write }: Session,
  run: AccessStatements,
  keeper: OutboxKeeper,
): ConnectorStore {
  const beside = numbersBesideStatements(define)
  return {
    create: async (connector, outbox) => {
      const row = fromConnector(connector)
      const keep = keeper.keeping(outbox)
      return write('create a connector', () => {
        if (run.insertConnector.run(row).changes !== 1) return 'taken'
        keep()
        return 'created'
      })
    },
    find: id =>
      read('read a connector', () => mapped(ofThatKind(run.connector.get({ id }), 'messaging'), toConnector)),
    findByTokenHash: hash =>
      read('read a connector', () => mapped(run.connectorByTokenHash.get({ hash }), toConnector)),
    list: async (filter, limit) => {
      const conditions = conditionsOf(filter, limit)
      const list = listFor(filter, run.connectors, run.connectorsOfAccount, run.connectorsOfAgent)
      return read('list connectors', () => list.all(conditions).map(toConnector))
    },
    findTelephony: id =>
      read('read a connector', () =>
        mapped(ofThatKind(run.connector.get({ id }), 'telephony'), toTelephonyConnector),
      ),
    listTelephony: async (agentId, filter, limit) => {
      const conditions = { ...behind(filter, limit), agentId }
      return read('list connectors', () => run.telephonyConnectors.all(conditions).map(toTelephonyConnector))
    },
    update: async (before, next, outbox) => {
      const { kind: _, ...changed } = fromConnector(next)
      const row = { ...changed, ...was(fromConnector(before)), id: before.id }
      const keep = keeper.keeping(outbox)
      return write('update a connector', () => {
        if (run.updateConnector.run(row).changes !== 1) return 'stale'
        if (row.was_kind === 'telephony') beside.moveNumbers.run({ ...row, connectorId: row.id })
        keep()
        return 'written'
      })
    },
    revoke: async (id, at, outbox) => {
      const keep = keeper.keeping(outbox)
      return write('revoke a connector', () => {
        if (run.revokeConnector.run({ id, at }).changes === 1) keep()
        return run.connector.get({ id })?.kind === 'messaging'
      })
    },
    revokeTelephony: async (id, at, outbox) => {
      const keep = keeper.keeping(outbox)
      return write('revoke a connector', () => {
        if (run.revokeTelephonyConnector.run({ id, at }).changes !== 1) return null
        const numbers = beside.numbersOfConnector.all({ connectorId: id }).map(({ number }) => number)
        beside.dropNumbersOfConnector.run({ connectorId: id })
        keep()
        return numbers
      })
    },
    touch: (id, at, interval) =>
      write(
        'note the use of a connector',
        () => run.touchConnector.run({ id, at, before: at - interval, behind: at + interval }).changes === 1,
      ),
  }
}
