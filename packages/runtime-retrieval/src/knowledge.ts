import type { AgentContent } from '@colloquy/core/runtime'
import { systemBackground } from '@colloquy/core/runtime'
import { buildTopicIndex, type TopicIndex } from './index/topic-index.ts'
import { buildSpelling, type Spelling } from './spelling.ts'

/** The searchable form of one revision's topics. */
export interface Knowledge {
  readonly index: TopicIndex
  /**
   * A text with words that no topic has replaced by like ones that topics have; null when there is nothing to replace.
   */
  readonly correct: Spelling
}

/** Builds the index and the list of words for corrections, beside everything else. */
export async function buildKnowledge({ topics }: Pick<AgentContent, 'topics'>): Promise<Knowledge> {
  const index = await buildTopicIndex(topics)
  return { index, correct: await systemBackground.run(buildSpelling(index)) }
}
