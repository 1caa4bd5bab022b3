import type { Account } from '@colloquy/core'
import type { AccountStore } from '@colloquy/core/store'
import { behind } from '../database/created-order.ts'
import { isViolated } from '../database/failure.ts'
import { outboxOf } from '../outbox/outbox-keeper.ts'
import type { AccessStatements, AccountRow } from './access-statements.ts'
import { mapped } from './credential-conditions.ts'

export const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  createdAt: row.created_at,
})

/** Accounts in PostgreSQL. */
export function accountMethods(run: AccessStatements): AccountStore {
  return {
    async create({ id, slug, name, createdAt }, outbox) {
      try {
        const row = { id, slug, name, created_at: createdAt }
        const added = await run.insertAccount.get({ ...row, ...outboxOf(outbox) })
        return added?.done ? 'created' : 'taken'
      } catch (error) {
        // Another one took a name in between.
        if (isViolated(error, '23505')) return 'taken'
        throw error
      }
    },
    find: async idOrSlug => mapped(await run.account.get({ idOrSlug }), toAccount),
    list: async (filter, limit) => (await run.accounts.all(behind(filter, limit))).map(toAccount),
  }
}
