import { chosenKey, isPublicId } from '../../../domain/conversation/conversation-key.ts'
import type { AgentId, ConversationId } from '../../../domain/ids.ts'
import type { Engine } from './engine.ts'

/**
 * Returns the key of the agent's conversation of that id, existing or not. It is the id itself if the agent has a
 * conversation stored under it. Otherwise it is derived from an id that a caller chose (EN51).
 */
export async function keyOf(
  engine: Pick<Engine, 'load'>,
  agentId: AgentId,
  id: string,
): Promise<ConversationId> {
  const own = isPublicId(id) ? await engine.load(id) : null
  return own?.agentId === agentId ? own.id : chosenKey(agentId, id)
}
