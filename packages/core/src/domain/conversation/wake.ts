import { dueDeliveries, makeDeliveries } from './deliveries.ts'
import {
  beginDraft,
  type Decision,
  type Draft,
  decide,
  effect,
  type Moment,
  patch,
  refuse,
  tell,
} from './draft.ts'
import { giveUp } from './from-agent.ts'
import { allows, CANCEL_REASON, move } from './move.ts'
import { FAILURE_TEXT } from './pending-inputs.ts'
import type { ConversationState, EndReason } from './state.ts'
import { endSilentTexts, repeatText, silenceOfTextsDueAt } from './texts.ts'

/** The one moment at which something must happen to the conversation if nothing else does; null for never. */
export function wakeAt(state: ConversationState): number | null {
  const { deliveryUntil, endedAt, externalCheckAt, handoff, kind, owner, text, turn } = state
  const never = Number.POSITIVE_INFINITY
  const at = Math.min(
    endedAt === null && kind !== 'recorded' ? silenceDueAt(state) : never,
    turn?.leaseUntil ?? never,
    endedAt === null && owner === 'queue' ? (handoff?.timeoutAt ?? never) : never,
    endedAt === null && owner === 'live_agent' ? (handoff?.attendedUntil ?? never) : never,
    dueDeliveries(state).length > 0 ? (deliveryUntil ?? never) : never,
    externalCheckAt ?? never,
    text?.sendAt ?? never,
  )
  return at === never ? null : at
}

/** Returns the time at which the visitor's silence ends the conversation, or causes a warning before that. */
function silenceDueAt(state: ConversationState): number {
  const { idleTimeout, idleWarned, idleWarning, seenAt } = state
  return silenceOfTextsDueAt(state) ?? seenAt + idleTimeout - (idleWarned ? 0 : (idleWarning ?? 0))
}

/** Time has passed: does what is due by now, and nothing else. */
export function wake(state: ConversationState, moment: Moment): Decision {
  const steps = [
    abandon,
    warnOfSilence,
    endSilentTexts,
    repeatText,
    timeOutHandoff,
    missLiveAgent,
    takeOverTurn,
    repeatDeliveries,
    forgetCheck,
  ]
  return decide(steps.reduce((draft, step) => step(draft, moment), beginDraft(state)))
}

/** The visitor has given no sign of life for too long. */
function abandon(draft: Draft, moment: Moment): Draft {
  const { endedAt, idleTimeout, kind, seenAt, text } = draft.state
  if (text !== null) return draft
  if (endedAt !== null || kind === 'recorded' || moment.now < seenAt + idleTimeout) return draft
  return move(draft, 'visitor_vanishes', moment)
}

/** Warns the visitor that the conversation will end soon without a sign of life: once per silence (MS11). */
function warnOfSilence(draft: Draft, moment: Moment): Draft {
  const { endedAt, idleWarned, idleWarning } = draft.state
  if (endedAt !== null || idleWarning === null || idleWarned) return draft
  if (moment.now < silenceDueAt(draft.state)) return draft
  return tell(patch(draft, { idleWarned: true }), 'SESSION_IDLE_WARNING', {})
}

/** No live agent has joined in time. */
function timeOutHandoff(draft: Draft, moment: Moment): Draft {
  const { handoff, owner } = draft.state
  if (handoff === null || owner !== 'queue' || moment.now < handoff.timeoutAt) return draft
  return move(draft, 'handoff_timed_out', moment)
}

/** A live agent who was seen once has been silent for too long: as if the live agent had left (DK15). */
function missLiveAgent(draft: Draft, moment: Moment): Draft {
  const { handoff, owner } = draft.state
  const until = handoff?.attendedUntil ?? null
  if (owner !== 'live_agent' || until === null || moment.now < until) return draft
  return move(draft, 'live_agent_vanishes', moment, {
    payloads: { LIVE_AGENT_LEFT: { reason: CANCEL_REASON.live_agent_vanishes } },
  })
}

/** The lease of the turn has run out: a new generation runs it again, or it fails after too many attempts. */
function takeOverTurn(draft: Draft, moment: Moment): Draft {
  const { turn } = draft.state
  if (turn === null || moment.now < turn.leaseUntil) return draft
  if (turn.generation >= moment.rules.turnAttempts) {
    const text = turn.input.type === 'greeting' ? FAILURE_TEXT.start : FAILURE_TEXT.reply
    return effect(giveUp(draft, turn, { text, custom: null }, moment), {
      type: 'cancel_turn',
      turnId: turn.id,
    })
  }
  const next = { ...turn, generation: turn.generation + 1, leaseUntil: moment.now + moment.rules.turnLease }
  return effect(patch(draft, { turn: next }), {
    type: 'run_turn',
    turnId: next.id,
    generation: next.generation,
  })
}

const repeatDeliveries = (draft: Draft, moment: Moment): Draft =>
  draft.state.deliveryUntil !== null && moment.now >= draft.state.deliveryUntil
    ? makeDeliveries(draft, moment)
    : draft

/** The engine has looked for external events before it sent this wake. */
const forgetCheck = (draft: Draft, moment: Moment): Draft =>
  draft.state.externalCheckAt !== null && moment.now >= draft.state.externalCheckAt
    ? patch(draft, { externalCheckAt: null })
    : draft

/** The host closes the conversation, for example because its agent is deleted. */
export function close(state: ConversationState, reason: EndReason, moment: Moment): Decision {
  if (!allows(state, 'closed')) return refuse('ended')
  return decide(move(beginDraft(state), 'closed', moment, { reason }))
}
