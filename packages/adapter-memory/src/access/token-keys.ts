import type { TokenKey, TokenKeyStore } from '@colloquy/core/store'
import type { OutboxKeeper } from '../outbox.ts'

/** Secrets and token keys. Every method runs to its end without a pause: at one instant. */
export function createTokenKeyStore(keeper: OutboxKeeper): TokenKeyStore {
  const secrets = new Map<string, string>()
  let tokenKeys: readonly TokenKey[] = []

  return {
    async secret(name, candidate) {
      const kept = secrets.get(name) ?? candidate
      secrets.set(name, kept)
      return kept
    },
    list: async () => tokenKeys,
    async add(key, earlierUntil, outbox) {
      if (key.number !== (tokenKeys[0]?.number ?? 0) + 1 || tokenKeys.some(({ id }) => id === key.id))
        return 'stale'
      const earlier = tokenKeys.map(one => ({
        ...one,
        verifiesUntil: Math.min(one.verifiesUntil ?? earlierUntil, earlierUntil),
      }))
      tokenKeys = [key, ...earlier]
      keeper.keep(outbox)
      return 'added'
    },
    async remove(at) {
      tokenKeys = tokenKeys.filter(({ verifiesUntil }) => verifiesUntil === null || verifiesUntil > at)
    },
  }
}
