import type { ApiKey } from '@colloquy/core'
import type { ApiKeyStore } from '@colloquy/core/store'
import type { Selectable } from 'kysely'
import { fromJsonOrNull } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { Schema } from '../database/tables.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import type { AccessStatements } from './access-statements.ts'
import { conditionsOf, listFor, mapped } from './credential-conditions.ts'

export const toApiKey = (row: Selectable<Schema['api_key']>): ApiKey => ({
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

export const fromApiKey = (key: ApiKey) => ({
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

/** API keys in SQLite. */
export function apiKeyMethods(
  { read, write }: Session,
  run: AccessStatements,
  keeper: OutboxKeeper,
): ApiKeyStore {
  return {
    create: async (key, outbox) => {
      const row = fromApiKey(key)
      const keep = keeper.keeping(outbox)
      return write('create an API key', () => {
        if (run.insertApiKey.run(row).changes !== 1) return 'taken'
        keep()
        return 'created'
      })
    },
    find: id => read('read an API key', () => mapped(run.apiKey.get({ id }), toApiKey)),
    findByHash: hash => read('read an API key', () => mapped(run.apiKeyByHash.get({ hash }), toApiKey)),
    list: async (filter, limit) => {
      const conditions = conditionsOf(filter, limit)
      const list = listFor(filter, run.apiKeys, run.apiKeysOfAccount, run.apiKeysOfAgent)
      return read('list API keys', () => list.all(conditions).map(toApiKey))
    },
    revoke: async (id, at, outbox) => {
      const keep = keeper.keeping(outbox)
      return write('revoke an API key', () => {
        if (run.revokeApiKey.run({ id, at }).changes === 1) keep()
        return run.apiKey.get({ id }) !== undefined
      })
    },
    touch: (id, at, interval) =>
      write(
        'note the use of an API key',
        () => run.touchApiKey.run({ id, at, before: at - interval, behind: at + interval }).changes === 1,
      ),
  }
}
