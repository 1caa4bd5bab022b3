import type * as z from 'zod'
import { type WordCondition, wordsOf } from '../../domain/conversation/turn-words.ts'
import { PlatformError } from '../../errors.ts'
import type { SemanticQuery } from '../../usecases/records/semantic-search.ts'
import type { v3ListQuery } from './conversation-query.ts'

/** A limit: more words make a search long and find nothing. */
const MOST_WORDS = 32

/** The mode of a v3 list: the list itself, a search, or a random sample. */
export type RetrievalMode =
  | { readonly type: 'list' }
  | { readonly type: 'search'; readonly words: WordCondition }
  | { readonly type: 'search'; readonly semantic: SemanticQuery }
  | { readonly type: 'sample' }

function refuse(message: string): never {
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
}

/**
 * Returns the retrieval mode of a v3 list, and what it rules out (contract/conversations.md; RC45).
 * @throws SCHEMA_VALIDATION_FAILED
 */
export function modeOf(query: z.output<typeof v3ListQuery>): RetrievalMode {
  const { query_type: queryType, sample } = query
  if (queryType === undefined) {
    if (query.query !== undefined) refuse('query needs query_type.')
    if (query.turn_type !== undefined) refuse('turn_type needs query_type.')
    if (sample === undefined) return { type: 'list' }
  } else if (sample !== undefined) {
    refuse('query_type and sample cannot be combined: give one of them.')
  }
  if (query.start_time === undefined || query.end_time === undefined) {
    refuse(`${queryType === undefined ? 'sample' : 'query_type'} needs start_time and end_time.`)
  }
  if (queryType === undefined) {
    if (query.cursor !== undefined || query.offset !== undefined)
      refuse('sample has one page: give no cursor and no offset.')
    return { type: 'sample' }
  }
  if (query.query === undefined) refuse('query_type needs query.')
  const speaker = query.turn_type ?? 'either'
  return queryType === 'semantic'
    ? { type: 'search', semantic: { text: query.query, speaker } }
    : { type: 'search', words: { words: searchedWords(query.query), speaker } }
}

function searchedWords(query: string): readonly string[] {
  const words = wordsOf(query)
  if (words.length === 0) refuse('query must hold a letter or digit.')
  if (words.length > MOST_WORDS) refuse(`query must have at most ${MOST_WORDS} different words.`)
  return words
}
