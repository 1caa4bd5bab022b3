import type { JsonObject } from '@colloquy/core'
import {
  type AgentRuntime,
  createContentCache,
  expandAttributes,
  greet,
  MEMORY_KEY,
  type RuntimePart,
  type RuntimeTurn,
  readMemory,
} from '@colloquy/core/runtime'
import { buildTopicIndex, phrasesFor } from '@colloquy/runtime-retrieval'
import { converse } from './converse.ts'
import { toolOutput, turnMessages } from './messages.ts'
import { AI_SDK_DEFAULTS, type AiSdkRuntimeOptions, checkOptions } from './options.ts'
import { filesOf, readPictures, withFiles } from './pictures.ts'
import { systemPrompt } from './prompt.ts'
import { createSpeech } from './speech.ts'
import { callFunction } from './tools/host-function.ts'
import { conversationData, READ_DATA } from './tools/read-data.ts'
import { createToolbox } from './tools/toolbox.ts'
import {
  citedTopic,
  destinationsOf,
  findTopics,
  handoffActions,
  promptTopic,
  SURE_FROM,
  showTopics,
} from './topics.ts'
import type { TurnContext } from './turn-context.ts'

/**
 * The input when an event has come, instead of a visitor's message. The content of the event is only in the
 * conversation's data (LM14).
 */
const EVENT_NOTICE = `(An event has come that the conversation has waited for; ${READ_DATA} tells it. Tell the visitor what it means.)`

/**
 * Returns an agent runtime that asks a language model of the AI SDK: with the agent's behavior, the topics that fit the
 * question, and the host's functions as tools. Greetings and silence are answered without it. Rules LM10 and following.
 *
 * @throws SCHEMA_VALIDATION_FAILED without a model, and for an unknown option (EM4)
 */
export function createAiSdkRuntime(options: AiSdkRuntimeOptions): AgentRuntime {
  checkOptions(options)
  const settings = { ...AI_SDK_DEFAULTS, ...options }
  const knowledgeOf = createContentCache(settings.cachedIndexes, async content => ({
    index: await buildTopicIndex(content.topics),
    handoffs: handoffActions(content),
  }))

  type Parts = Iterable<RuntimePart> | AsyncIterable<RuntimePart>

  /** Returns the iterable itself: each generator around it costs every part of a reply some promises. */
  async function reply(turn: RuntimeTurn, signal: AbortSignal): Promise<Parts> {
    const { languageCode, phrases: own } = turn.content.responseSettings
    const phrases = phrasesFor({ book: settings.phrases, own }, [turn.language, languageCode])
    const { input } = turn
    if (input.type === 'greeting') {
      // After a greeting a question is likely. If this fails, the question builds it again and gets the error.
      knowledgeOf(turn.content).catch(() => undefined)
      return greet(turn, phrases)
    }
    if (input.type === 'message' && input.text.trim() === '') {
      return [
        { type: 'classification', silence: true },
        { type: 'text', text: phrases.silence },
      ]
    }
    const { index, handoffs } = await knowledgeOf(turn.content)
    signal.throwIfAborted()
    const context: TurnContext = {
      turn,
      signal,
      settings,
      model: typeof settings.model === 'function' ? settings.model(turn) : settings.model,
      index,
      destinations: destinationsOf(handoffs, turn.variant?.attributes ?? {}),
      phrases,
      speech: createSpeech(settings.answerLength),
      shown: new Set(),
    }
    return input.type === 'message' ? answer(context, input.text) : takeEvent(context, input.eventId)
  }

  return {
    async prepare(content) {
      await knowledgeOf(content)
    },
    async *respond(turn, signal) {
      signal.throwIfAborted()
      for await (const part of await reply(turn, signal)) {
        // The caller may have stopped waiting between any two parts.
        signal.throwIfAborted()
        yield part
      }
    },
  }
}

/**
 * The function that expected the event is called again, as the retrieval runtime does (RT9); the model speaks when it
 * says nothing (LM18).
 */
async function* takeEvent(context: TurnContext, eventId: string): AsyncGenerator<RuntimePart> {
  yield { type: 'node', name: 'external_event' }
  const memory = readMemory(context.turn.variables)
  const waiting = memory.expected.find(one => one.eventId === eventId)
  if (waiting !== undefined) {
    const expected = memory.expected.filter(one => one !== waiting)
    yield { type: 'variable', key: MEMORY_KEY, value: { ...memory, expected } }
    const call = yield* callFunction(context, waiting.function, {})
    if (call.said || call.concluded) return
    return yield* answer(context, null, {
      function: { name: call.name, result: call.result, error: call.error },
    })
  }
  yield* answer(context, null)
}

/**
 * Answers what the visitor wrote, or the event that has come. `known` is what the model is to know besides the
 * conversation's data.
 */
async function* answer(
  context: TurnContext,
  text: string | null,
  known: JsonObject = {},
): AsyncGenerator<RuntimePart> {
  const { turn, settings } = context
  const tools = createToolbox(turn, context.destinations)
  const history = await turn.history(settings.historyLines)
  const found = text === null ? [] : findTopics(context, text, history)
  const topics = found.map(({ topic }) => promptTopic(context, topic, text ?? '', tools.wordsFor))
  const behavior = expandAttributes(turn.content.behavior, turn.variant?.attributes ?? {})
  for (const name of behavior.unknown) yield { type: 'node', name: `unknown_attribute:${name}` }
  yield* showTopics(context, topics)
  const data = { ...conversationData(turn), ...known }
  const output = toolOutput(data, settings.resultLength)
  const { acted } = yield* converse(context, {
    tools,
    system: systemPrompt({
      behavior: behavior.text,
      topics: topics.map(({ topic }) => topic),
      ...factsOf(turn),
    }),
    messages: turnMessages({
      history,
      historyLength: settings.historyLength,
      text: text === null ? EVENT_NOTICE : withFiles(text, filesOf(turn)),
      pictures: await readPictures(turn, history, settings),
      preset: Object.keys(data).length === 0 ? null : { toolName: READ_DATA, output },
    }),
  })
  const fits = text === null || acted || (found[0]?.confidence ?? 0) >= SURE_FROM
  yield* classify(context, fits)
}

const factsOf = ({ closedQueue = null, realTimeConfig, language, now }: RuntimeTurn) => ({
  ...{ closedQueue, realTimeConfig, language, now },
})

/**
 * Yields the topic that the reply rests on. A message that matches nothing the agent knows or does is out of domain
 * (LM41).
 */
function* classify(context: TurnContext, fits: boolean): Generator<RuntimePart> {
  const cited = citedTopic(context)
  if (cited !== null) {
    yield { type: 'topic', name: cited, cited: true }
    yield { type: 'classification', intents: [cited] }
  } else if (!fits) yield { type: 'classification', outOfDomain: true }
}
