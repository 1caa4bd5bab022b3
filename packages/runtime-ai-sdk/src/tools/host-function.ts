import type { JsonObject } from '@colloquy/core'
import {
  expecting,
  type FunctionCall,
  type FunctionDescription,
  MEMORY_KEY,
  type RuntimePart,
  readMemory,
  wellFormed,
  wellFormedText,
} from '@colloquy/core/runtime'
import { jsonSchema, tool } from 'ai'
import { z } from 'zod'
import type { TurnContext } from '../turn-context.ts'
import { type AgentTool, refused } from './agent-tool.ts'

const argumentsSchema = z.record(z.string(), z.json())

/** Returns a function of the host as a tool of that name (LM17). */
export const functionTool = (name: string, described: FunctionDescription): AgentTool => ({
  name,
  acts: true,
  definition: tool({
    description: wellFormedText(described.description),
    inputSchema: jsonSchema({ ...wellFormed(described.parameters) }),
  }),
  async *run(context, input) {
    const args = argumentsSchema.safeParse(input)
    if (!args.success) return refused('The arguments must be a JSON object.')
    const call = yield* callFunction(context, described.name, args.data)
    const { result, error, concluded } = call
    // The model should not repeat what the function has said.
    return { result: call.said ? { result, told_the_visitor: true } : result, error, concluded }
  },
})

/**
 * Calls a function of the host and remembers which external events it now expects, as the retrieval runtime does (RT9).
 */
export async function* callFunction(
  { turn, speech }: Pick<TurnContext, 'turn' | 'speech'>,
  name: string,
  args: JsonObject,
): AsyncGenerator<RuntimePart, FunctionCall> {
  yield { type: 'node', name: `function:${name}` }
  const apart = speech.giveWay()
  if (apart !== '') yield { type: 'text', text: apart }
  const call = await turn.callFunction(name, args)
  if (call.said) speech.interrupted()
  if (call.expectedEventIds.length > 0) {
    const memory = expecting(readMemory(turn.variables), name, call.expectedEventIds)
    yield { type: 'variable', key: MEMORY_KEY, value: memory }
  }
  return call
}
