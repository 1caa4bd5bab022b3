import type { Account } from '../../domain/access/access.ts'
import type { AccountStore } from '../../ports/store/accounts.ts'
import { absent, type Guarded, plain, plainOrNull, versioned } from '../guarded.ts'
import { ACCOUNT } from '../kinds.ts'

/** Accounts. No id is another one's slug, and no slug another one's id. */
export function accountsOver({ first, one, scan, write }: Guarded): AccountStore {
  const noSlug = (slug: string) => ({ kind: ACCOUNT, index: 'slug', prefix: [slug], atMost: 0 })
  return {
    async create(account, outbox) {
      const { id, slug } = account
      const refused = await write({
        when: [absent(ACCOUNT, id), absent(ACCOUNT, slug), noSlug(id), noSlug(slug)],
        put: [{ kind: ACCOUNT, value: versioned(account) }],
        outbox,
      })
      return refused === null ? 'created' : 'taken'
    },
    find: async idOrSlug =>
      plainOrNull<Account>((await one(ACCOUNT, idOrSlug)) ?? (await first(ACCOUNT, 'slug', [idOrSlug]))),
    list: async ({ after }, limit) => {
      const place = after && [after.createdAt, after.id]
      return (await scan(ACCOUNT, 'time', { prefix: [], after: place, limit })).map(plain<Account>)
    },
  }
}
