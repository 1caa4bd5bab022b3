import type { TopicIndex, TopicMatch } from './index/topic-index.ts'
import { words } from './index/words.ts'
import type { Phrases } from './phrases.ts'
import { reworded } from './reworded.ts'
import { commonWordsOf, relatedOf } from './wording.ts'

/** Topics that are compared for each that is returned, and the weight of the rarest word that one shares. */
const CANDIDATES = 3
const TELLING = 0.45

/**
 * Returns the topics that may answer a question by its words, or by related ones, best first: as many of both, so that
 * neither leaves out the other's. For whoever reads them before answering: some may have nothing to do with it.
 */
export function lookUp(
  index: TopicIndex,
  question: string,
  limit: number,
  phrases: Pick<Phrases, 'commonWords' | 'related'>,
): readonly TopicMatch[] {
  const commonWords = commonWordsOf(phrases)
  const bestFor = (text: string): readonly TopicMatch[] => {
    const told = words(text).filter(word => !commonWords.has(word))
    const rankOf = ({ topic, score }: TopicMatch) =>
      score + TELLING * index.telling(topic.name, told.join(' '))
    return index
      .search(text, CANDIDATES * limit, { commonWords })
      .map(match => ({ match, rank: rankOf(match) }))
      .sort((a, b) => b.rank - a.rank)
      .slice(0, limit)
      .map(({ match }) => match)
  }
  const own = bestFor(question)
  const other = reworded(question, index, relatedOf(phrases), true)
  if (other === null) return own
  const more = bestFor(other)
  const inTurn = Array.from({ length: limit }, (_, at) => [own[at], more[at]])
    .flat()
    .filter(match => match !== undefined)
  const best = new Map<string, TopicMatch>()
  for (const match of inTurn) {
    const { name } = match.topic
    if (match.score > (best.get(name)?.score ?? Number.NEGATIVE_INFINITY)) best.set(name, match)
  }
  return [...best.values()].slice(0, limit).sort((a, b) => b.score - a.score)
}
