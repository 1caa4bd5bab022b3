import type { Account, AnyConnector, ApiKey, Connector, TelephonyConnector } from '@colloquy/core'
import type { AccessStore, CredentialFilter, TokenKey } from '@colloquy/core/store'
import type { Selectable } from 'kysely'
import type { AuditTrail } from '../audit/audit-store.ts'
import { behind } from '../database/created-order.ts'
import { fromJson, fromJsonOrNull } from '../database/json.ts'
import type { Schema } from '../database/schema.ts'
import type { Session } from '../database/session.ts'
import { accessStatements, type CredentialConditions } from './access-statements.ts'

const toAccount = (row: Selectable<Schema['account']>): Account => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  createdAt: row.created_at,
})

const toApiKey = (row: Selectable<Schema['api_key']>): ApiKey => ({
  id: row.id,
  kind: row.kind,
  hash: row.hash,
  prefix: row.prefix,
  name: row.name,
  accountId: row.account_id,
  agentId: row.agent_id,
  region: row.region,
  permissions: fromJsonOrNull(row.permissions),
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
})

/** What a telephony connector has beside what all have. */
type Speech = Pick<TelephonyConnector, 'asrLangCode' | 'ttsLangCode' | 'voiceName' | 'disableHandoff'>

const toConnector = (row: Selectable<Schema['connector']>): Connector => ({
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
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
})

const toTelephonyConnector = (row: Selectable<Schema['connector']>): TelephonyConnector => {
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

const toTokenKey = (row: Selectable<Schema['token_key']>): TokenKey => ({
  number: row.number,
  id: row.id,
  secret: row.secret,
  createdAt: row.created_at,
  verifiesUntil: row.verifies_until,
})

const fromApiKey = (key: ApiKey) => ({
  id: key.id,
  kind: key.kind,
  hash: key.hash,
  prefix: key.prefix,
  name: key.name,
  account_id: key.accountId,
  agent_id: key.agentId,
  region: key.region,
  permissions: key.permissions === null ? null : JSON.stringify(key.permissions),
  created_at: key.createdAt,
  revoked_at: key.revokedAt,
  expires_at: key.expiresAt,
  last_used_at: key.lastUsedAt,
})

const speechOf = ({ asrLangCode, ttsLangCode, voiceName, disableHandoff }: TelephonyConnector): string =>
  JSON.stringify({ asrLangCode, ttsLangCode, voiceName, disableHandoff } satisfies Speech)

/** The columns in which the kinds differ; those of the other kind are empty. */
const ofKind = (connector: AnyConnector) =>
  connector.kind === 'telephony'
    ? {
        ...{ token_hash: '', token_prefix: '', hosts: '[]', handoff: '{}' },
        ...{ expires_at: null, last_used_at: null },
        speech: speechOf(connector),
      }
    : {
        token_hash: connector.tokenHash,
        token_prefix: connector.tokenPrefix,
        hosts: JSON.stringify(connector.hosts),
        handoff: JSON.stringify(connector.handoff),
        expires_at: connector.expiresAt,
        last_used_at: connector.lastUsedAt,
        speech: '{}',
      }

const fromConnector = (connector: AnyConnector) => ({
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
  was_speech: row.speech,
  was_revoked_at: row.revoked_at,
  was_expires_at: row.expires_at,
})

const mapped = <Row, Value>(row: Row | undefined, map: (row: Row) => Value): Value | null =>
  row === undefined ? null : map(row)

const ofThatKind = <Row extends { readonly kind: AnyConnector['kind'] }>(
  row: Row | undefined,
  kind: AnyConnector['kind'],
): Row | undefined => (row?.kind === kind ? row : undefined)

const conditionsOf = (filter: CredentialFilter, limit: number): CredentialConditions => ({
  ...behind(filter, limit),
  accountId: filter.accountId ?? null,
  agentId: filter.agentId ?? null,
})

/** The list whose index leaves the fewest rows to look at. */
const listFor = <List>(
  { accountId, agentId }: CredentialFilter,
  all: List,
  ofAccount: List,
  ofAgent: List,
): List => (agentId === undefined ? (accountId === undefined ? all : ofAccount) : ofAgent)

/** Accounts and credentials in SQLite. Arguments are read before a call returns, so later changes to them change nothing. */
export function createAccessStore({ define, read, write }: Session, trail: AuditTrail): AccessStore {
  const run = accessStatements(define)
  return {
    createAccount: async (account, entry) => {
      const row = { id: account.id, slug: account.slug, name: account.name, created_at: account.createdAt }
      const keep = trail.keeping(entry)
      return write('create an account', () => {
        if (run.insertAccount.run(row).changes !== 1) return 'taken'
        keep()
        return 'created'
      })
    },
    account: idOrSlug => read('read an account', () => mapped(run.account.get({ idOrSlug }), toAccount)),
    accounts: async (filter, limit) => {
      const place = behind(filter, limit)
      return read('list accounts', () => run.accounts.all(place).map(toAccount))
    },

    createApiKey: async (key, entry) => {
      const row = fromApiKey(key)
      const keep = trail.keeping(entry)
      return write('create an API key', () => {
        if (run.insertApiKey.run(row).changes !== 1) return 'taken'
        keep()
        return 'created'
      })
    },
    apiKey: id => read('read an API key', () => mapped(run.apiKey.get({ id }), toApiKey)),
    apiKeyByHash: hash => read('read an API key', () => mapped(run.apiKeyByHash.get({ hash }), toApiKey)),
    apiKeys: async (filter, limit) => {
      const conditions = conditionsOf(filter, limit)
      const list = listFor(filter, run.apiKeys, run.apiKeysOfAccount, run.apiKeysOfAgent)
      return read('list API keys', () => list.all(conditions).map(toApiKey))
    },
    revokeApiKey: async (id, at, entry) => {
      const keep = trail.keeping(entry)
      return write('revoke an API key', () => {
        if (run.revokeApiKey.run({ id, at }).changes === 1) keep()
        return run.apiKey.get({ id }) !== undefined
      })
    },
    touchApiKey: (id, at, interval) =>
      write(
        'note the use of an API key',
        () => run.touchApiKey.run({ id, at, before: at - interval, behind: at + interval }).changes === 1,
      ),

    createConnector: async (connector, entry) => {
      const row = fromConnector(connector)
      const keep = trail.keeping(entry)
      return write('create a connector', () => {
        if (run.insertConnector.run(row).changes !== 1) return 'taken'
        keep()
        return 'created'
      })
    },
    connector: id =>
      read('read a connector', () => mapped(ofThatKind(run.connector.get({ id }), 'messaging'), toConnector)),
    connectorByTokenHash: hash =>
      read('read a connector', () => mapped(run.connectorByTokenHash.get({ hash }), toConnector)),
    connectors: async (filter, limit) => {
      const conditions = conditionsOf(filter, limit)
      const list = listFor(filter, run.connectors, run.connectorsOfAccount, run.connectorsOfAgent)
      return read('list connectors', () => list.all(conditions).map(toConnector))
    },
    telephonyConnector: id =>
      read('read a connector', () =>
        mapped(ofThatKind(run.connector.get({ id }), 'telephony'), toTelephonyConnector),
      ),
    telephonyConnectors: async (agentId, filter, limit) => {
      const conditions = { ...behind(filter, limit), agentId }
      return read('list connectors', () => run.telephonyConnectors.all(conditions).map(toTelephonyConnector))
    },
    updateConnector: async (before, next, entry) => {
      const { kind: _, ...changed } = fromConnector(next)
      const row = { ...changed, ...was(fromConnector(before)), id: before.id }
      const keep = trail.keeping(entry)
      return write('update a connector', () => {
        if (run.updateConnector.run(row).changes !== 1) return 'stale'
        keep()
        return 'written'
      })
    },
    revokeConnector: async (id, at, entry) => {
      const keep = trail.keeping(entry)
      return write('revoke a connector', () => {
        if (run.revokeConnector.run({ id, at }).changes === 1) keep()
        return run.connector.get({ id }) !== undefined
      })
    },
    touchConnector: (id, at, interval) =>
      write(
        'note the use of a connector',
        () => run.touchConnector.run({ id, at, before: at - interval, behind: at + interval }).changes === 1,
      ),

    secret: (name, candidate) =>
      write('keep a secret', () => {
        run.insertSecret.run({ name, value: candidate })
        return run.secret.get({ name })?.value ?? candidate
      }),

    tokenKeys: () => read('read the token keys', () => run.tokenKeys.all({}).map(toTokenKey)),
    addTokenKey: async ({ number, id, secret, createdAt, verifiesUntil }, earlierUntil, entry) => {
      const keep = trail.keeping(entry)
      const row = { number, id, secret, created_at: createdAt, verifies_until: verifiesUntil }
      return write('add a token key', () => {
        if (run.insertTokenKey.run(row).changes === 0) return 'stale'
        run.endTokenKeys.run({ number, until: earlierUntil })
        keep()
        return 'added'
      })
    },
    removeTokenKeys: at =>
      write('remove token keys', () => {
        run.removeTokenKeys.run({ at })
      }),
  }
}
