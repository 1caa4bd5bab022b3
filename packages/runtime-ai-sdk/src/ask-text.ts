import { type Clock, PlatformError, refuseNumbers, refuseUnknown } from '@colloquy/core'
import { wellFormed } from '@colloquy/core/runtime'
import type { LanguageModel } from 'ai'
import type * as z from 'zod'
import { askModel } from './ask-model.ts'
import { AI_SDK_DEFAULTS, AI_SDK_NUMBERS, isModel, kindOf } from './options.ts'
import { createSpeech } from './speech.ts'

/** Options that every edition over a language model has. Times are milliseconds. */
export interface AskOptions {
  /** Any language model of the AI SDK. */
  readonly model: LanguageModel
  /** Attempts at one request before it has failed (LM20). @default 3 */
  readonly attempts?: number
  /** Wait before the second attempt; each further one waits twice as long. @default 500 */
  readonly retryDelay?: number
  /** A model that asks for a longer wait than this has failed. @default 20000 */
  readonly longestRetryDelay?: number
  /** The most characters that the model writes; what is longer has failed. @default 8000 */
  readonly answerLength?: number
  /** Measures waits between attempts. @default the process's clock */
  readonly clock?: Clock
}

const { attempts, clock, longestRetryDelay, retryDelay } = AI_SDK_DEFAULTS

/** The defaults. */
const ASK_DEFAULTS = {
  ...{ attempts, retryDelay, longestRetryDelay, answerLength: 8_000, clock },
} satisfies Omit<Required<AskOptions>, 'model'>

/** @throws SCHEMA_VALIDATION_FAILED naming the option, and what is allowed (EM4) */
export function checkAskOptions(name: string, options: unknown, more: readonly string[]): void {
  const given = options ?? {}
  refuseUnknown(name, given, ['model', ...Object.keys(ASK_DEFAULTS), ...more])
  refuseNumbers(given, AI_SDK_NUMBERS)
  const model: unknown = Reflect.get(Object(given), 'model')
  if (isModel(model) && typeof model !== 'function') return
  const message = `model must be a language model of the AI SDK, not ${kindOf(model)}. For example ${name}({ model: provider('name'), … }).`
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
}

/** One question. What others wrote is in the user role alone, one line of JSON each. */
export interface Question {
  readonly system: string
  readonly lines: readonly unknown[]
}

/** Asks the model for one text. @throws AGENT_FAILED */
export async function askText(
  options: AskOptions,
  { lines, system }: Question,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted()
  const { model, ...others } = { ...ASK_DEFAULTS, ...options }
  const content = lines.map(line => JSON.stringify(wellFormed(line))).join('\n')
  const speech = createSpeech(others.answerLength)
  const settings = { ...AI_SDK_DEFAULTS, ...others, model }
  const request = {
    step: 1,
    system,
    messages: [{ role: 'user', content } as const],
    tools: {},
    mayCall: false,
  }
  for await (const _ of askModel({ model, settings, signal, speech }, request)) signal.throwIfAborted()
  return speech.text
}

/** Returns the JSON in an answer, also in a block of code, as its schema reads it. @throws AGENT_FAILED */
export function jsonIn<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  [open, close]: readonly [string, string],
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text.slice(text.indexOf(open), text.lastIndexOf(close) + 1)))
  } catch (cause) {
    const what = open === '[' ? 'array' : 'object'
    throw new PlatformError('AGENT_FAILED', `The language model gave no JSON ${what} as it was asked for.`, {
      cause,
    })
  }
}
