import { type Clock, PlatformError, refuseNumbers, refuseUnknown, systemClock } from '@colloquy/core'
import type { RuntimeTurn } from '@colloquy/core/runtime'
import { checkPhrases, type PhraseBook } from '@colloquy/runtime-retrieval'
import type { LanguageModel } from 'ai'

/** Options of the language-model runtime. Lengths are characters, times milliseconds. */
export interface AiSdkRuntimeOptions {
  /**
   * Any language model of the AI SDK, or a function that chooses one for a turn, for example by
   * `turn.content.responseSettings.modelId`. Temperature, output tokens and a provider's own options are set on the
   * model, with the AI SDK's `wrapLanguageModel` and `defaultSettingsMiddleware`.
   */
  readonly model: LanguageModel | ((turn: RuntimeTurn) => LanguageModel)
  /** Attempts at one request before the turn fails (LM20). @default 3 */
  readonly attempts?: number
  /** Wait before the second attempt; each further one waits twice as long. @default 500 */
  readonly retryDelay?: number
  /** A model that asks for a longer wait than this has failed. @default 20000 */
  readonly longestRetryDelay?: number
  /** Requests for one answer, repeated attempts aside; the last one goes without tools (LM32). @default 8 */
  readonly steps?: number
  /** Tool calls in one turn; further ones are refused to the model (LM32). @default 16 */
  readonly toolCalls?: number
  /**
   * Limit of the model's text in one turn, and of the arguments that it writes in one request. A turn beyond it fails
   * (LM30).
   * @default 20000
   */
  readonly answerLength?: number
  /** A tool's result as JSON, as far as the model reads it (LM32). @default 20000 */
  readonly resultLength?: number
  /** The newest lines of the conversation that the model reads. @default 40 */
  readonly historyLines?: number
  /** The newest lines go as far as their texts fit in here. @default 40000 */
  readonly historyLength?: number
  /**
   * Pictures of the conversation that the model sees, the newest ones. Set it for models that see pictures: others
   * refuse them. Names of files are read in any case (FI50). @default 0
   */
  readonly pictures?: number
  /** Bytes of a picture; of a larger one the model reads the name alone. @default 5242880, 5 MiB */
  readonly pictureBytes?: number
  /** Topics that are looked up for a question, and that one search gives. @default 4 */
  readonly topics?: number
  /** A topic's content; of a longer one the passages that fit best. @default 4000 */
  readonly topicLength?: number
  /**
   * Phrases that are said without asking the model, by language code: `greeting`, `silence`, `handoff`.
   * @default the retrieval runtime's, in ten languages
   */
  readonly phrases?: PhraseBook
  /** Revisions whose indexes are kept. @default 20 */
  readonly cachedIndexes?: number
  /** Measures latencies and waits between attempts. @default the process's clock */
  readonly clock?: Clock
}

/** The options with the defaults put in. */
export type RuntimeSettings = Required<AiSdkRuntimeOptions>

/** The defaults. */
export const AI_SDK_DEFAULTS: Omit<RuntimeSettings, 'model'> = {
  attempts: 3,
  retryDelay: 500,
  longestRetryDelay: 20_000,
  steps: 8,
  toolCalls: 16,
  answerLength: 20_000,
  resultLength: 20_000,
  historyLines: 40,
  historyLength: 40_000,
  pictures: 0,
  pictureBytes: 5_242_880,
  topics: 4,
  topicLength: 4_000,
  phrases: {},
  cachedIndexes: 20,
  clock: systemClock,
}

/** The numbers that options take, of the runtime and of all else that asks a model. */
export const AI_SDK_NUMBERS = {
  attempts: { least: 1 },
  retryDelay: { least: 0 },
  longestRetryDelay: { least: 0 },
  steps: { least: 1 },
  toolCalls: { least: 0 },
  answerLength: { least: 1 },
  resultLength: { least: 1 },
  historyLines: { least: 0 },
  historyLength: { least: 0 },
  pictures: { least: 0 },
  pictureBytes: { least: 1 },
  topics: { least: 0 },
  topicLength: { least: 1 },
  cachedIndexes: { least: 1 },
}

/** Reports whether a value is a language model, or may choose one. */
export function isModel(value: unknown): boolean {
  if (typeof value === 'function') return true
  if (typeof value === 'string') return value !== ''
  return typeof value === 'object' && value !== null && 'doStream' in value
}

/** Returns the kind of a value that is no model, for a sentence. */
export function kindOf(value: unknown): string {
  if (value === '') return 'an empty string'
  return value === null ? 'null' : typeof value
}

/**
 * Without a model every turn would fail.
 * @throws SCHEMA_VALIDATION_FAILED naming the option, and what is allowed (EM4)
 */
export function checkOptions(options: unknown): void {
  const given = options ?? {}
  refuseUnknown('createAiSdkRuntime', given, ['model', ...Object.keys(AI_SDK_DEFAULTS)])
  refuseNumbers(given, AI_SDK_NUMBERS)
  checkPhrases(Reflect.get(given, 'phrases') ?? {})
  const model: unknown = Reflect.get(Object(given), 'model')
  if (isModel(model)) return
  const allowed = 'a language model of the AI SDK, or a function that chooses one for a turn'
  const example = "createAiSdkRuntime({ model: provider('name') })"
  const message = `model must be ${allowed}, not ${kindOf(model)}. For example ${example}.`
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
}
