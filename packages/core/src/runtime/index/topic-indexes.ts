import { LRUCache } from 'lru-cache'
import type { AgentContent } from '../../ports/agent-runtime.ts'
import { buildTopicIndex, type TopicIndex } from './topic-index.ts'

/** Gives the index of a revision's topics. Those of the `most` revisions that were asked for last are kept. */
export function createTopicIndexes(
  most: number,
): (content: Pick<AgentContent, 'key' | 'topics'>) => TopicIndex {
  const indexes = new LRUCache<string, TopicIndex>({ max: most })
  return content => {
    const kept = indexes.get(content.key)
    if (kept !== undefined) return kept
    const built = buildTopicIndex(content.topics)
    indexes.set(content.key, built)
    return built
  }
}
