import type { Account } from '@colloquy/core'
import type { AccountStore } from '@colloquy/core/store'
import { behind } from '../order.ts'
import type { OutboxKeeper } from '../outbox.ts'

/** Accounts by id. Every method runs to its end without a pause: at one instant. */
export function createAccountStore(keeper: OutboxKeeper): AccountStore {
  const accounts = new Map<string, Account>()
  const accountOf = (name: string) =>
    accounts.get(name) ?? [...accounts.values()].find(({ slug }) => slug === name)

  return {
    async create(account, outbox) {
      if (accountOf(account.id) !== undefined || accountOf(account.slug) !== undefined) return 'taken'
      accounts.set(account.id, account)
      keeper.keep(outbox)
      return 'created'
    },
    find: async idOrSlug => accountOf(idOrSlug) ?? null,
    list: async (filter, limit) => behind(accounts.values(), filter).slice(0, limit),
  }
}
