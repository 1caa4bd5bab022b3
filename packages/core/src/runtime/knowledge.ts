import type { AgentContent } from '../ports/agent-runtime.ts'
import { buildTopicIndex, type TopicIndex } from './index/topic-index.ts'
import { createSpelling } from './spelling.ts'

/** What is built of one revision's topics to find them by. */
export interface Knowledge {
  readonly index: TopicIndex
  /** A text with words that no topic has replaced by like ones that topics have; null when there is nothing to replace. */
  correct(text: string): string | null
}

/** Builds the index in the background, and the list of words for corrections when it is first needed. */
export async function buildKnowledge({ topics }: Pick<AgentContent, 'topics'>): Promise<Knowledge> {
  const index = await buildTopicIndex(topics)
  let spelling: ReturnType<typeof createSpelling> | null = null
  return {
    index,
    correct(text) {
      spelling ??= createSpelling(
        topics
          .filter(topic => topic.isActive)
          .flatMap(({ name, content, exampleQueries }) => [name, ...exampleQueries, content]),
      )
      return spelling(text)
    },
  }
}
