import type { RuntimePart, RuntimeTurn } from '../ports/agent-runtime.ts'
import type { Decision } from './decide.ts'
import { actionsOf, expandAttributes } from './expansions.ts'
import { excerpt } from './index/passages.ts'
import { expecting, type Memory } from './memory.ts'
import { lookAt, type TurnScope } from './scope.ts'

/** `answered`: it said text, delayed, handed off or ended; `silent`: it did none of these; `failed`: it threw or is unknown. */
type CallOutcome = 'answered' | 'silent' | 'failed'

/** Calls a function of the host with `{}` and remembers which external events it now expects. */
export async function* callOne(
  scope: TurnScope,
  name: string,
  memory: Memory,
): AsyncGenerator<
  RuntimePart,
  { readonly outcome: CallOutcome; readonly concluded: boolean; readonly memory: Memory }
> {
  yield { type: 'node', name: `function:${name}` }
  const call = await scope.turn.callFunction(name, {})
  const outcome = call.said || call.concluded ? 'answered' : call.error === null ? 'silent' : 'failed'
  return { outcome, concluded: call.concluded, memory: expecting(memory, name, call.expectedEventIds) }
}

/**
 * Answers from a topic: calls its functions up to the first hand-over, says its content unless a function has spoken for it,
 * and hands off. A function that fails, delays the response, hands off or ends has the last word.
 */
export async function* answerTopic(
  scope: TurnScope,
  memory: Memory,
  decision: Extract<Decision, { type: 'answer' }>,
  question: string,
): AsyncGenerator<RuntimePart, Memory> {
  const { phrases, options, turn } = scope
  const { topic, confidence } = decision
  yield* lookAt(topic, true)
  for (const near of decision.near) yield* lookAt(near.topic)
  yield { type: 'classification', intents: [topic.name] }
  if (decision.followUp) yield { type: 'node', name: 'follow_up' }
  let after: Memory = { ...memory, topic: topic.name, confidence, asked: [], failures: 0 }
  const actions = actionsOf(yield* expandedActions(topic.actions, turn))
  const handoff = actions.find(action => action.type === 'handoff')
  let spoken = false
  for (const action of actions) {
    if (action.type === 'handoff') break
    const called = yield* callOne(scope, action.name, after)
    after = called.memory
    if (called.outcome === 'failed') {
      yield { type: 'text', text: phrases.failed }
      return { ...after, failures: memory.failures + 1 }
    }
    if (called.concluded) return after
    spoken ||= called.outcome === 'answered'
  }
  if (!spoken)
    yield {
      type: 'text',
      text: wordsOf(topic, question, options.answerLength, handoff !== undefined, phrases.handoff),
    }
  if (handoff !== undefined) yield { type: 'handoff', destination: handoff.destination, reason: topic.name }
  return after
}

/** A topic's content; of a blank one its name, or the words before a hand-over. */
function wordsOf(
  topic: { readonly name: string; readonly content: string },
  question: string,
  length: number,
  handsOff: boolean,
  handoffPhrase: string,
): string {
  const said = excerpt(topic.content, question, length)
  if (said !== '') return said
  return handsOff || topic.name.trim() === '' ? handoffPhrase : topic.name
}

function* expandedActions(actions: string, turn: RuntimeTurn): Generator<RuntimePart, string> {
  const expanded = expandAttributes(actions, turn.variant?.attributes ?? {})
  for (const name of expanded.unknown) yield { type: 'node', name: `unknown_attribute:${name}` }
  return expanded.text
}

/** Where to hand off when no topic helps: the first destination of the active topics, by topic name; null when none hands off. */
export function failureHandoff(turn: RuntimeTurn): string | null {
  const attributes = turn.variant?.attributes ?? {}
  for (const topic of turn.content.topics) {
    if (!topic.isActive) continue
    const actions = actionsOf(expandAttributes(topic.actions, attributes).text)
    const handoff = actions.find(action => action.type === 'handoff')
    if (handoff !== undefined) return handoff.destination
  }
  return null
}
