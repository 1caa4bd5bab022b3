import type { ApiKey, ApiKeyId } from '@colloquy/core'
import type { ApiKeyStore } from '@colloquy/core/store'
import type { OutboxKeeper } from '../outbox.ts'
import { credentials, isDue } from './credentials.ts'

/** API keys by id. Every method runs to its end without a pause: at one instant. */
export function createApiKeyStore(keeper: OutboxKeeper): ApiKeyStore {
  const apiKeys = new Map<ApiKeyId, ApiKey>()
  const keyOf = (wanted: string) => [...apiKeys.values()].find(({ hash }) => hash === wanted)

  return {
    async create(key, outbox) {
      if (apiKeys.has(key.id) || keyOf(key.hash) !== undefined) return 'taken'
      apiKeys.set(key.id, key)
      keeper.keep(outbox)
      return 'created'
    },
    find: async id => apiKeys.get(id) ?? null,
    findByHash: async hash => keyOf(hash) ?? null,
    list: async (filter, limit) => credentials(apiKeys.values(), filter, limit),
    async revoke(id, at, outbox) {
      const key = apiKeys.get(id)
      if (key === undefined) return false
      if (key.revokedAt !== null) return true
      apiKeys.set(id, { ...key, revokedAt: at })
      keeper.keep(outbox)
      return true
    },
    async touch(id, at, interval) {
      const key = apiKeys.get(id)
      if (key === undefined || !isDue(key.lastUsedAt, at, interval)) return false
      apiKeys.set(id, { ...key, lastUsedAt: at })
      return true
    },
  }
}
