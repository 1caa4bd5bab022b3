import { sentences } from './passages.ts'

/** Texts from which a topic is learnt. */
export interface TopicTexts {
  readonly name: string
  readonly content: string
  readonly exampleQueries: readonly string[]
}

/** Sentences of a topic's content that stand in for missing example queries. */
const MOST_SENTENCES = 8

/**
 * Returns the texts that a topic is learnt from: its name, then its example queries, or else the first sentences of its
 * content.
 */
export function examplesOf({ name, content, exampleQueries }: TopicTexts): readonly string[] {
  return [name, ...(exampleQueries.length > 0 ? exampleQueries : sentences(content, MOST_SENTENCES))]
}
