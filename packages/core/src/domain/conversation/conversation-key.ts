import type { AgentId, ConversationId } from '../ids.ts'

/**
 * Stands between an id that a caller chose and the agent that it belongs to. Below every character that an id may have,
 * so that an agent's keys have the order of its ids.
 */
const SEPARATOR = '\u0001'

/** Behind every key that begins with an id and a separator, and before those of longer ids. */
const AFTER = '\u0002'

/**
 * Returns the id under which the platform keeps a conversation whose id a caller chose: two agents may have
 * conversations of one id (EN51). Ids that the platform makes are their own keys, and so are ids of conversations from
 * before ids were the agent's own.
 */
export const chosenKey = (agentId: AgentId, id: string): ConversationId => `${id}${SEPARATOR}${agentId}`

/** False for what no caller is ever shown as an id. */
export const isPublicId = (id: string): boolean => !id.includes(SEPARATOR)

/** Returns the id that callers know a conversation by. */
export const publicId = (key: ConversationId): ConversationId => {
  const at = key.lastIndexOf(SEPARATOR)
  return at === -1 ? key : key.slice(0, at)
}

/**
 * Returns the place after the conversation of an id, where a list continues. It works for ids under their own key and
 * under the agent's.
 */
export const placeAfter = (id: string): string => `${id}${AFTER}`
