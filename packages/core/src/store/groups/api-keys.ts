import type { ApiKey } from '../../domain/access/access.ts'
import type { ApiKeyStore } from '../../ports/store/api-keys.ts'
import { absent, changed, type Guarded, plain, plainOrNull, unchanged, versioned } from '../guarded.ts'
import { API_KEY } from '../kinds.ts'
import { isUseDue, listCredentials } from './credentials.ts'

/** Returns the store of API keys. No two have the same hash. */
export function apiKeysOver(documents: Guarded): ApiKeyStore {
  const { decided, first, one, write } = documents
  return {
    async create(key, outbox) {
      const refused = await write({
        when: [absent(API_KEY, key.id), { kind: API_KEY, index: 'hash', prefix: [key.hash], atMost: 0 }],
        put: [{ kind: API_KEY, value: versioned(key) }],
        outbox,
      })
      return refused === null ? 'created' : 'taken'
    },
    find: async id => plainOrNull<ApiKey>(await one(API_KEY, id)),
    findByHash: async hash => plainOrNull<ApiKey>(await first(API_KEY, 'hash', [hash])),
    list: async (filter, limit) =>
      (await listCredentials(documents, API_KEY, { lead: [], filter, limit })).map(plain<ApiKey>),
    revoke: (id, at, outbox) =>
      decided(async () => {
        const key = await one(API_KEY, id)
        if (key === null || key.revokedAt !== null) return { result: key !== null }
        const value = changed<ApiKey>(key, { revokedAt: at })
        return { when: [unchanged(API_KEY, key)], put: [{ kind: API_KEY, value }], outbox, result: true }
      }),
    touch: (id, at, interval) =>
      decided(async () => {
        const key = await one(API_KEY, id)
        if (key === null || !isUseDue(key.lastUsedAt, at, interval)) return { result: false }
        const value = changed<ApiKey>(key, { lastUsedAt: at })
        return { when: [unchanged(API_KEY, key)], put: [{ kind: API_KEY, value }], result: true }
      }),
  }
}
