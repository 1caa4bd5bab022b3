import type { ConversationState } from './state.ts'

/**
 * Ids of the visitor's messages that were taken and have no fate yet: the one that the agent answers, those behind it, and those
 * that wait for a live agent, in this order. A message that has left the list was answered, was handed to a live agent, has
 * failed as its sender was told, or its handoff or the conversation has ended; it does not come back.
 */
export function waitingMessages({ deliveries, queue, turn }: ConversationState): readonly string[] {
  const inputs = turn === null ? queue : [turn.input, ...queue]
  return [
    ...inputs.flatMap(input => (input.type === 'message' ? [input.messageId] : [])),
    ...deliveries.flatMap(({ call }) => (call.type === 'forward' ? [call.messageId] : [])),
  ]
}
