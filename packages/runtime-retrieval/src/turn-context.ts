import type { Clock, Embedder, Log } from '@colloquy/core'
import { consoleLog, systemClock } from '@colloquy/core'
import type { RuntimePart, RuntimeTurn } from '@colloquy/core/runtime'
import type { EmbeddingSettings } from './embedding/topic-vectors.ts'
import type { Knowledge } from './knowledge.ts'
import type { PhraseBook } from './phrases.ts'
import type { Wording } from './wording.ts'

/** Options of the retrieval runtime. */
export interface RetrievalRuntimeOptions {
  /** Confidence, from 0 to 1, from which a topic answers. @default 0.65 */
  readonly minConfidence?: number
  /** Two sure topics whose scores differ by no more than this are asked back about. @default 0.08 */
  readonly closeScore?: number
  /**
   * Turns in a row without an answer after which the agent hands off, when an active topic can; 0 for never.
   * @default 3
   */
  readonly failuresBeforeHandoff?: number
  /** Response suggestions below an answer, at most. @default 2 */
  readonly suggestions?: number
  /** Characters of a topic's content that are said; of a longer one the passages that fit best. @default 1500 */
  readonly answerLength?: number
  /**
   * The runtime's own texts by language code. They replace those for English, Arabic, Chinese, French, German, Hindi,
   * Japanese, Korean, Spanish and Thai.
   *
   * @default none
   */
  readonly phrases?: PhraseBook
  /** Revisions whose indexes are kept. @default 20 */
  readonly cachedIndexes?: number
  /** Finds topics by meaning, also when they share no words with a question. @default null: only words count */
  readonly embedder?: Embedder | null
  /** Options of the embedder. @default see EmbeddingSettings */
  readonly embedding?: Partial<EmbeddingSettings>
  /** Receives log entries about the embedder. @default warnings go to the console */
  readonly log?: Log
  /** Measures the embedder's time limits. @default the process's clock */
  readonly clock?: Clock
}

/** The context of one turn. */
export interface TurnContext {
  readonly turn: RuntimeTurn
  readonly knowledge: Knowledge
  /** The similarity of each topic to the visitor's message; undefined if it is not known. */
  readonly likeness?: Float64Array | undefined
  readonly wording: Wording
  /** Returns the wordings of all languages that the runtime knows. */
  readonly others: () => readonly Wording[]
  readonly options: Required<RetrievalRuntimeOptions>
}

/** The numbers that its options take. */
export const RETRIEVAL_NUMBERS = {
  minConfidence: { least: 0, most: 1, isShare: true },
  closeScore: { least: 0, most: 1, isShare: true },
  failuresBeforeHandoff: { least: 0 },
  suggestions: { least: 0 },
  answerLength: { least: 1 },
  cachedIndexes: { least: 1 },
} as const

/** The defaults. */
export const RETRIEVAL_DEFAULTS: Required<RetrievalRuntimeOptions> = {
  minConfidence: 0.65,
  closeScore: 0.08,
  failuresBeforeHandoff: 3,
  suggestions: 2,
  answerLength: 1_500,
  phrases: {},
  cachedIndexes: 20,
  embedder: null,
  embedding: {},
  log: consoleLog,
  clock: systemClock,
}

/** Returns the parts for a topic that was considered: the topic, and its path in the agent's content. */
export function* topicParts(
  topic: { readonly id: string; readonly name: string },
  cited = false,
): Generator<RuntimePart> {
  yield { type: 'topic', name: topic.name, cited }
  yield { type: 'source', name: `topics/${topic.id}` }
}
