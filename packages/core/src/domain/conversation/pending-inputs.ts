import { type Draft, effect, type Moment, patch, tell } from './draft.ts'
import type { TransientEvent } from './event.ts'
import { takeGiven, withoutGiven } from './given.ts'
import type { ConversationState, TurnInput } from './state.ts'

/** The text for the visitor for each way in which a turn can fail (contract/messaging.md, Errors). */
export const FAILURE_TEXT = {
  start: "Sorry, I'm unable to start a conversation right now. Please try again later.",
  reply: "Sorry, I'm having trouble responding right now. Please try again.",
  stream: 'Sorry, I encountered an error. Please try again.',
  overload: 'Our system is experiencing high load. Please try again in a moment.',
} as const

const isFree = ({ owner, turn }: ConversationState): boolean => turn === null && owner === 'ai_agent'

/** Adds an input: it runs at once when the agent is free, else after those before it. */
export function addInput(draft: Draft, input: TurnInput, moment: Moment): Draft {
  const { state } = draft
  if (state.pending.length === 0 && isFree(state))
    return start(draft, input, { pending: state.pending, failure: null }, moment)
  return startNext(patch(draft, { pending: [...state.pending, input], failure: null }), moment)
}

/** Starts the oldest pending input if the AI agent owns the conversation and is free. */
export function startNext(draft: Draft, moment: Moment): Draft {
  const { state } = draft
  const [input] = state.pending
  if (input === undefined || !isFree(state)) return draft
  return start(draft, input, { pending: state.pending.slice(1), failure: state.failure }, moment)
}

/** Starts an input, with the messages that wait behind it and the failure to state. */
function start(
  draft: Draft,
  input: TurnInput,
  { pending, failure }: Pick<ConversationState, 'pending' | 'failure'>,
  moment: Moment,
): Draft {
  const taken = takeGiven(draft, input)
  const turn = {
    id: input.turnId,
    generation: 1,
    input: withoutGiven(input),
    startedAt: moment.at,
    leaseUntil: moment.now + moment.rules.turnLease,
  }
  const started = tell(patch(taken, { pending, failure, turn }), 'AI_AGENT_THINKING', {})
  return effect(started, { type: 'run_turn', turnId: turn.id, generation: turn.generation })
}

/**
 * Returns the number of the visitor's messages that wait for the AI agent or a live agent, without the one being
 * answered.
 */
export const pendingMessageCount = ({ pending, deliveries }: ConversationState): number =>
  pending.filter(input => input.type === 'message').length +
  deliveries.filter(({ call }) => call.type === 'forward').length

/** Adds a trace of every failed answer: the sender is notified, again after a reconnect. */
export function stateFailure(
  draft: Draft,
  text: string,
  target: Pick<TransientEvent, 'to' | 'custom' | 'orSince'>,
): Draft {
  const said = tell(draft, 'SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: text }, target)
  return patch(said, { failure: { text, custom: target.custom } })
}
