export { type UsedConversation, useConversation } from './use-conversation.ts'
