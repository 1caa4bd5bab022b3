import type { AgentId } from '../../../domain/ids.ts'
import type { Access } from '../../access/access.ts'
import { revokeCredentialsOf } from '../../access/revoke-credentials.ts'
import type { Context } from '../../context.ts'
import type { Engine } from '../../conversation/engine/engine.ts'

/** The dependencies of withdrawing an agent. */
export interface Withdrawal {
  readonly context: Context
  readonly engine: Pick<Engine, 'execute'>
  /** As the caller has it whose act this is. */
  readonly access: Access
}

/**
 * Ends what an agent that goes is doing, and revokes its credentials, which is the caller's act (AU13). May be done
 * again.
 */
export async function withdrawAgent(withdrawal: Withdrawal, agentId: AgentId): Promise<void> {
  // Visitors hear of the end before their connector stops; what began meanwhile is ended after it.
  await endConversations(withdrawal, agentId)
  await revokeCredentialsOf(withdrawal.access, agentId)
  await endConversations(withdrawal, agentId)
}

/** Ends every open conversation of the agent, naturally; their records stay. */
async function endConversations(
  { context, engine }: Pick<Withdrawal, 'context' | 'engine'>,
  agentId: AgentId,
): Promise<void> {
  const open = await context.store.conversations.listOpen(agentId)
  await Promise.all(open.map(id => engine.execute(id, { type: 'close', reason: 'REASON_NATURAL_END' })))
}
