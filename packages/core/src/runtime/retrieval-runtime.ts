import type { AgentRuntime, RuntimePart } from '../ports/agent-runtime.ts'
import { createContentCache } from './content-cache.ts'
import { type Decision, decide } from './decide.ts'
import { greet } from './greet.ts'
import { buildTopicIndex } from './index/topic-index.ts'
import { MEMORY_KEY, type Memory, readMemory } from './memory.ts'
import { answerTopic, callOne, failureHandoff } from './perform.ts'
import { phrasesFor } from './phrases.ts'
import { pieces } from './pieces.ts'
import { lookAt, RETRIEVAL_DEFAULTS, type RetrievalRuntimeOptions, type TurnScope } from './scope.ts'

/** Confidence from which a topic is worth suggesting. */
const SUGGESTED_FROM = 0.1

/**
 * The built-in agent runtime: finds the topic that answers a question and says its content. Deterministic, without network
 * and without a language model; `behavior` is for runtimes that have one. Rules RT1 and following.
 */
export function createRetrievalRuntime(options: RetrievalRuntimeOptions = {}): AgentRuntime {
  const settings = { ...RETRIEVAL_DEFAULTS, ...options }
  const indexOf = createContentCache(settings.cachedIndexes, ({ topics }) => buildTopicIndex(topics))
  return {
    async *respond(turn, signal) {
      signal.throwIfAborted()
      const phrases = phrasesFor(settings.phrases, turn.language)
      const parts =
        turn.input.type === 'greeting'
          ? greet(turn, phrases)
          : reply({ turn, index: indexOf(turn.content), phrases, options: settings })
      for await (const part of parts) {
        for (const piece of part.type === 'text' ? piecesOf(part.text) : [part]) {
          // Whoever reads may have stopped waiting between any two parts.
          signal.throwIfAborted()
          yield piece
        }
      }
    },
  }
}

const piecesOf = (text: string): readonly RuntimePart[] => pieces(text).map(text => ({ type: 'text', text }))

async function* reply(scope: TurnScope): AsyncGenerator<RuntimePart> {
  const before = readMemory(scope.turn.variables)
  const after = yield* scope.turn.input.type === 'external_event'
    ? resume(scope, before, scope.turn.input.eventId)
    : answerMessage(scope, before, scope.turn.input.type === 'message' ? scope.turn.input.text : '')
  yield { type: 'variable', key: MEMORY_KEY, value: after }
}

/** Calls the function that expected the event again; it finds the event in its conversation. */
async function* resume(
  scope: TurnScope,
  memory: Memory,
  eventId: string,
): AsyncGenerator<RuntimePart, Memory> {
  const waiting = memory.expected.find(one => one.eventId === eventId)
  const rest = { ...memory, expected: memory.expected.filter(one => one !== waiting) }
  yield { type: 'node', name: 'external_event' }
  if (waiting === undefined) {
    yield { type: 'text', text: scope.phrases.eventReceived }
    return rest
  }
  const called = yield* callOne(scope, waiting.function, rest)
  if (called.outcome === 'silent') yield { type: 'text', text: scope.phrases.eventReceived }
  if (called.outcome === 'failed') yield { type: 'text', text: scope.phrases.failed }
  return called.memory
}

async function* answerMessage(
  scope: TurnScope,
  memory: Memory,
  text: string,
): AsyncGenerator<RuntimePart, Memory> {
  const { index, options, phrases } = scope
  const decision = decide(index, memory, text, { ...options, followUps: phrases.followUps })
  yield { type: 'node', name: decision.type }
  switch (decision.type) {
    case 'silence':
      yield { type: 'classification', silence: true }
      yield { type: 'text', text: phrases.silence }
      return { ...memory, asked: [] }
    case 'clarify':
      return yield* clarify(scope, memory, decision)
    case 'unknown':
      return yield* notKnown(scope, memory, decision)
    case 'answer': {
      const answered = yield* answerTopic(scope, memory, decision, text)
      yield* suggest(scope, decision.near)
      return answered
    }
  }
}

function* clarify(
  scope: TurnScope,
  memory: Memory,
  decision: Extract<Decision, { type: 'clarify' }>,
): Generator<RuntimePart, Memory> {
  const [first, second] = [decision.first.topic.name, decision.second.topic.name]
  for (const { topic } of [decision.first, decision.second]) yield* lookAt(topic)
  yield { type: 'classification', intents: [first, second] }
  const question = scope.phrases.clarify.replace(/\{(first|second)\}/g, (_, which) =>
    which === 'first' ? first : second,
  )
  yield { type: 'text', text: question }
  for (const name of [first, second]) yield { type: 'suggestion', text: name }
  return { ...memory, asked: [first, second], confidence: decision.first.confidence }
}

function* notKnown(
  scope: TurnScope,
  memory: Memory,
  decision: Extract<Decision, { type: 'unknown' }>,
): Generator<RuntimePart, Memory> {
  const { options, phrases, turn } = scope
  for (const { topic } of decision.near) yield* lookAt(topic)
  yield { type: 'classification', outOfDomain: true }
  const failures = memory.failures + 1
  const confidence = decision.near[0]?.confidence ?? 0
  const destination =
    options.failuresBeforeHandoff > 0 && failures >= options.failuresBeforeHandoff
      ? failureHandoff(turn)
      : null
  if (destination === null) {
    yield { type: 'text', text: phrases.unknown }
    yield* suggest(scope, decision.near)
    return { ...memory, asked: [], failures, confidence }
  }
  yield { type: 'text', text: phrases.handoff }
  yield { type: 'handoff', destination, reason: `${failures} questions in a row without an answer` }
  return { ...memory, asked: [], failures: 0, confidence }
}

function* suggest(
  scope: TurnScope,
  near: Extract<Decision, { type: 'answer' }>['near'],
): Generator<RuntimePart> {
  const worth = near.filter(match => match.confidence >= SUGGESTED_FROM)
  for (const { topic } of worth.slice(0, scope.options.suggestions))
    yield { type: 'suggestion', text: topic.name }
}
