import {
  type AgentRuntime,
  actionsOf,
  expandAttributes,
  expecting,
  greet,
  MEMORY_KEY,
  type RuntimePart,
  type RuntimeTurn,
  readMemory,
} from '@colloquy/core/runtime'

/** Answers the example queries of the agent's topics, word for word, and nothing else. */
export function createWordForWordRuntime(): AgentRuntime {
  return {
    async *respond(turn, signal) {
      signal.throwIfAborted()
      for await (const part of answer(turn)) {
        signal.throwIfAborted()
        yield part
      }
    },
  }
}

async function* answer(turn: RuntimeTurn): AsyncGenerator<RuntimePart> {
  const { input, content } = turn
  if (input.type === 'greeting') return yield* greet(turn)
  if (input.type === 'external_event') {
    const waiting = readMemory(turn.variables).expected.find(({ eventId }) => eventId === input.eventId)
    const call = waiting === undefined ? null : await turn.callFunction(waiting.function, {})
    if (call?.said !== true) yield { type: 'text', text: 'Your update has come.' }
    return
  }
  const topic = content.topics.find(one => one.isActive && one.exampleQueries.includes(input.text))
  if (topic === undefined) {
    yield { type: 'classification', outOfDomain: true }
    return yield { type: 'text', text: 'I do not know.' }
  }
  yield { type: 'topic', name: topic.name, cited: true }
  for (const action of actionsOf(expandAttributes(topic.actions, turn.variant?.attributes ?? {}).text)) {
    if (action.type === 'handoff') {
      yield { type: 'text', text: topic.content }
      return yield { type: 'handoff', destination: action.destination, reason: topic.name }
    }
    const { concluded, expectedEventIds } = await turn.callFunction(action.name, {})
    const memory = expecting(readMemory(turn.variables), action.name, expectedEventIds)
    yield { type: 'variable', key: MEMORY_KEY, value: memory }
    if (concluded) return
  }
  yield { type: 'text', text: topic.content }
}
