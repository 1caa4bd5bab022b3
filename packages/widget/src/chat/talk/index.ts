import type { Voice, VoiceView } from '@colloquy/client/voice'
import type { View } from '../h.ts'
import type { Model } from '../model.ts'
import type { Shell } from '../shell.ts'
import { callBar, callButton, type TalkActs } from './bar.ts'
import { TALK_STYLE } from './style.ts'
import { talkWords } from './words.ts'

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

/** Interval at which the loudness is drawn, milliseconds. */
const DRAWN_EVERY = 100

const OFF: VoiceView = { status: 'off', muted: false, caption: null, problem: null, recording: 'off' }

/** Problems that the page's author has to see, beside the words for the visitor. */
const OF_THE_PAGE = ['NOT_SUPPORTED', 'WORKLET_REFUSED', 'UNREACHABLE']

/** Loads the code of calls. */
async function loadVoice({ chat, options: { language, voice: path } }: Shell): Promise<Voice> {
  const { createVoice } = await import('@colloquy/client/voice')
  const worklet =
    typeof MICROPHONE_FILE === 'undefined' ? undefined : new URL(MICROPHONE_FILE, import.meta.url).href
  return createVoice({
    chat,
    ...(path && { path }),
    ...(language && { language }),
    ...(worklet && { worklet }),
  })
}

/** Makes the voice of a chat. */
function createTalk(shell: Shell): Talk {
  const { place, signal } = shell
  let voice: Voice | null = null
  let view = OFF
  let loading = false
  let meter: ReturnType<typeof setInterval> | undefined

  function draw(): void {
    // Speech is quiet by this measure: a fourth of it fills the meter.
    const level = Math.min(1, (voice?.level ?? 0) * 4)
    place.style.setProperty('--level', level.toFixed(2))
  }

  function changed(next: VoiceView): void {
    const before = view
    view = next
    const { problem, status } = next
    if (status !== before.status) shell.tell('voice', { status })
    if (problem !== null && problem !== before.problem && OF_THE_PAGE.includes(problem.code))
      console.warn('[colloquy]', problem.message)
    if (status === 'off') {
      clearInterval(meter)
      meter = undefined
    } else meter ??= setInterval(draw, DRAWN_EVERY)
    if (signal.aborted) return
    again()
    // The microphone would hear a screen reader that reads out what is spoken anyway.
    place.querySelector('[role=log]')?.setAttribute('aria-live', status === 'off' ? 'polite' : 'off')
  }

  async function start(): Promise<void> {
    if (loading) return
    loading = true
    try {
      if (voice === null) {
        const made = await loadVoice(shell)
        if (signal.aborted) return
        made.subscribe(() => changed(made.current))
        voice = made
      }
      voice.start()
    } catch (error) {
      changed({ ...OFF, problem: { code: 'UNREACHABLE', message: String(error) } })
    } finally {
      loading = false
    }
  }

  const acts: TalkActs = {
    toggle() {
      if (view.status === 'off') void start()
      else voice?.stop()
    },
    interrupt: () => voice?.interrupt(),
    mute: muted => voice?.mute(muted),
    consent: given => voice?.consent(given),
  }
  const talk = (): Talk => ({
    style: TALK_STYLE,
    button: ({ language }) => callButton(view, talkWords(language, again), acts),
    bar: ({ language }) => callBar(view, talkWords(language, again), acts),
  })
  const again = (): void => {
    if (!signal.aborted) shell.change({ talk: talk() })
  }

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

export { createTalk as create }
