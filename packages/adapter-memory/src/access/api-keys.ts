import type { ApiKey, ApiKeyId } from '@colloquy/core'
import type { ApiKeyStore } from '@colloquy/core/store'
import type { AuditTrail } from '../audit.ts'
import { credentials, isDue } from './credentials.ts'

/** API keys by id. Every method runs to its end without a pause: at one instant. */
export function createApiKeyStore(trail: AuditTrail): ApiKeyStore {
  const apiKeys = new Map<ApiKeyId, ApiKey>()
  const keyOf = (wanted: string) => [...apiKeys.values()].find(({ hash }) => hash === wanted)

  return {
    async create(key, entry) {
      if (apiKeys.has(key.id) || keyOf(key.hash) !== undefined) return 'taken'
      apiKeys.set(key.id, key)
      trail.keep(entry)
      return 'created'
    },
    find: async id => apiKeys.get(id) ?? null,
    findByHash: async hash => keyOf(hash) ?? null,
    list: async (filter, limit) => credentials(apiKeys.values(), filter, limit),
    async revoke(id, at, entry) {
      const key = apiKeys.get(id)
      if (key === undefined) return false
      if (key.revokedAt !== null) return true
      apiKeys.set(id, { ...key, revokedAt: at })
      trail.keep(entry)
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
