import type { CallRules, CallState } from './call-state.ts'
import { cutPlayback, heardOf, isPlaying, silence } from './playback.ts'
import { frame, plain, type Step } from './step.ts'

/** A voice that goes on stops the agent. */
export function bargeIn({ isFiller, limits }: CallRules, state: CallState, now: number): Step {
  const { playback, utterance } = state
  const speaks = utterance !== null && utterance.voicedMs >= limits.bargeIn && !isFiller(utterance.partial)
  if (!speaks || playback.cut !== null || !isPlaying(playback)) return plain(state)
  return plain(
    { ...state, playback: cutPlayback(playback, now + limits.clearance) },
    { type: 'hush' },
    frame({ type: 'clear' }),
  )
}

/** Drops what was cut, and notes for the next message what was heard of it. */
export function silencedCut(state: CallState): CallState {
  const { cut } = state.playback
  if (cut === null) return state
  return {
    ...state,
    heard: new Map([...state.heard, ...heardOf(cut)]),
    playback: silence(state.playback),
  }
}

/** The visitor wants silence: what is cut is not spoken again, whatever else is heard. */
export function interrupt({ limits }: CallRules, state: CallState, now: number): Step {
  const { cut } = state.playback
  const clear = frame({ type: 'clear' })
  if (cut !== null)
    return plain({ ...state, playback: { ...state.playback, cut: { ...cut, final: true } } }, clear)
  if (!isPlaying(state.playback)) return plain(state, clear)
  const playback = cutPlayback(state.playback, now + limits.clearance, true)
  return plain({ ...state, playback }, { type: 'hush' }, clear)
}

/** Stops playback without waiting for what was heard: the newest mark counts. */
export function stopPlayback(state: CallState): Step {
  if (!isPlaying(state.playback)) return plain(silencedCut(state))
  const playback = cutPlayback(silencedCut(state).playback, 0, true)
  return plain(silencedCut({ ...silencedCut(state), playback }), { type: 'hush' }, frame({ type: 'clear' }))
}
