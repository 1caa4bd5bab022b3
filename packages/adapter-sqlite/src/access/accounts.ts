import type { Account } from '@colloquy/core'
import type { AccountStore } from '@colloquy/core/store'
import type { Selectable } from 'kysely'
import { behind } from '../database/created-order.ts'
import type { Session } from '../database/session.ts'
import type { Schema } from '../database/tables.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import type { AccessStatements } from './access-statements.ts'
import { mapped } from './credential-conditions.ts'

export const toAccount = (row: Selectable<Schema['account']>): Account => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  createdAt: row.created_at,
})

/** Accounts in SQLite. */
export function accountMethods(
  { read, write }: Session,
  run: AccessStatements,
  keeper: OutboxKeeper,
): AccountStore {
  return {
    create: async (account, outbox) => {
      const row = { id: account.id, slug: account.slug, name: account.name, created_at: account.createdAt }
      const keep = keeper.keeping(outbox)
      return write('create an account', () => {
        if (run.insertAccount.run(row).changes !== 1) return 'taken'
        keep()
        return 'created'
      })
    },
    find: idOrSlug => read('read an account', () => mapped(run.account.get({ idOrSlug }), toAccount)),
    list: async (filter, limit) => {
      const place = behind(filter, limit)
      return read('list accounts', () => run.accounts.all(place).map(toAccount))
    },
  }
}
