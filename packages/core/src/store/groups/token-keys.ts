import type { TokenKey } from '../../domain/access/token-key.ts'
import type { TokenKeyStore } from '../../ports/store/token-keys.ts'
import { absent, changed, type Guarded, plain, unchanged, versioned } from '../guarded.ts'
import { SECRET, TOKEN_KEY } from '../kinds.ts'

/** Secrets, and the keys that sign access tokens. */
export function tokenKeysOver({ decided, one, scan, write }: Guarded): TokenKeyStore {
  const oldestFirst = () => scan(TOKEN_KEY, 'number', { prefix: [] })
  return {
    async secret(name, candidate) {
      const value = versioned({ name, value: candidate })
      const known = await one(SECRET, name)
      if (known !== null) return known.value
      await write({ when: [absent(SECRET, name)], put: [{ kind: SECRET, value }] })
      return (await one(SECRET, name))?.value ?? candidate
    },
    list: async () => (await oldestFirst()).map(plain<TokenKey>).reverse(),
    add: (key, earlierUntil, outbox) =>
      decided(async () => {
        const keys = await oldestFirst()
        const isNext = key.number === (keys.at(-1)?.number ?? 0) + 1
        if (!isNext || keys.some(({ id }) => id === key.id)) return { result: 'stale' }
        const ended = keys.map(one =>
          changed<TokenKey>(one, {
            verifiesUntil: Math.min(one.verifiesUntil ?? earlierUntil, earlierUntil),
          }),
        )
        return {
          when: [
            absent(TOKEN_KEY, key.id),
            { kind: TOKEN_KEY, index: 'number', prefix: [key.number], atMost: 0 },
            ...keys.map(one => unchanged(TOKEN_KEY, one)),
          ],
          put: [versioned(key), ...ended].map(value => ({ kind: TOKEN_KEY, value })),
          outbox,
          result: 'added',
        }
      }),
    remove: at =>
      decided(async () => {
        const earlier = (await oldestFirst()).slice(0, -1)
        const ended = earlier.filter(({ verifiesUntil }) => verifiesUntil !== null && verifiesUntil <= at)
        if (ended.length === 0) return { result: undefined }
        return {
          when: ended.map(key => unchanged(TOKEN_KEY, key)),
          remove: ended.map(({ id }) => ({ kind: TOKEN_KEY, id })),
          result: undefined,
        }
      }),
  }
}
