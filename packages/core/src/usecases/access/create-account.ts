import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { Account } from '../../domain/access/access.ts'
import { accountIdSchema, nameSchema, slugSchema } from '../../domain/access/schemas.ts'
import { PlatformError } from '../../errors.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting } from '../context.ts'

/** The schema of {@link NewAccountInput}. */
export const newAccountSchema = z.object({
  accountId: accountIdSchema.exactOptional(),
  slug: slugSchema,
  name: nameSchema,
})

/** The fields of a new account. */
export type NewAccountInput = InputOf<typeof newAccountSchema>

/** See `Access.createAccount`. */
export async function createAccount(context: Acting, input: NewAccountInput): Promise<Account> {
  const { store, ids, clock } = context
  const { accountId = `ws-${ids.short()}`, slug, name } = input
  const account: Account = {
    id: accountId,
    slug,
    name,
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
