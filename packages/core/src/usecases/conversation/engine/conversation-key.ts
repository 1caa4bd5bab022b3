import { chosenKey, isPublicId } from '../../../domain/conversation/conversation-key.ts'
import type { AgentId, ConversationId } from '../../../domain/ids.ts'
import type { Engine } from './engine.ts'

/**
 * The key of the agent's conversation of that id, whether it is there or not: the id itself where the agent has one
 * that is kept under it, else the key of an id that a caller chose (EN51).
 */
export async function keyOf(
  engine: Pick<Engine, 'load'>,
  agentId: AgentId,
  id: string,
): Promise<ConversationId> {
  const own = isPublicId(id) ? await engine.load(id) : null
  return own?.agentId === agentId ? own.id : chosenKey(agentId, id)
}
