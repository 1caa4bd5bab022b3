import type { ConversationState } from './state.ts'

/**
 * Ids of the visitor's pending messages: the one that the agent answers, those behind it, and those that wait for a
 * live agent, in this order. A message leaves the list when it is answered, is handed to a live agent, fails and its
 * sender is notified, or when its handoff or the conversation ends. It does not come back.
 */
export function pendingMessages({ deliveries, pending, turn }: ConversationState): readonly string[] {
  const inputs = turn === null ? pending : [turn.input, ...pending]
  return [
    ...inputs.flatMap(input => (input.type === 'message' ? [input.messageId] : [])),
    ...deliveries.flatMap(({ call }) => (call.type === 'forward' ? [call.messageId] : [])),
  ]
}
