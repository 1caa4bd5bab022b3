import { route } from '../../router.ts'
import { Conversation } from './conversation.tsx'
import { ConversationList } from './conversation-list.tsx'

/** Conversations of an agent: the list, or one of them, as the address says. */
export function View() {
  const [, agentId, id] = route.value.path
  if (agentId !== undefined && id !== undefined) return <Conversation key={id} agentId={agentId} id={id} />
  return <ConversationList />
}
