import type { JsonObject } from '@colloquy/core'
import { decodeBody, MEMORY_KEY, type RuntimeTurn } from '@colloquy/core/runtime'
import { tool, zodSchema } from 'ai'
import { z } from 'zod'
import { type AgentTool, done } from './agent-tool.ts'

/** The name of the tool that the model may find called already. */
export const READ_DATA = 'read_conversation_data'

/** Returns the data of the conversation, besides its messages (LM14). */
export const readDataTool: AgentTool = {
  name: READ_DATA,
  acts: false,
  definition: tool({
    description:
      'Tells what is known of this conversation: attributes that the host gave, what functions have noted, the event that has just come.',
    inputSchema: zodSchema(z.object({})),
  }),
  async *run({ turn }) {
    yield { type: 'node', name: `tool:${READ_DATA}` }
    return done(conversationData(turn))
  },
}

/**
 * Returns the data of the conversation. Empty fields are omitted. Any of it may come from outside: it is data, never
 * system text.
 */
export function conversationData({ integrationAttributes, variables, input }: RuntimeTurn): JsonObject {
  const { [MEMORY_KEY]: _, ...state } = variables
  return {
    ...(Object.keys(integrationAttributes).length === 0 ? {} : { attributes: integrationAttributes }),
    ...(Object.keys(state).length === 0 ? {} : { state }),
    ...(input.type === 'external_event'
      ? { event: { content_type: input.contentType, body: decodeBody(input.contentType, input.body) } }
      : {}),
  }
}
