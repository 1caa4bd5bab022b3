import type { Voice, VoiceView } from '@colloquy/client/voice'
import { h, type View } from '../h.ts'
import type { Model } from '../model.ts'
import type { Shell } from '../shell.ts'
import { drawing, iconButton, unseen } from '../view/parts.ts'
import { TALK_STYLE } from './style.ts'
import { type TalkWords, talkWords } from './words.ts'

/** Voice of a chat: loaded where the page has it. Another object after each change. */
export interface Talk {
  readonly style: string
  /** Renders the button that begins and ends a call. */
  button(model: Model): View
  /** Renders the call, and the reason why there is none. */
  bar(model: Model): View
}

/** The file of the microphone's code beside the chat: the build of these files puts it in, bundlers do not. */
declare const MICROPHONE_FILE: string

const MICROPHONE = 'M9 5a3 3 0 0 1 6 0v6a3 3 0 0 1-6 0zM5 11a7 7 0 0 0 14 0M12 18v3'
const MUTED =
  'M9 9v2a3 3 0 0 0 5 2M15 9V5a3 3 0 0 0-6-.5M5 11a7 7 0 0 0 11 5.7M19 11a7 7 0 0 1-.7 3M12 18v3M4 3l16 18'
const HUSHED = 'M4 10v4h3l4 4V6l-4 4zM15 9l6 6M21 9l-6 6'
const CROSS = 'M6 6l12 12M18 6L6 18'

/** Interval at which the loudness is drawn, milliseconds. */
const DRAWN_EVERY = 100

const OFF: VoiceView = { status: 'off', muted: false, caption: null, problem: null }

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
}

/** States that a screen reader announces: the others would be heard by the microphone, in the middle of a call. */
const TOLD: readonly string[] = ['asking', 'connecting', 'reconnecting']

/** Problems that the page's author has to see, beside the words for the visitor. */
const OF_THE_PAGE = ['NOT_SUPPORTED', 'WORKLET_REFUSED', 'UNREACHABLE']

/** Makes the voice of a chat. Long because the call, its view and the meter share their state. */
export function create(shell: Shell): Talk {
  const { chat, options, place, signal } = shell
  let voice: Voice | null = null
  let view = OFF
  let loading = false
  let meter: ReturnType<typeof setInterval> | undefined

  function changed(next: VoiceView): void {
    const before = view
    view = next
    if (next.status !== before.status) shell.tell('voice', { status: next.status })
    const { problem } = next
    if (problem !== null && problem !== before.problem && OF_THE_PAGE.includes(problem.code))
      console.warn('[colloquy]', problem.message)
    if (next.status === 'off') {
      clearInterval(meter)
      meter = undefined
    } else meter ??= setInterval(draw, DRAWN_EVERY)
    if (signal.aborted) return
    shell.change({ talk: talk() })
    // The microphone would hear a screen reader that reads out what is spoken anyway.
    const live = next.status === 'off' ? 'polite' : 'off'
    place.querySelector('[role=log]')?.setAttribute('aria-live', live)
  }

  function draw(): void {
    // Speech is quiet by this measure: a fourth of it fills the meter.
    const level = Math.min(1, (voice?.level ?? 0) * 4)
    place.style.setProperty('--level', level.toFixed(2))
  }

  async function start(): Promise<void> {
    if (loading) return
    loading = true
    try {
      const { createVoice } = await import('@colloquy/client/voice')
      if (signal.aborted) return
      const worklet =
        typeof MICROPHONE_FILE === 'undefined' ? undefined : new URL(MICROPHONE_FILE, import.meta.url).href
      const { language, voice: path } = options
      voice ??= createVoice({
        chat,
        ...(path && { path }),
        ...(language && { language }),
        ...(worklet && { worklet }),
      })
      const made = voice
      made.subscribe(() => changed(made.current))
      made.start()
    } catch (error) {
      changed({ ...OFF, problem: { code: 'UNREACHABLE', message: String(error) } })
    } finally {
      loading = false
    }
  }

  function toggle(): void {
    if (view.status === 'off') void start()
    else voice?.stop()
  }

  const stateOf = (words: TalkWords): string => {
    const { muted, status } = view
    if (status === 'off') return ''
    if (muted && (status === 'listening' || status === 'hearing')) return words.muted
    return words[status === 'hearing' ? 'listening' : status]
  }

  function problemOf(words: TalkWords): string {
    const code = view.problem?.code
    const known = code === undefined ? null : PROBLEMS[code]
    return known === null ? '' : words[known ?? 'lost']
  }

  function bar(model: Model): View {
    const words = talkWords(model.language)
    const { caption, muted, status } = view
    const problem = problemOf(words)
    const isOn = status !== 'off'
    const state = stateOf(words)
    return h(
      'div',
      { key: 'call', class: isOn || problem ? 'call' : null },
      isOn && h('i', { class: 'meter', 'aria-hidden': 'true' }),
      h(
        'div',
        {},
        h('small', { key: 'state', 'aria-hidden': 'true' }, state),
        h('div', { key: 'told', role: 'status' }, unseen(TOLD.includes(status) || muted ? state : '')),
        caption !== null &&
          h(
            'p',
            { key: 'caption', class: `caption ${caption.from === 'visitor' ? 'said' : ''}`, dir: 'auto' },
            caption.text,
          ),
        h('p', { key: 'wrong', class: 'wrong', role: 'alert', hidden: problem === '' }, problem),
      ),
      status === 'speaking' && iconButton(drawing('hush', HUSHED), words.hush, () => voice?.interrupt()),
      isOn &&
        iconButton(drawing('microphone', muted ? MUTED : MICROPHONE), words.mute, () => voice?.mute(!muted), {
          'aria-pressed': String(muted),
        }),
    )
  }

  const talk = (): Talk => ({
    style: TALK_STYLE,
    button(model) {
      const { hangUp, speak } = talkWords(model.language)
      return view.status === 'off'
        ? iconButton(drawing('microphone', MICROPHONE), speak, toggle)
        : iconButton(drawing('cross', CROSS), hangUp, toggle, { class: 'round send' })
    },
    bar,
  })

  // Nobody speaks into a chat that is not seen.
  const watch = new MutationObserver(() => {
    if (place.hidden) voice?.stop()
  })
  watch.observe(place, { attributes: true, attributeFilter: ['hidden'] })
  signal.addEventListener('abort', () => {
    watch.disconnect()
    clearInterval(meter)
    voice?.destroy()
  })
  return talk()
}
