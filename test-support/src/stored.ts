export { conversationSnapshot } from '../../packages/core/src/testing/contracts/store/conversation-snapshot.ts'
export { eventsOf, wakesAt } from '../../packages/core/src/testing/contracts/store/stored.ts'
