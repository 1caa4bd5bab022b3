import type { Account } from '../../domain/access/access.ts'
import type { Agent } from '../../domain/agent/agent.ts'
import { PlatformError } from '../../errors.ts'
import type { Store } from '../../ports/store/store.ts'
import type { Context } from '../context.ts'
import { createLastUsed } from '../shared/last-used.ts'

/** Accounts that are kept for each store. */
const KEPT = 1_000

const kept = new WeakMap<Store, ReturnType<typeof createLastUsed<string, Account>>>()

/** Accounts of a store by what they were asked for with, those asked for last. */
function keptAccounts(store: Store) {
  const accounts = kept.get(store) ?? createLastUsed<string, Account>(KEPT)
  kept.set(store, accounts)
  return accounts
}

/**
 * Returns the account with that id or slug. One that was found is read once: nothing changes or removes an account, and
 * no other is ever reached by its id or slug (AC8). @throws ACCOUNT_NOT_FOUND
 */
export async function findAccount({ store }: Context, idOrSlug: string): Promise<Account> {
  const accounts = keptAccounts(store)
  const known = accounts.get(idOrSlug)
  if (known !== undefined) return known
  const account = await store.access.accounts.find(idOrSlug)
  if (account === null)
    throw new PlatformError('ACCOUNT_NOT_FOUND', 'There is no account of that id or slug.')
  accounts.set(idOrSlug, account)
  return account
}

/** Returns the account's agent with that id. @throws PROJECT_NOT_FOUND also for an agent of another account */
export async function findAgent({ store }: Context, account: Account, id: string): Promise<Agent> {
  const agent = await store.agents.find(id)
  if (agent === null || agent.accountId !== account.id)
    throw new PlatformError('PROJECT_NOT_FOUND', 'The account has no agent of that id.')
  return agent
}
