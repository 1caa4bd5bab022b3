import type { AssistedConversation } from '@colloquy/core'
import { type Clock, PlatformError, refuseNumbers, refuseUnknown } from '@colloquy/core'
import type { LanguageModel } from 'ai'
import { AI_SDK_DEFAULTS, AI_SDK_NUMBERS, isModel, kindOf } from './options.ts'

/** Options of the assistant for live agents. Lengths are characters, times milliseconds. */
export interface AiSdkAssistantOptions {
  /** Any language model of the AI SDK, or a function that chooses one for a conversation. */
  readonly model: LanguageModel | ((conversation: AssistedConversation) => LanguageModel)
  /** Attempts at one request before it has failed (LM20). @default 3 */
  readonly attempts?: number
  /** Wait before the second attempt; each further one waits twice as long. @default 500 */
  readonly retryDelay?: number
  /** A model that asks for a longer wait than this has failed. @default 20000 */
  readonly longestRetryDelay?: number
  /** The most that the model writes; what is longer has failed. @default 8000 */
  readonly answerLength?: number
  /** The newest lines of the conversation go as far as their texts fit in here. @default 40000 */
  readonly historyLength?: number
  /** Topics of the agent that the model reads for suggestions. @default 4 */
  readonly topics?: number
  /** A topic's content; of a longer one the passages that fit best. @default 4000 */
  readonly topicLength?: number
  /** Revisions whose indexes are kept. @default 20 */
  readonly cachedIndexes?: number
  /** Measures latencies and waits between attempts. @default the process's clock */
  readonly clock?: Clock
}

const { attempts, cachedIndexes, clock, historyLength, longestRetryDelay, retryDelay, topicLength, topics } =
  AI_SDK_DEFAULTS

/** The defaults. */
export const ASSISTANT_DEFAULTS = {
  ...{ attempts, retryDelay, longestRetryDelay, answerLength: 8_000 },
  ...{ historyLength, topics, topicLength, cachedIndexes, clock },
} satisfies Omit<Required<AiSdkAssistantOptions>, 'model'>

/** @throws SCHEMA_VALIDATION_FAILED naming the option, and what is allowed (EM4) */
export function checkAssistantOptions(options: unknown): void {
  const given = options ?? {}
  refuseUnknown('createAiSdkAssistant', given, ['model', ...Object.keys(ASSISTANT_DEFAULTS)])
  refuseNumbers(given, AI_SDK_NUMBERS)
  const model: unknown = Reflect.get(Object(given), 'model')
  if (isModel(model)) return
  const allowed = 'a language model of the AI SDK, or a function that chooses one for a conversation'
  const example = "createAiSdkAssistant({ model: provider('name') })"
  const message = `model must be ${allowed}, not ${kindOf(model)}. For example ${example}.`
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
}
