import { jsonBytes } from '../utf8-bytes.ts'
import { withCitedTopic } from './cited-topics.ts'
import type { RecordedEnd, RecordedTurn, Refusal } from './command.ts'
import {
  beginDraft,
  type Decision,
  type Draft,
  decide,
  journal,
  type MachineRules,
  type Moment,
  patch,
  refuse,
  withTurns,
} from './draft.ts'
import { handedOffNow } from './handed-off.ts'
import { move } from './move.ts'
import type { Signal } from './ownership.ts'
import { projectTurn } from './project-turn.ts'
import type { ConversationState, EndReason } from './state.ts'

/** The signal that ends a recorded conversation, by reason. */
const ENDS_BY: Readonly<Record<EndReason, Signal>> = {
  REASON_USER_END: 'visitor_ends',
  REASON_USER_ABANDONED: 'visitor_vanishes',
  REASON_NATURAL_END: 'agent_ends',
}

const withWritten = (draft: Draft, written: Pick<RecordedTurn, 'variables' | 'metrics'>): Draft =>
  patch(draft, {
    variables: { ...draft.state.variables, ...written.variables },
    metrics: { ...draft.state.metrics, ...written.metrics },
  })

/** Reports whether this write makes the variables or the metrics larger than allowed. */
const isTooLarge = (
  { state }: Draft,
  written: Pick<RecordedTurn, 'variables' | 'metrics'>,
  { variableBytes }: Pick<MachineRules, 'variableBytes'>,
): boolean =>
  (['variables', 'metrics'] as const).some(
    name => Object.keys(written[name]).length > 0 && jsonBytes(state[name]) > variableBytes,
  )

/**
 * Turns that a host's own channel had, all or none. The id of each stands in the log as the client's event id, so that
 * the store takes it once; the newest response is the state's last sign of life, and none comes before it (RC32).
 */
export function recordTurns(
  state: ConversationState,
  turns: readonly RecordedTurn[],
  { rules }: Moment,
): Decision {
  if (state.kind !== 'recorded') return refuse('not_recorded')
  if (state.endedAt !== null) return refuse('ended')
  let draft = beginDraft(state)
  for (const turn of turns) {
    const next = withTurn(draft, turn, rules)
    if (typeof next === 'string') return refuse(next)
    draft = next
  }
  return decide(draft)
}

function withTurn(draft: Draft, turn: RecordedTurn, rules: MachineRules): Draft | Refusal {
  const { state } = draft
  const { description } = turn
  if (description.userInputAt < state.startedAt || description.agentResponseAt < state.seenAt)
    return 'out_of_order'
  const { record } = state
  const details = { ...turn.details, turn_id: turn.turnId, deployment_id: state.deploymentId ?? '' }
  const kept = { record: projectTurn(description), details }
  const written = withWritten(draft, turn)
  if (isTooLarge(written, turn, rules)) return 'too_large'
  const noted = patch(written, {
    seenAt: description.agentResponseAt,
    record: {
      turns: record.turns + 1,
      silences: record.silences + (description.silence === true ? 1 : 0),
      outOfDomain: record.outOfDomain + (description.outOfDomain === true ? 1 : 0),
      topics: withCitedTopic(record.topics, kept),
    },
  })
  return withTurns(speak(noted, turn), [...draft.turns, kept])
}

/** The turn's messages; a greeting has no input. The first of them carries the turn's id. */
function speak(draft: Draft, { turnId, responseId, description }: RecordedTurn): Draft {
  const { userInput, agentResponse } = description
  const once = { custom: null, clientEventId: turnId }
  const greets = userInput === '' && agentResponse !== ''
  const asked = greets ? draft : journal(draft, 'USER_MESSAGE', { message_id: turnId, text: userInput }, once)
  if (agentResponse === '') return asked
  const reply = { message_id: responseId, text: agentResponse, attachments: [], response_suggestions: [] }
  return journal(asked, 'AI_AGENT_MESSAGE', reply, greets ? once : undefined)
}

/** The host reports the end of the conversation. The first end counts, a later one changes nothing (RC32). */
export function finish(state: ConversationState, end: RecordedEnd, moment: Moment): Decision {
  if (state.kind !== 'recorded') return refuse('not_recorded')
  if (state.endedAt !== null) return decide(beginDraft(state))
  const { reason, handoff, aiDuration } = end
  // The newest response may lie ahead of a clock that was put back: what ends without saying when ends no sooner (TM4).
  const finishedAt = end.finishedAt ?? Math.max(moment.now, state.seenAt)
  if (finishedAt < state.seenAt || (aiDuration ?? 0) > finishedAt - state.startedAt) {
    return refuse('out_of_order')
  }
  const written = withWritten(beginDraft(state), end)
  if (isTooLarge(written, end, moment.rules)) return refuse('too_large')
  const noted = handoff === null ? written : noteHandoff(written, handoff, finishedAt)
  const signal = handoff === null ? ENDS_BY[reason] : 'hands_off_nowhere'
  const ended = move(noted, signal, { ...moment, at: finishedAt }, { reason })
  return decide(aiDuration === null ? ended : patch(ended, { record: { aiDuration } }))
}

const noteHandoff = (draft: Draft, handoff: NonNullable<RecordedEnd['handoff']>, at: number): Draft =>
  patch(draft, {
    handedOff: handedOffNow(draft.state, handoff, at),
    record: {
      handoff: true,
      handoffReason: handoff.reason,
      handoffDestination: handoff.destination,
    },
  })
