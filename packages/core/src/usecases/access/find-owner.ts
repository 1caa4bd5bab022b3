import type { Account } from '../../domain/access/access.ts'
import type { Agent } from '../../domain/agent/agent.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'

/** The account with that id or slug. @throws ACCOUNT_NOT_FOUND */
export async function findAccount({ store }: Context, idOrSlug: string): Promise<Account> {
  const account = await store.access.accounts.find(idOrSlug)
  if (account === null)
    throw new PlatformError('ACCOUNT_NOT_FOUND', 'There is no account of that id or slug.')
  return account
}

/** The account's agent with that id. @throws PROJECT_NOT_FOUND also for an agent of another account */
export async function findAgent({ store }: Context, account: Account, id: string): Promise<Agent> {
  const agent = await store.agents.find(id)
  if (agent === null || agent.accountId !== account.id)
    throw new PlatformError('PROJECT_NOT_FOUND', 'The account has no agent of that id.')
  return agent
}
