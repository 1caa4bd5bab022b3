import type { Account } from '../../domain/access/access.ts'
import { accountIdSchema, nameSchema, slugSchema } from '../../domain/access/schemas.ts'
import { parse } from '../../domain/parse.ts'
import { PlatformError } from '../../errors.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting } from '../context.ts'

/** What a new account begins with. */
export interface NewAccountInput {
  readonly accountId?: string
  readonly slug: string
  readonly name: string
}

/** See `Access.createAccount`. */
export async function createAccount(context: Acting, input: NewAccountInput): Promise<Account> {
  const { store, ids, clock } = context
  const account: Account = {
    id: parse(accountIdSchema, input.accountId ?? `ws-${ids.short()}`, 'accountId'),
    slug: parse(slugSchema, input.slug, 'slug'),
    name: parse(nameSchema, input.name, 'name'),
    createdAt: clock.now(),
  }
  const entry = auditEntry(context, 'account.created', {
    accountId: account.id,
    resourceId: account.id,
    details: { slug: account.slug, name: account.name },
  })
  if ((await store.access.accounts.create(account, { audit: entry })) === 'created') return account
  throw new PlatformError('ACCOUNT_ALREADY_EXISTS', 'An account with that id or slug exists already.')
}
