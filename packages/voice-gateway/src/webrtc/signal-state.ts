import type { ClientSignal, LocalCandidate, Offer, ServerSignal, SignalProblem } from './signal.ts'

/** Limits of a signalling socket. Times are milliseconds. */
export interface SignalLimits {
  /** From the opening of the socket to an offer that was taken. */
  readonly offer: number
  /** From the answer to the first connection. */
  readonly connection: number
  readonly offers: number
  readonly candidates: number
  /** Frames that were not taken. */
  readonly mistakes: number
}

/** The state of a signalling socket, and of the call that it opened. */
export interface SignalState {
  readonly phase: 'waiting' | 'taking' | 'connecting' | 'open' | 'over'
  /** The call's id once there is an answer; empty before. */
  readonly sessionId: string
  readonly offers: number
  readonly candidates: number
  readonly mistakes: number
  /** The end of the phase, if nothing comes. */
  readonly deadline: number | null
}

/** An event of a signalling socket. */
export type SignalEvent = { readonly now: number } & (
  | { readonly type: 'frame'; readonly frame: ClientSignal | { readonly problem: SignalProblem } }
  /** The offer was taken. */
  | {
      readonly type: 'answered'
      readonly sessionId: string
      readonly sdp: string
      readonly candidates: readonly LocalCandidate[]
    }
  /** The offer was not taken. A client without the right to a call is closed, another one may offer again. */
  | { readonly type: 'refused'; readonly problem: SignalProblem }
  | { readonly type: 'connected' }
  /** The call is over. Null: as it should be. */
  | { readonly type: 'ended'; readonly problem: SignalProblem | null }
  | { readonly type: 'tick' }
  /** The socket is gone. */
  | { readonly type: 'lost' }
)

/** An action that the shell carries out. */
export type SignalAction =
  | { readonly type: 'send'; readonly frame: ServerSignal }
  /** Checks the offer, and answers with `answered` or `refused`. */
  | { readonly type: 'take'; readonly offer: Offer }
  /** Ends the call. */
  | { readonly type: 'hang up' }
  | { readonly type: 'close'; readonly code: number; readonly reason: string }

/** A state, and what is to be done. */
export type SignalStep = readonly [SignalState, readonly SignalAction[]]

export const initialSignal = ({ offer }: SignalLimits, now: number): SignalState => ({
  ...{ phase: 'waiting', sessionId: '', offers: 0, candidates: 0, mistakes: 0 },
  deadline: now + offer,
})

const ENDED = { type: 'close', code: 1000, reason: 'call over' } as const
const REFUSED = { type: 'close', code: 1008, reason: 'protocol not kept' } as const
const FAILED = { type: 'close', code: 1011, reason: 'call failed' } as const

const error = ({ sessionId }: SignalState, data: SignalProblem): SignalAction => ({
  type: 'send',
  frame: { type: 'error', sessionId, data },
})

const over = (state: SignalState): SignalState => ({ ...state, phase: 'over', deadline: null })

/** A frame that is not taken. Too many of them close the socket, and a call that there is goes on without it. */
function mistaken(limits: SignalLimits, state: SignalState, problem: SignalProblem): SignalStep {
  const next = { ...state, mistakes: state.mistakes + 1 }
  const told = error(state, problem)
  if (next.mistakes <= limits.mistakes) return [next, [told]]
  return state.phase === 'open' ? [next, [told, REFUSED]] : [over(next), [told, { type: 'hang up' }, REFUSED]]
}

/** Decides what a signalling socket does. Executes nothing, and knows the time only from its events. */
export function stepSignal(limits: SignalLimits, state: SignalState, event: SignalEvent): SignalStep {
  // Frames after the end are dropped, and so is an answer that comes late: its call is ended.
  if (state.phase === 'over') return [state, event.type === 'answered' ? [{ type: 'hang up' }] : []]
  switch (event.type) {
    case 'frame':
      return 'problem' in event.frame
        ? problematic(limits, state, event.frame.problem)
        : take(limits, state, event.frame)
    case 'answered':
      return answered(limits, state, event)
    case 'refused':
      return refused(limits, state, event)
    case 'connected':
      return state.phase === 'connecting' ? [{ ...state, phase: 'open', deadline: null }, []] : [state, []]
    case 'ended':
      return event.problem === null
        ? [over(state), [ENDED]]
        : [over(state), [error(state, event.problem), FAILED]]
    case 'tick':
      return tick(state, event.now)
    case 'lost':
      // The call goes on while its audio comes.
      return state.phase === 'open' ? [state, []] : [over(state), [{ type: 'hang up' }]]
  }
}

/** A client that shows no token has no right to a call. */
function problematic(limits: SignalLimits, state: SignalState, problem: SignalProblem): SignalStep {
  return problem.code === 'UNAUTHORIZED' && state.phase === 'waiting'
    ? [over(state), [error(state, problem), REFUSED]]
    : mistaken(limits, state, problem)
}

function take(limits: SignalLimits, state: SignalState, frame: ClientSignal): SignalStep {
  const given = frame.sessionId ?? ''
  // Candidates may leave the client before it has the answer.
  if (given !== '' && given !== state.sessionId)
    return mistaken(limits, state, {
      code: 'INVALID_ARGUMENT',
      message: 'The field sessionId must be empty, or that of the answer.',
    })
  switch (frame.type) {
    case 'offer': {
      if (state.phase !== 'waiting')
        return mistaken(limits, state, {
          code: 'INVALID_MESSAGE',
          message: 'This socket has a call already. Open another socket for another call.',
        })
      return [{ ...state, phase: 'taking', offers: state.offers + 1 }, [{ type: 'take', offer: frame }]]
    }
    case 'ice-candidate':
      if (state.candidates < limits.candidates) return [{ ...state, candidates: state.candidates + 1 }, []]
      return mistaken(limits, state, {
        code: 'INVALID_ARGUMENT',
        message: `A call has at most ${limits.candidates} candidates.`,
      })
    case 'close':
      return [over(state), [{ type: 'hang up' }, ENDED]]
  }
}

function answered(
  limits: SignalLimits,
  state: SignalState,
  { candidates, now, sdp, sessionId }: Extract<SignalEvent, { type: 'answered' }>,
): SignalStep {
  if (state.phase !== 'taking') return [state, []]
  return [
    { ...state, phase: 'connecting', sessionId, deadline: now + limits.connection },
    [
      { type: 'send', frame: { type: 'answer', sessionId, data: { type: 'answer', sdp } } },
      ...candidates.map(
        (data): SignalAction => ({
          type: 'send',
          frame: { type: 'ice-candidate', sessionId, data },
        }),
      ),
    ],
  ]
}

function refused(
  limits: SignalLimits,
  state: SignalState,
  { problem }: Extract<SignalEvent, { type: 'refused' }>,
): SignalStep {
  if (state.phase !== 'taking') return [state, []]
  const told = error(state, problem)
  const mayOfferAgain = problem.code === 'INVALID_ARGUMENT' && state.offers < limits.offers
  return mayOfferAgain ? [{ ...state, phase: 'waiting' }, [told]] : [over(state), [told, REFUSED]]
}

function tick(state: SignalState, now: number): SignalStep {
  if (state.deadline === null || now < state.deadline) return [state, []]
  if (state.phase === 'connecting') {
    const message =
      'No connection was made in time. Check that the ports of the server are open, and use TURN.'
    return [
      over(state),
      [error(state, { code: 'MEDIA_BRIDGE_FAILURE', message }), { type: 'hang up' }, FAILED],
    ]
  }
  // An offer that is being checked has its own limits.
  if (state.phase !== 'waiting') return [state, []]
  const message = 'An offer must come first.'
  return [over(state), [error(state, { code: 'INVALID_MESSAGE', message }), REFUSED]]
}
