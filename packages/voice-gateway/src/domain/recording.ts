import type { CallAction, CallRules, CallState } from './call-state.ts'
import { type ConsentEvent, stepConsent } from './consent.ts'
import type { ServerFrame } from './frames.ts'
import { type Piece, QUESTION } from './piece.ts'
import { enqueue } from './playback.ts'
import { frame, plain, type Step } from './step.ts'

/** The reason that nothing is recorded any more, as the client learns it. */
type OffReason = NonNullable<Extract<ServerFrame, { type: 'recording' }>['reason']>

const FRAMES = { none: 'off', asked: 'asked', given: 'on', stopped: 'off' } as const

/** The effect of an event on the recording, and whether it was an answer that nobody else gets. */
export interface Consented {
  readonly step: Step
  readonly isAnswer: boolean
}

/** Takes an event that may be about the recording of the call. */
export function consented(
  { consent: rules }: Pick<CallRules, 'consent'>,
  state: CallState,
  event: ConsentEvent,
  reason?: OffReason,
): Consented {
  const { act, isAnswer, state: consent } = stepConsent(rules, state.consent, event)
  const why = act === 'withdraw' ? 'WITHDRAWN' : reason
  const told: readonly CallAction[] =
    consent === state.consent
      ? []
      : [frame({ type: 'recording', state: FRAMES[consent], ...(why === undefined ? {} : { reason: why }) })]
  const done: readonly CallAction[] = act === null ? [] : [{ type: 'record', act }]
  return { step: plain({ ...state, consent }, ...done, ...told), isAnswer }
}

/** The call begins: it is recorded, or its visitor is asked. */
export function beginRecording(rules: CallRules, before: CallState): Step {
  const { step } = consented(rules, before, { type: 'begin' })
  const text = rules.consent.aloud?.question ?? null
  if (step.state.consent !== 'asked' || text === null) return step
  const piece: Piece = {
    ...{ id: `${QUESTION}.1.0.${text.length}.0`, messageId: QUESTION, text, start: 0 },
    ...{ by: 'ai_agent', fromMs: 0 },
  }
  const reply = { messageId: QUESTION, complete: true, end: text.length }
  const playback = enqueue(step.state.playback, reply, [piece])
  return { ...step, state: { ...step.state, playback } }
}
