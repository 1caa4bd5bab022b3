import type { TopicIndex, TopicMatch } from './index/topic-index.ts'
import type { Phrases } from './phrases.ts'
import { reworded } from './reworded.ts'
import { commonWordsOf, relatedOf } from './wording.ts'

/**
 * Returns the topics that may answer a question by its words, or by related ones, best first. For whoever reads them
 * before answering: some may have nothing to do with it.
 */
export function lookUp(
  index: TopicIndex,
  question: string,
  limit: number,
  phrases: Pick<Phrases, 'commonWords' | 'related'>,
): readonly TopicMatch[] {
  const commonWords = commonWordsOf(phrases)
  const own = index.search(question, limit, { commonWords })
  const other = reworded(question, index, relatedOf(phrases))
  if (other === null) return own
  const names = new Set<string>()
  return [...own, ...index.search(other, limit, { commonWords })]
    .sort((a, b) => b.score - a.score)
    .filter(({ topic }) => !names.has(topic.name) && names.add(topic.name))
    .slice(0, limit)
}
