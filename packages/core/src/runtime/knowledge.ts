import type { AgentContent } from '../ports/agent-runtime.ts'
import { createEvidence, type Evidence } from './evidence.ts'
import { buildTopicIndex, type TopicIndex } from './index/topic-index.ts'
import { createSpelling } from './spelling.ts'

/** What is built of one revision's topics to find them by. */
export interface Knowledge {
  readonly index: TopicIndex
  /** What speaks for a topic besides letters in common. */
  evidence(): Evidence
  /** A text with words that no topic has replaced by like ones that topics have; null when there is nothing to replace. */
  correct(text: string): string | null
}

/** Builds the index in the background, and the lists of words for evidence and corrections when they are first needed. */
export async function buildKnowledge({ topics }: Pick<AgentContent, 'topics'>): Promise<Knowledge> {
  const index = await buildTopicIndex(topics)
  let spelling: ReturnType<typeof createSpelling> | null = null
  let evidence: Evidence | null = null
  return {
    index,
    evidence() {
      evidence ??= createEvidence({ topics })
      return evidence
    },
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
