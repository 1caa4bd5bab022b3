import type { Account } from '../../domain/access/access.ts'
import type { Agent } from '../../domain/agent/agent.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'

/**
 * Revokes a new key or connector whose agent was deleted in the meantime. A deletion revokes what it sees, so a
 * credential that was begun before it and written after it would belong to the next agent of the id (AU13).
 *
 * @throws PROJECT_NOT_FOUND once it is revoked
 */
export async function refuseOrphan(
  { store }: Context,
  owner: { readonly account: Account; readonly agent: Agent },
  takeBack: () => Promise<void>,
): Promise<void> {
  const { account, agent } = owner
  const now = await store.agents.find(agent.id)
  if (now !== null && now.accountId === account.id && now.createdAt === agent.createdAt) return
  await takeBack()
  throw new PlatformError('PROJECT_NOT_FOUND', 'The agent of that id was deleted meanwhile.')
}
