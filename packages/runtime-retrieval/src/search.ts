import { CANDIDATES } from './decision.ts'
import type { TopicMatch } from './index/topic-index.ts'
import type { Knowledge } from './knowledge.ts'

/** Finds topics for a part of a message, or for the message in other words. */
export type Search = (words: readonly string[]) => readonly TopicMatch[]

/** Different texts that one message makes the runtime look for beside the message itself; for more nothing is found (IX6). */
const MOST_SEARCHES = 16

/** Looks for the same words once, and for so many different ones. */
export function createSearch({ index }: Pick<Knowledge, 'index'>): Search {
  const seen = new Map<string, readonly TopicMatch[]>()
  return words => {
    const text = words.join(' ')
    const known = seen.get(text)
    if (known !== undefined) return known
    if (seen.size >= MOST_SEARCHES) return []
    const matches = index.search(text, CANDIDATES)
    seen.set(text, matches)
    return matches
  }
}
