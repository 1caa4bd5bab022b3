import { refuseNumbers, refuseUnknown } from '@colloquy/core'
import type { AgentRuntime, RuntimePart, RuntimeTurn } from '@colloquy/core/runtime'
import {
  createContentCache,
  greet,
  guardLog,
  MEMORY_KEY,
  type Memory,
  readMemory,
} from '@colloquy/core/runtime'
import { answerTopic, callOne, handoffTopics } from './answer-topic.ts'
import { checkPhrases } from './check-phrases.ts'
import { chunks } from './chunks.ts'
import { closedFor, sayClosed } from './closed.ts'
import { decide } from './decide.ts'
import type { Decision } from './decision.ts'
import { createTopicVectors, EMBEDDING_DEFAULTS, EMBEDDING_NUMBERS } from './embedding/topic-vectors.ts'
import { buildKnowledge } from './knowledge.ts'
import {
  RETRIEVAL_DEFAULTS,
  RETRIEVAL_NUMBERS,
  type RetrievalRuntimeOptions,
  type TurnContext,
  topicParts,
} from './turn-context.ts'
import { createWordings } from './wording.ts'

/** Confidence from which a topic is worth suggesting. */
const SUGGESTED_FROM = 0.1
/** Turns in a row without an answer from which a person is offered. */
const OFFERED_FROM = 2

/**
 * Returns the built-in agent runtime: finds the topic that answers a question and says its content. Deterministic,
 * without network and without a language model; `behavior` is for runtimes that have one. Rules RT1 and following.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown or invalid option (EM4)
 */
export function createRetrievalRuntime(options: RetrievalRuntimeOptions = {}): AgentRuntime {
  refuseUnknown('createRetrievalRuntime', options, Object.keys(RETRIEVAL_DEFAULTS))
  refuseNumbers(options, RETRIEVAL_NUMBERS)
  refuseUnknown('embedding', options.embedding ?? {}, Object.keys(EMBEDDING_DEFAULTS))
  refuseNumbers(options.embedding ?? {}, EMBEDDING_NUMBERS)
  checkPhrases(options.phrases ?? {})
  const settings = { ...RETRIEVAL_DEFAULTS, ...options }
  const { cachedIndexes, clock, embedder } = settings
  const log = guardLog(settings.log)
  const embedding = { ...EMBEDDING_DEFAULTS, ...settings.embedding }
  const topicVectors =
    embedder === null ? null : createTopicVectors({ embedder, clock, log }, embedding, cachedIndexes)
  const knowledgeOf = createContentCache(cachedIndexes, async content => {
    const knowledge = await buildKnowledge(content)
    topicVectors?.prepare(content.key, knowledge.index)
    return knowledge
  })
  const wordings = createWordings(settings.phrases)

  async function* respond(turn: RuntimeTurn, signal: AbortSignal): AsyncGenerator<RuntimePart> {
    const { content, input } = turn
    const { languageCode, phrases } = content.responseSettings
    const text = input.type === 'message' ? input.text : ''
    const wording = wordings.for([turn.language, languageCode], { own: phrases, text })
    if (input.type === 'greeting') {
      // After a greeting a question is likely. If this fails, the question builds it again and gets the error.
      knowledgeOf(content).catch(() => undefined)
      return yield* greet(turn, wording.phrases)
    }
    const knowledge = await knowledgeOf(content)
    const { index } = knowledge
    signal.throwIfAborted()
    const others = wordings.known
    const context: TurnContext = { turn, knowledge, wording, others, options: settings }
    const meant = input.type === 'message' && input.text.trim() !== '' && !index.isExact(input.text)
    if (topicVectors === null || !meant) return yield* reply(context)
    const compared = await topicVectors.compare(content.key, index, input.text, signal)
    yield { type: 'node', name: compared.known ? 'meaning' : `words_alone:${compared.why}` }
    yield* reply({ ...context, likeness: compared.known ? compared.likeness : undefined })
  }

  return {
    async prepare(content) {
      await knowledgeOf(content)
    },
    async *respond(turn, signal) {
      signal.throwIfAborted()
      for await (const part of respond(turn, signal)) {
        for (const chunk of part.type === 'text' ? textParts(part.text) : [part]) {
          // The caller may have stopped waiting between any two parts.
          signal.throwIfAborted()
          yield chunk
        }
      }
    },
  }
}

const textParts = (text: string): readonly RuntimePart[] => chunks(text).map(text => ({ type: 'text', text }))

async function* reply(context: TurnContext): AsyncGenerator<RuntimePart> {
  const before = readMemory(context.turn.variables)
  const after = yield* context.turn.input.type === 'external_event'
    ? resume(context, before, context.turn.input.eventId)
    : answerMessage(context, before, context.turn.input.type === 'message' ? context.turn.input.text : '')
  yield { type: 'variable', key: MEMORY_KEY, value: after }
}

/** Calls the function that expected the event again; it finds the event in its conversation. */
async function* resume(
  context: TurnContext,
  memory: Memory,
  eventId: string,
): AsyncGenerator<RuntimePart, Memory> {
  const { phrases } = context.wording
  const waiting = memory.expected.find(one => one.eventId === eventId)
  const rest = { ...memory, expected: memory.expected.filter(one => one !== waiting) }
  yield { type: 'node', name: 'external_event' }
  if (waiting === undefined) {
    yield { type: 'text', text: phrases.eventReceived }
    return rest
  }
  const called = yield* callOne(context, waiting.function, rest)
  if (called.outcome === 'silent') yield { type: 'text', text: phrases.eventReceived }
  return called.memory
}

async function* answerMessage(
  context: TurnContext,
  memory: Memory,
  text: string,
): AsyncGenerator<RuntimePart, Memory> {
  const { knowledge, likeness, options, others, wording } = context
  const { phrases } = wording
  const decision = decide(knowledge, memory, text, { ...options, wording, others, likeness })
  yield { type: 'node', name: decision.type }
  const settled: Memory = { ...memory, asked: [], offered: false, awaitsMessage: false }
  const isMessage = memory.awaitsMessage && (decision.type === 'unknown' || decision.type === 'clarify')
  if (isMessage) {
    yield { type: 'text', text: phrases.messageTaken }
    return settled
  }
  switch (decision.type) {
    case 'silence':
      yield { type: 'classification', silence: true }
      yield { type: 'text', text: phrases.silence }
      return settled
    case 'small_talk':
      yield { type: 'text', text: decision.says }
      // "Yes" to an offer to take a message is not the message.
      return { ...settled, awaitsMessage: memory.awaitsMessage }
    case 'declined':
      yield { type: 'text', text: phrases.declined }
      return settled
    case 'misunderstood':
      yield { type: 'text', text: phrases.misunderstood }
      return { ...settled, failures: memory.failures + 1 }
    case 'person':
      return yield* toPerson(context, settled, text, decision.near)
    case 'clarify':
      return yield* clarify(context, settled, decision)
    case 'unknown':
      return yield* notKnown(context, settled, decision.near)
    case 'answer':
      return yield* answerAll(context, settled, decision, text)
  }
}

/** Returns the answers of one message, one below the other, and the suggestions. */
async function* answerAll(
  context: TurnContext,
  memory: Memory,
  { answers, near }: Extract<Decision, { type: 'answer' }>,
  text: string,
): AsyncGenerator<RuntimePart, Memory> {
  // Each cited topic goes before those before it: the first answer's is the cited one.
  for (const { topic } of answers.toReversed()) yield* topicParts(topic, true)
  for (const { topic } of near) yield* topicParts(topic)
  let after = memory
  for (const [at, answering] of answers.entries()) {
    const answered = yield* answerTopic(context, after, answering, {
      question: text,
      spoken: at > 0,
    })
    after = answered.memory
    if (answered.over) break
  }
  yield* suggest(context, near)
  return after
}

function* clarify(
  { wording }: TurnContext,
  memory: Memory,
  { about, confidence }: Extract<Decision, { type: 'clarify' }>,
): Generator<RuntimePart, Memory> {
  const names = about.map(({ name }) => name)
  for (const topic of about) yield* topicParts(topic)
  yield { type: 'classification', intents: names }
  const [first = '', second] = names
  const phrase = second === undefined ? wording.phrases.confirm : wording.phrases.clarify
  yield {
    type: 'text',
    text: phrase.replace(/\{(first|second)\}/g, (_, which) => (which === 'first' ? first : (second ?? ''))),
  }
  for (const name of names) yield { type: 'suggestion', text: name }
  return { ...memory, asked: names, confidence }
}

/** Hands off by the topic that fits best among those that hand off; a person who cannot be had is not known (RT7). */
async function* toPerson(
  context: TurnContext,
  memory: Memory,
  text: string,
  near: Extract<Decision, { type: 'person' }>['near'],
): AsyncGenerator<RuntimePart, Memory> {
  const topics = handoffTopics(context.turn).map(({ topic }) => topic)
  const topic = topics.find(({ name }) => near.some(match => match.topic.name === name)) ?? topics[0]
  if (topic === undefined) return yield* notKnown(context, memory, near)
  const answers = [{ topic, confidence: 1, followUp: false }]
  return yield* answerAll(context, memory, { type: 'answer', answers, near: [] }, text)
}

async function* notKnown(
  context: TurnContext,
  memory: Memory,
  near: Extract<Decision, { type: 'unknown' }>['near'],
): AsyncGenerator<RuntimePart, Memory> {
  const { options, turn } = context
  const { phrases } = context.wording
  for (const { topic } of near) yield* topicParts(topic)
  yield { type: 'classification', outOfDomain: true }
  const failures = memory.failures + 1
  const confidence = near[0]?.confidence ?? 0
  const person =
    failures >= Math.min(OFFERED_FROM, options.failuresBeforeHandoff || OFFERED_FROM)
      ? handoffTopics(turn)[0]
      : undefined
  if (
    person !== undefined &&
    options.failuresBeforeHandoff > 0 &&
    failures >= options.failuresBeforeHandoff
  ) {
    const { destination } = person
    const reason = `${failures} questions in a row without an answer`
    const closed = await closedFor(context, memory, destination)
    if (closed !== null) {
      const wish = { closed, destination, isFurther: false, reason }
      return { ...(yield* sayClosed(context, memory, wish)), confidence }
    }
    yield { type: 'text', text: phrases.handoff }
    yield { type: 'handoff', destination, reason }
    return { ...memory, failures: 0, confidence, handedTo: destination }
  }
  yield { type: 'text', text: person === undefined ? phrases.unknown : phrases.offer }
  if (person === undefined) yield* suggest(context, near)
  else yield { type: 'suggestion', text: person.topic.name }
  return { ...memory, offered: person !== undefined, failures, confidence }
}

function* suggest(
  context: TurnContext,
  near: Extract<Decision, { type: 'answer' }>['near'],
): Generator<RuntimePart> {
  const worth = near.filter(match => match.confidence >= SUGGESTED_FROM)
  for (const { topic } of worth.slice(0, context.options.suggestions))
    yield { type: 'suggestion', text: topic.name }
}
