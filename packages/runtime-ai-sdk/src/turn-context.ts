import type { RuntimeTurn } from '@colloquy/core/runtime'
import type { Phrases, TopicIndex } from '@colloquy/runtime-retrieval'
import type { LanguageModel } from 'ai'
import type { RuntimeSettings } from './options.ts'
import type { Speech } from './speech.ts'

/** The context of one turn. */
export interface TurnContext {
  readonly turn: RuntimeTurn
  readonly signal: AbortSignal
  readonly settings: RuntimeSettings
  readonly model: LanguageModel
  readonly index: TopicIndex
  /** Destinations to which this turn may hand off. */
  readonly destinations: readonly string[]
  readonly phrases: Phrases
  readonly speech: Speech
  /** Names of the topics that the model has been shown; grows as it searches. */
  readonly shown: Set<string>
}
