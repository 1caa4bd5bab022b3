import type { AgentId } from '../../../domain/ids.ts'
import type { Context } from '../../context.ts'
import type { Engine } from './engine.ts'

/** Ends every open conversation of an agent, naturally; their records stay. */
export async function endConversations(
  context: Context,
  engine: Pick<Engine, 'execute'>,
  agentId: AgentId,
): Promise<void> {
  const open = await context.store.conversations.listOpen(agentId)
  await Promise.all(open.map(id => engine.execute(id, { type: 'close', reason: 'REASON_NATURAL_END' })))
}
