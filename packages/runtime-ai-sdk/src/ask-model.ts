import { type JsonObject, PlatformError } from '@colloquy/core'
import { type RuntimePart, startOf, wellFormed, wellFormedText } from '@colloquy/core/runtime'
import { type LanguageModel, type ModelMessage, streamText, type TextStreamPart, type ToolSet } from 'ai'
import { providerOf } from './provider-of.ts'
import { reasonOf, retryDelay } from './retry.ts'
import type { TurnContext } from './turn-context.ts'

/** One request, apart from how often it is made. */
export interface ModelRequest {
  /** Counts the requests of a turn from 1. */
  readonly step: number
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: ToolSet
  /** False: the model must answer with text. */
  readonly mayCall: boolean
}

/**
 * A call of a tool that the model asks for. One that could not be read has been refused already, in the answer's
 * messages.
 */
export interface RequestedCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly readable: boolean
}

/** Response of the model to one request. Its text has already been said. */
export interface ModelAnswer {
  readonly said: boolean
  readonly calls: readonly RequestedCall[]
  /** The answer as part of the next request; empty if it calls no tool, since none follows. */
  readonly messages: readonly ModelMessage[]
  readonly finishReason: string
}

type AttemptContext = Pick<TurnContext, 'model' | 'settings' | 'signal' | 'speech'>

/**
 * Calls the model, and retries after a while where that makes sense, but never after text was yielded: nothing is said
 * twice (LM20, LM21). Text is yielded as it comes, and an `llm_request` part for each attempt.
 *
 * @throws AGENT_FAILED
 */
export async function* askModel(
  context: AttemptContext,
  request: ModelRequest,
): AsyncGenerator<RuntimePart, ModelAnswer> {
  const { clock } = context.settings
  for (let attempt = 1; ; attempt += 1) {
    const startedAt = clock.monotonic()
    const controller = new AbortController()
    const stream = openStream(context, request, AbortSignal.any([context.signal, controller.signal]))
    const seen: Seen = {
      said: false,
      error: null,
      finish: NOT_FINISHED,
      firstAt: null,
      written: 0,
      calls: [],
    }
    let isRead = false
    try {
      for await (const part of stream.fullStream) {
        const text = take(part, seen, context)
        if (text !== '') yield { type: 'text', text }
      }
      isRead = true
      context.signal.throwIfAborted()
      if (seen.error === null && seen.finish.reason === 'error') seen.error = { value: 'it broke off' }
    } catch (error) {
      context.signal.throwIfAborted()
      if (error instanceof PlatformError) throw error
      seen.error ??= { value: error }
    } finally {
      // The provider stops writing an answer that is not read to its end.
      if (!isRead) controller.abort(READ_ENOUGH)
    }
    const measured: JsonObject = {
      ...{ model: nameOf(context.model), provider: providerOf(context.model) },
      ...{ step: request.step, attempt },
    }
    yield {
      type: 'llm_request',
      request: { ...measured, ...figures(seen, startedAt, clock.monotonic(), context.settings.toolCalls) },
    }
    const { said, calls, error, finish } = seen
    if (error === null) {
      // The AI SDK reads the whole answer once more for its messages.
      const messages = calls.length === 0 ? NO_MESSAGES : (await stream.response).messages
      return { said, calls, messages, finishReason: finish.reason }
    }
    await beforeRetry(context, { error: error.value, said, attempt })
  }
}

interface Failure {
  readonly error: unknown
  readonly said: boolean
  readonly attempt: number
}

/** Resolves when a request that has failed may be made again. @throws AGENT_FAILED if it is not */
async function beforeRetry(
  { model, settings, signal }: AttemptContext,
  { attempt, error, said }: Failure,
): Promise<void> {
  const delay = said ? null : retryDelay(error, attempt, settings.clock.now(), settings)
  if (delay === null) {
    const times = attempt === 1 ? '' : ` in ${attempt} attempts`
    throw new PlatformError(
      'AGENT_FAILED',
      `The language model ${nameOf(model)} has failed${times}: ${reasonOf(error)}`,
      { cause: error },
    )
  }
  await pause(settings, delay, signal)
}

/** Made once: each has the stack of its making. */
const READ_ENOUGH = new DOMException('Nobody reads on.', 'AbortError')

const NO_MESSAGES: readonly never[] = []

/** The progress of one attempt. */
interface Seen {
  /** True when it has said something. */
  said: boolean
  error: { readonly value: unknown } | null
  finish: Finish
  /** Time of the first text or call; null before it. */
  firstAt: number | null
  /** Characters of arguments. */
  written: number
  readonly calls: RequestedCall[]
}

/** Notes a part of the answer. Returns the text to say for it. */
function take(part: TextStreamPart<ToolSet>, seen: Seen, { settings, speech }: AttemptContext): string {
  switch (part.type) {
    case 'text-delta': {
      seen.firstAt ??= settings.clock.monotonic()
      const text = speech.add(part.text)
      seen.said ||= text !== ''
      return text
    }
    case 'tool-input-delta':
      seen.written += part.delta.length
      if (seen.written > settings.answerLength) throw tooLong(settings.answerLength)
      break
    case 'tool-call': {
      seen.firstAt ??= settings.clock.monotonic()
      const { toolCallId: id, toolName: name, input, invalid } = part
      seen.calls.push({ id, name, input, readable: invalid !== true })
      break
    }
    case 'error':
      seen.error ??= { value: part.error }
      break
    case 'finish-step':
      seen.finish = { reason: part.finishReason, usage: part.usage }
  }
  return ''
}

function openStream({ model }: AttemptContext, request: ModelRequest, signal: AbortSignal) {
  return streamText({
    model,
    // One half of a pair, and a provider refuses the request and each later one of the conversation (LM10).
    system: wellFormedText(request.system),
    messages: wellFormed([...request.messages]),
    tools: request.tools,
    toolChoice: request.mayCall ? 'auto' : 'none',
    // Attempts are counted, measured and reported here.
    maxRetries: 0,
    abortSignal: signal,
    // Errors come as parts; the AI SDK would write them to the console as well.
    onError: () => undefined,
  })
}

/** End of a request. */
interface Finish {
  readonly reason: string
  readonly usage: { readonly inputTokens: number | undefined; readonly outputTokens: number | undefined }
}

const NOT_FINISHED: Finish = { reason: '', usage: { inputTokens: undefined, outputTokens: undefined } }

/** Returns the measured part of an `llm_request`, with at most so many of the calls (LM40). */
function figures(seen: Seen, startedAt: number, now: number, most: number): JsonObject {
  const { finish, firstAt, error } = seen
  return {
    input_tokens: finish.usage.inputTokens ?? null,
    output_tokens: finish.usage.outputTokens ?? null,
    latency_ms: Math.round(now - startedAt),
    first_output_ms: firstAt === null ? null : Math.round(firstAt - startedAt),
    finish_reason: finish.reason,
    error: error === null ? null : reasonOf(error.value),
    ...(seen.calls.length === 0 ? {} : { calls: seen.calls.slice(0, most).map(recordedCall) }),
  }
}

/** The most characters of a call's name, and of its input as JSON, that are recorded. */
const RECORDED = { name: 128, input: 1_024 }

/** Returns a call as the model asked for it (LM40). */
function recordedCall({ name, input, readable }: RequestedCall): JsonObject {
  const text = JSON.stringify(input) ?? 'null'
  return {
    name: startOf(name, RECORDED.name),
    input: text.length > RECORDED.input ? null : JSON.parse(text),
    ...(readable ? {} : { refused: true }),
  }
}

const tooLong = (most: number): PlatformError =>
  new PlatformError('AGENT_FAILED', `The language model wrote more than ${most} characters of arguments.`)

/** Returns a model's id, as its provider calls it. */
export const nameOf = (model: LanguageModel): string => (typeof model === 'string' ? model : model.modelId)

/** Waits on the clock. Rejects with the signal's reason as soon as it aborts. */
function pause(
  { clock }: Pick<TurnContext['settings'], 'clock'>,
  delay: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      cancel()
      reject(signal.reason)
    }
    const over = (): void => {
      signal.removeEventListener('abort', abort)
      resolve()
    }
    const cancel = clock.schedule(delay, over, { keepAlive: true })
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
