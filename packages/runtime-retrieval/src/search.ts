import { CANDIDATES } from './decision.ts'
import type { TopicMatch } from './index/topic-index.ts'
import type { Knowledge } from './knowledge.ts'
import type { Wording } from './wording.ts'

/** Finds topics for a part of a message, or for a variation of it. */
export type Search = (words: readonly string[]) => readonly TopicMatch[]

/**
 * Different texts that are searched for one message, besides the message itself; further searches find nothing (IX6).
 */
const MOST_SEARCHES = 16

/** Returns a search that remembers its results, and is limited to `MOST_SEARCHES` texts. */
export function createSearch(
  { index }: Pick<Knowledge, 'index'>,
  { commonWords }: Pick<Wording, 'commonWords'>,
): Search {
  const seen = new Map<string, readonly TopicMatch[]>()
  return words => {
    const text = words.join(' ')
    const known = seen.get(text)
    if (known !== undefined) return known
    if (seen.size >= MOST_SEARCHES) return []
    const matches = index.search(text, CANDIDATES, { commonWords })
    seen.set(text, matches)
    return matches
  }
}
