import { tool, zodSchema } from 'ai'
import { z } from 'zod'
import { closedWords } from '../prompt.ts'
import { type AgentTool, CONCLUDED, done } from './agent-tool.ts'

const lastWords = z
  .string()
  .max(2_000)
  .optional()
  .describe('What to say to the visitor before, if you have not said it yet.')

/** The name of the tool that hands off. */
export const HAND_OFF = 'hand_off'

/** Hands the conversation to people, at one of the destinations that the agent's topics name (LM17). */
export function handOffTool(destinations: readonly string[]): AgentTool {
  let isTold = false
  const inputSchema = z.object({
    destination: z.enum(destinations),
    reason: z.string().max(500).describe('Why, in a few words, for the colleague who takes over.'),
    message: lastWords,
  })
  return {
    name: HAND_OFF,
    acts: true,
    definition: tool({
      description:
        'Hands the conversation over to a human colleague. Use it when the visitor asks for a person, or when a topic says so. Do not promise before that somebody comes. Your turn ends with it, unless nobody is there: then the result says so.',
      inputSchema,
    }),
    async *run({ speech, phrases, turn }, input) {
      const { destination, reason, message = '' } = inputSchema.parse(input)
      yield { type: 'node', name: `tool:${HAND_OFF}` }
      const closed = isTold ? null : ((await turn.closedFor?.(destination)) ?? null)
      if (closed !== null) {
        isTold = true
        // It fails at once, and colleagues find the conversation by it.
        if ((turn.closedQueue ?? null) === null) yield { type: 'handoff', destination, reason }
        return done({ handed_over: false, nobody_is_there: closedWords(closed) })
      }
      const text = speech.add(message) || (speech.spoken ? '' : speech.add(phrases.handoff))
      if (text !== '') yield { type: 'text', text }
      yield { type: 'handoff', destination, reason }
      return CONCLUDED
    },
  }
}

const endSchema = z.object({ message: lastWords })

/** Ends the conversation. */
export const endTool: AgentTool = {
  name: 'end_conversation',
  acts: true,
  definition: tool({
    description: 'Ends the conversation. Use it only when the visitor has said goodbye or wants it to end.',
    inputSchema: zodSchema(endSchema),
  }),
  async *run({ speech }, input) {
    yield { type: 'node', name: 'tool:end_conversation' }
    const text = speech.add(endSchema.parse(input).message ?? '')
    if (text !== '') yield { type: 'text', text }
    yield { type: 'end' }
    return CONCLUDED
  },
}
