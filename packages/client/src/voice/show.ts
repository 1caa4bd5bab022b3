import { playing } from './playback.ts'
import type { Caption, State, VoiceStatus, VoiceView } from './state.ts'

function statusOf(state: State, isServedByAgent: boolean): VoiceStatus {
  const { awaiting, call, phase, playback, speaking } = state
  if (phase === 'off' || phase === 'asking') return phase
  if (phase !== 'open') return call === null ? 'connecting' : 'reconnecting'
  if (speaking) return 'hearing'
  if (playing(playback) !== null) return 'speaking'
  return awaiting && isServedByAgent ? 'thinking' : 'listening'
}

function captionOf({ playback, speaking, understood }: State): Caption | null {
  const piece = playing(playback)
  if (understood !== null && (speaking || piece === null)) return { from: 'visitor', ...understood }
  return piece && { from: piece.by, text: piece.text, final: true }
}

/** Returns what is shown of a state. */
export const show = (state: State, isServedByAgent: boolean): VoiceView => ({
  status: statusOf(state, isServedByAgent),
  muted: state.muted,
  caption: captionOf(state),
  problem: state.problem,
  recording: state.recording,
})
