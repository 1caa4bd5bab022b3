import type { Action } from '@colloquy/core/runtime'
import { lookUp } from '@colloquy/runtime-retrieval'
import { tool, zodSchema } from 'ai'
import { z } from 'zod'
import { topicFields } from '../prompt.ts'
import { promptTopic, showTopics } from '../topics.ts'
import { type AgentTool, done } from './agent-tool.ts'

const inputSchema = z.object({
  query: z.string().min(1).max(2_000).describe('What to look for, in a few words or as a question.'),
})
/** Made once: a request has it as JSON Schema. */
const asked = zodSchema(inputSchema)

/** Looks further topics up in the knowledge base (LM17). */
export const searchTool = (wordsFor: (action: Action) => string): AgentTool => ({
  name: 'search_knowledge_base',
  acts: false,
  definition: tool({
    description:
      'Finds topics of the knowledge base. Use it when the topics you have do not answer the question.',
    inputSchema: asked,
  }),
  async *run(context, input) {
    const { query } = inputSchema.parse(input)
    yield { type: 'node', name: 'tool:search_knowledge_base' }
    const found = lookUp(context.index, query, context.settings.topics, context.phrases)
    const topics = found.map(({ topic }) => promptTopic(context, topic, query, wordsFor))
    yield* showTopics(context, topics)
    return done({ topics: topics.map(({ topic }) => topicFields(topic)) })
  },
})
