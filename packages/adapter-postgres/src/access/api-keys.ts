import type { ApiKey } from '@colloquy/core'
import type { ApiKeyStore } from '@colloquy/core/store'
import { fromJsonOrNull } from '../database/json.ts'
import { outboxOf } from '../outbox/outbox-keeper.ts'
import type { AccessStatements, ApiKeyRow } from './access-statements.ts'
import { conditionsOf, listFor, mapped } from './credential-conditions.ts'

export const toApiKey = (row: ApiKeyRow): ApiKey => ({
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

export const fromApiKey = (key: ApiKey): ApiKeyRow => ({
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

/** API keys in PostgreSQL. */
export function apiKeyMethods(run: AccessStatements): ApiKeyStore {
  return {
    async create(key, outbox) {
      const added = await run.insertApiKey.get({ ...fromApiKey(key), ...outboxOf(outbox) })
      return added?.done ? 'created' : 'taken'
    },
    find: async id => mapped(await run.apiKey.get({ id }), toApiKey),
    findByHash: async hash => mapped(await run.apiKeyByHash.get({ hash }), toApiKey),
    async list(filter, limit) {
      const list = listFor(filter, run.apiKeys, run.apiKeysOfAccount, run.apiKeysOfAgent)
      return (await list.all(conditionsOf(filter, limit))).map(toApiKey)
    },
    async revoke(id, at, outbox) {
      return (await run.revokeApiKey.get({ id, at, ...outboxOf(outbox) }))?.there ?? false
    },
    async touch(id, at, interval) {
      const used = { id, at, before: at - interval, behind: at + interval }
      return (await run.touchApiKey.get(used)) !== undefined
    },
  }
}
