import type { FunctionResult, TestCase } from '../../../domain/agent/test-case.ts'
import type { Json, JsonObject } from '../../../domain/json.ts'
import { PlatformError } from '../../../errors.ts'
import type { FunctionConversation, PreparedCall } from '../../../ports/agent-function.ts'
import type { RegisteredFunction } from './register-functions.ts'

/** A call of a host function, with valid arguments. */
export interface CallToMake {
  readonly name: string
  readonly args: JsonObject
  readonly called: Pick<RegisteredFunction, 'callInTests'>
  readonly prepared: PreparedCall
}

/** The function that runs when the agent calls a function of the host. */
export type StandIn = (call: CallToMake) => PreparedCall | Promise<PreparedCall>

/**
 * Returns the function that runs when a conversation of a test calls a host function with valid arguments. It is the
 * stub from the test case, if there is one (TE13).
 */
export function callInTest(
  name: string,
  { callInTests }: Pick<RegisteredFunction, 'callInTests'>,
  { functionResults }: TestCase,
  prepared: PreparedCall,
): PreparedCall {
  const given = Object.hasOwn(functionResults, name) ? functionResults[name] : undefined
  if (given !== undefined) return conversation => standIn(given, conversation)
  if (callInTests) return prepared
  const wrong = `${name} was not called: it may have effects outside.`
  const message = `${wrong} Give the test case a result for it, or register it with callInTests.`
  throw new PlatformError('AGENT_FAILED', message)
}

function standIn(given: FunctionResult, conversation: FunctionConversation): Json {
  for (const [key, value] of Object.entries(given.variables ?? {})) conversation.setVariable(key, value)
  if (given.say !== undefined) conversation.say(given.say)
  if (given.error !== undefined) throw new Error(given.error)
  if (given.handoff !== undefined) conversation.handOff(given.handoff.destination, given.handoff.reason)
  if (given.ends === true) conversation.end()
  return given.result ?? null
}
