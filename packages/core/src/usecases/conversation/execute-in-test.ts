import type { FunctionResult, TestCase } from '../../domain/agent/test-case.ts'
import type { AgentFunction, FunctionConversation } from '../../ports/agent-runtime.ts'

/** What is executed when a test's conversation calls a function of the host: what the test case gives in its place, if it does (TE13). */
export function executeInTest(
  name: string,
  registered: AgentFunction,
  { functionResults }: TestCase,
): AgentFunction['execute'] {
  const given = Object.hasOwn(functionResults, name) ? functionResults[name] : undefined
  if (given !== undefined) return conversation => standIn(given, conversation)
  if (registered.callInTests === true) return registered.execute.bind(registered)
  return () => {
    throw new Error(
      `${name} was not called: it may have effects outside. Give the test case a result for it, or register it with callInTests.`,
    )
  }
}

function standIn(given: FunctionResult, conversation: FunctionConversation) {
  for (const [key, value] of Object.entries(given.variables ?? {})) conversation.setVariable(key, value)
  if (given.say !== undefined) conversation.say(given.say)
  if (given.error !== undefined) throw new Error(given.error)
  if (given.handoff !== undefined) conversation.handOff(given.handoff.destination, given.handoff.reason)
  if (given.ends === true) conversation.end()
  return given.result ?? null
}
