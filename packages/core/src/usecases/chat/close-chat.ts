import type { ChatParts } from './chat-parts.ts'
import { type ChatOfConnector, findChat, noSuchChat } from './find-chat.ts'

/** Ends the chat, as its visitor; an end before that stands (TC4). @throws CONVERSATIONS_NOT_FOUND */
export async function closeChat(deps: ChatParts, chat: ChatOfConnector): Promise<void> {
  const { engine } = deps
  const { id } = await findChat(deps, engine, chat, 'find')
  const outcome = await engine.execute(id, { type: 'end', sender: null, custom: null, clientEventId: null })
  if (outcome.status === 'missing') throw noSuchChat()
}
