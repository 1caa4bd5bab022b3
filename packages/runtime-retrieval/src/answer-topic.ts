import type { RuntimePart, RuntimeTurn } from '@colloquy/core/runtime'
import { actionsOf, expandAttributes, expecting, type Memory } from '@colloquy/core/runtime'
import { closedFor, sayClosed } from './closed.ts'
import type { Answering } from './decision.ts'
import { excerpt } from './index/passages.ts'
import { words } from './index/words.ts'
import { passagesFor, toldBy } from './subject.ts'
import type { TurnContext } from './turn-context.ts'

/**
 * `failed`: it threw or is unknown, even after it did something; `answered`: it said text, delayed, handed off or
 * ended; `silent`: none of these.
 */
type CallOutcome = 'answered' | 'silent' | 'failed'

/**
 * Calls a function of the host with `{}`, says so when it failed (RT8), and remembers which external events it now
 * expects.
 */
export async function* callOne(
  context: TurnContext,
  name: string,
  memory: Memory,
): AsyncGenerator<
  RuntimePart,
  { readonly outcome: CallOutcome; readonly concluded: boolean; readonly memory: Memory }
> {
  yield { type: 'node', name: `function:${name}` }
  const call = await context.turn.callFunction(name, {})
  const answered = call.said || call.concluded
  const outcome = call.error !== null ? 'failed' : answered ? 'answered' : 'silent'
  if (outcome === 'failed') {
    const { failed } = context.wording.phrases
    yield { type: 'text', text: call.said ? `\n\n${failed}` : failed }
  }
  return { outcome, concluded: call.concluded, memory: expecting(memory, name, call.expectedEventIds) }
}

/** The outcome of a topic's answer. */
interface Answered {
  readonly memory: Memory
  /** True when nothing may be said after it. */
  readonly over: boolean
}

/**
 * Answers from a topic: calls its functions up to the first hand-over, says its content unless a function has spoken
 * for it, and hands off. A function that fails, delays the response, hands off or ends has the last word. `spoken`:
 * something was said in this turn before.
 */
export async function* answerTopic(
  context: TurnContext,
  memory: Memory,
  { topic, confidence, followUp }: Answering,
  { question, spoken }: { readonly question: string; readonly spoken: boolean },
): AsyncGenerator<RuntimePart, Answered> {
  const { turn } = context
  const { phrases } = context.wording
  yield { type: 'classification', intents: [topic.name] }
  if (followUp) yield { type: 'node', name: 'follow_up' }
  let after: Memory = { ...memory, topic: topic.name, confidence, asked: [], offered: false, failures: 0 }
  const actions = actionsOf(yield* expandedActions(topic.actions, turn))
  const handoff = actions.find(action => action.type === 'handoff')
  let answered = false
  for (const action of actions) {
    if (action.type === 'handoff') break
    const called = yield* callOne(context, action.name, after)
    after = called.memory
    if (called.outcome === 'failed')
      return { memory: { ...after, failures: memory.failures + 1 }, over: true }
    if (called.concluded) return { memory: after, over: true }
    answered ||= called.outcome === 'answered'
  }
  const closed = handoff && (await closedFor(context, memory, handoff.destination))
  if (handoff && closed) {
    const wish = {
      closed,
      destination: handoff.destination,
      isFurther: spoken || answered,
      reason: topic.name,
    }
    return { memory: yield* sayClosed(context, after, wish), over: true }
  }
  if (!answered) {
    const said = contentFor(context, topic.content, question, followUp)
    const words = said === '' ? blankWords(topic.name, handoff !== undefined, phrases.handoff) : said
    yield { type: 'text', text: spoken ? `\n\n${words}` : words }
  }
  if (handoff === undefined) return { memory: after, over: false }
  yield { type: 'handoff', destination: handoff.destination, reason: topic.name }
  return { memory: { ...after, handedTo: handoff.destination }, over: true }
}

/**
 * Returns the part of a topic's content that answers a question: for a follow-up question, only the part that it asks
 * for (RT14, RT16).
 */
function contentFor(
  { options, wording }: TurnContext,
  content: string,
  question: string,
  followUp: boolean,
): string {
  const asked = followUp ? passagesFor(content, question, wording) : content
  const told = toldBy(words(question), wording).join(' ')
  return excerpt(asked, told === '' ? question : told, options.answerLength, true)
}

/** Returns the reply of a topic whose content is blank: its name, or the words before a handoff. */
const blankWords = (name: string, handsOff: boolean, handoffPhrase: string): string =>
  handsOff || name.trim() === '' ? handoffPhrase : name

function* expandedActions(actions: string, turn: RuntimeTurn): Generator<RuntimePart, string> {
  const expanded = expandAttributes(actions, turn.variant?.attributes ?? {})
  for (const name of expanded.unknown) yield { type: 'node', name: `unknown_attribute:${name}` }
  return expanded.text
}

/** Returns the active topics that hand off, with their destinations, by topic name. */
export function handoffTopics({ content, variant }: Pick<RuntimeTurn, 'content' | 'variant'>) {
  const attributes = variant?.attributes ?? {}
  return content.topics.flatMap(topic => {
    if (!topic.isActive || !topic.actions.includes('{{')) return []
    const actions = actionsOf(expandAttributes(topic.actions, attributes).text)
    const handoff = actions.find(action => action.type === 'handoff')
    return handoff === undefined ? [] : [{ topic, destination: handoff.destination }]
  })
}
