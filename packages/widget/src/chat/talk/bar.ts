import type { VoiceView } from '@colloquy/client/voice'
import { h, type View } from '../h.ts'
import { button, drawing, iconButton, unseen } from '../view/parts.ts'
import type { TalkWords } from './words.ts'

/** Actions of a visitor in a call. */
export interface TalkActs {
  /** Begins a call, or ends it. */
  toggle(): void
  interrupt(): void
  mute(muted: boolean): void
  /** Says whether the call may be recorded. */
  consent(given: boolean): void
}

const MICROPHONE = 'M9 5a3 3 0 0 1 6 0v6a3 3 0 0 1-6 0zM5 11a7 7 0 0 0 14 0M12 18v3'
const MUTED =
  'M9 9v2a3 3 0 0 0 5 2M15 9V5a3 3 0 0 0-6-.5M5 11a7 7 0 0 0 11 5.7M19 11a7 7 0 0 1-.7 3M12 18v3M4 3l16 18'
const HUSHED = 'M4 10v4h3l4 4V6l-4 4zM15 9l6 6M21 9l-6 6'
const CROSS = 'M6 6l12 12M18 6L6 18'

/** The words for each problem. A call that the visitor or the end of the conversation ended needs none. */
const PROBLEMS: Readonly<Record<string, keyof TalkWords | null>> = {
  MICROPHONE_REFUSED: 'refused',
  NO_MICROPHONE: 'missing',
  MICROPHONE_FAILED: 'busy',
  NOT_SUPPORTED: 'unsupported',
  WORKLET_REFUSED: 'unsupported',
  SILENCE: 'silence',
  TRANSCRIPTION_FAILED: 'misunderstood',
  NOT_TAKEN: 'misunderstood',
  SPEECH_FAILED: 'unspoken',
  REPLACED: 'replaced',
  ENDED: null,
  SESSION_ENDED: null,
  TRANSFERRED: null,
}

/** States that a screen reader announces: the others would be heard by the microphone, in the middle of a call. */
const TOLD: readonly string[] = ['asking', 'connecting', 'reconnecting']

function stateOf({ muted, status }: VoiceView, words: TalkWords): string {
  if (status === 'off') return ''
  if (muted && (status === 'listening' || status === 'hearing')) return words.muted
  return words[status === 'hearing' ? 'listening' : status]
}

function problemOf({ problem }: VoiceView, words: TalkWords): string {
  const known = problem === null ? null : PROBLEMS[problem.code]
  return known === null ? '' : words[known ?? 'lost']
}

/** Renders the button that begins and ends a call. */
export const callButton = ({ status }: VoiceView, words: TalkWords, { toggle }: TalkActs): View =>
  status === 'off'
    ? iconButton(drawing('microphone', MICROPHONE), words.speak, toggle)
    : iconButton(drawing('cross', CROSS), words.hangUp, toggle, { class: 'round send' })

/** Renders the question for consent, or that the call is recorded and how that ends. */
function recordingPart({ recording }: VoiceView, words: TalkWords, { consent }: TalkActs): View {
  if (recording === 'off') return false
  return h(
    'div',
    { key: 'recording', class: 'recorded', role: 'group', 'aria-label': words[recording] },
    h('small', { 'aria-hidden': 'true' }, recording === 'on' && h('i', { class: 'red' }), words[recording]),
    recording === 'asked' && button(words.yes, () => consent(true)),
    button(recording === 'on' ? words.unrecord : words.no, () => consent(false)),
  )
}

/** Renders the call: its state, the words that are spoken, its buttons, and the reason why there is none. */
export function callBar(view: VoiceView, words: TalkWords, acts: TalkActs): View {
  const { interrupt, mute } = acts
  const { caption, muted, recording, status } = view
  const problem = problemOf(view, words)
  const isOn = status !== 'off'
  const state = stateOf(view, words)
  return h(
    'div',
    { key: 'call', class: isOn || problem ? 'call' : null },
    isOn && h('i', { class: 'meter', 'aria-hidden': 'true' }),
    h(
      'div',
      {},
      h('small', { key: 'state', 'aria-hidden': 'true' }, state),
      h('div', { key: 'told', role: 'status' }, unseen(TOLD.includes(status) || muted ? state : '')),
      h('div', { key: 'asked', role: 'status' }, unseen(recording === 'off' ? '' : words[recording])),
      recordingPart(view, words, acts),
      caption !== null &&
        h(
          'p',
          { key: 'caption', class: `caption ${caption.from === 'visitor' ? 'said' : ''}`, dir: 'auto' },
          caption.text,
        ),
      h('p', { key: 'wrong', class: 'wrong', role: 'alert', hidden: problem === '' }, problem),
    ),
    status === 'speaking' && iconButton(drawing('hush', HUSHED), words.hush, interrupt),
    isOn &&
      iconButton(drawing('microphone', muted ? MUTED : MICROPHONE), words.mute, () => mute(!muted), {
        'aria-pressed': String(muted),
      }),
  )
}
