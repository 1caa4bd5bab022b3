import type { CallAction, CallEvent, CallRules, CallState, PendingUtterance } from './call-state.ts'
import type { ServerFrame, StopReason } from './frames.ts'
import { isAudible, isPlaying, unheardMs } from './playback.ts'
import { silentTurn, told } from './saying.ts'
import { andThen, dropsOf, frame, plain, type Step } from './step.ts'

/** The call is over. */
export function over(
  state: CallState,
  reason: Extract<CallAction, { type: 'close' }>['reason'],
  last: ServerFrame,
): Step {
  return plain(
    { ...state, isOver: true, utterance: null, pending: [] },
    ...dropsOf(state),
    { type: 'hush' },
    frame(last),
    { type: 'close', reason },
  )
}

/** The last words may still be on their way. Their client, which does not come back, shows them. */
const stopped = (state: CallState, reason: StopReason): Step =>
  andThen(
    told(state, () => true),
    next =>
      over(next, 'ended', {
        type: 'voice.stopped',
        reason,
        ...(reason === 'TRANSFERRED' && state.destination !== null ? { destination: state.destination } : {}),
      }),
  )

/** Nobody has said anything, or is about to. */
const isQuiet = ({ asked, pending, playback, utterance }: CallState): boolean =>
  !isPlaying(playback) &&
  playback.cut === null &&
  pending.length === 0 &&
  utterance === null &&
  asked === null

/** The visitor has been silent: the agent answers that, some times in a row. Then the call ends. */
function silent({ limits }: CallRules, state: CallState, isAttended: boolean, now: number): Step {
  const isWaited = limits.silentTurn > 0 && isAttended && !state.isMuted && state.ending === null
  if (!isWaited || !isQuiet(state) || now - state.activeAt < limits.silentTurn) return plain(state)
  return state.silences < limits.silentTurns ? silentTurn(state, now) : stopped(state, 'SILENCE')
}

/** Deadlines. */
export function tick(
  rules: CallRules,
  state: CallState,
  { isAttended, now }: Extract<CallEvent, { type: 'tick' }>,
): Step {
  const { limits } = rules
  const { cut } = state.playback
  const playback =
    cut !== null && !cut.settled && now >= cut.until
      ? { ...state.playback, cut: { ...cut, settled: true } }
      : state.playback
  const late = ({ endedAt, words }: PendingUtterance): boolean =>
    words === undefined && now - endedAt >= limits.transcription
  const pending = state.pending.map(one =>
    late(one) ? { ...one, words: { text: null, failed: true, at: now } } : one,
  )
  const dropped = state.pending.filter(late).map(({ id }): CallAction => ({ type: 'drop', id }))
  const next = { ...state, playback, pending }
  if (unheardMs(playback) > 0 && now - playback.heardAt >= limits.stall) {
    if (state.ending !== null) return stopped(next, state.ending)
    const message = 'Audio waits, and none of it is marked as played.'
    return over(next, 'too_slow', { type: 'error', code: 'STALLED', message })
  }
  if (now - state.startedAt >= limits.call) return stopped(next, 'TOO_LONG')
  const isStill = !isAudible(playback) && pending.length === 0 && state.utterance === null
  if (isStill && now - state.activeAt >= limits.silence) return stopped(next, 'SILENCE')
  return andThen(plain(next, ...dropped), one => silent(rules, one, isAttended, now))
}

/** Ends a call that is to end, once what belongs to it is done. */
export function conclude(state: CallState): Step {
  const { ending, pending, playback } = state
  if (state.isOver || ending === null || pending.length > 0) return plain(state)
  return ending === 'CLIENT' || !(isAudible(playback) || playback.cut !== null)
    ? stopped(state, ending)
    : plain(state)
}
