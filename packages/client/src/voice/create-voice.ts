import { systemTiming } from '../messaging/globals.ts'
import type { Messaging } from '../messaging/messaging.ts'
import type { Timing } from '../messaging/ports.ts'
import { createCapture } from './capture.ts'
import { browserMicrophone, browserSpeaker } from './devices.ts'
import { fromPcm16 } from './pcm.ts'
import type { Microphone, OpenMicrophone, OpenSpeaker, Speaker, VoiceSocket } from './ports.ts'
import { show } from './show.ts'
import type { Effect, Input, Inputs, InputType, State, TimerName, VoiceProblem, VoiceView } from './state.ts'
import { INITIAL, step } from './step.ts'
import { createTape } from './tape.ts'

/** Audio that is kept for a lost connection, milliseconds. */
const KEPT = 60_000

/** Options of voice. */
export interface VoiceOptions {
  /** The conversation that is spoken in. It has to be started, by `start` or by `useConversation`. */
  readonly chat: Pick<Messaging, 'current' | 'subscribe' | 'socketAddress'>
  /** The path of the voice gateway below the server's address. @default '/voice' */
  readonly path?: string
  /** The language that the visitor speaks, such as `en-GB`. @default the agent's */
  readonly language?: string
  /**
   * The address of a file with `MICROPHONE_WORKLET`, on the page's own server, for a Content-Security-Policy without
   * `script-src blob:`.
   *
   * @default its text, which needs `blob:` in `script-src`
   */
  readonly worklet?: string
  /** @default the browser's, with echo cancellation */
  readonly openMicrophone?: OpenMicrophone
  /** @default the browser's */
  readonly openSpeaker?: OpenSpeaker
  /** @default globalThis.WebSocket */
  readonly openSocket?: (url: string) => VoiceSocket
  /** @default the system's */
  readonly timing?: Pick<Timing, 'delay'>
}

/** A visitor's voice in their conversation. */
export interface Voice {
  /** Voice as it is now. The same object until something changes. */
  readonly current: VoiceView
  /** Loudness of the microphone now, from 0 to 1. It changes fifty times a second, without a call of listeners. */
  readonly level: number
  /** Called after each change. Returns what ends it. */
  subscribe(listener: () => void): () => void
  /** Asks for the microphone, and begins a call. To be called when the visitor presses something. */
  start(): void
  /** Ends the call, and lets go of the microphone. The conversation goes on in writing. */
  stop(): void
  /** Turns the microphone off or on again. */
  mute(muted: boolean): void
  /** Silences the agent. What was not heard is not repeated. */
  interrupt(): void
  /**
   * Says whether the call may be recorded, for `VoiceView.recording`. A no removes what was recorded of the
   * conversation. To be called when the visitor presses something that says so.
   */
  consent(given: boolean): void
  /** Stops, and releases everything. */
  destroy(): void
}

const CODES: Readonly<Record<string, string>> = {
  NotAllowedError: 'MICROPHONE_REFUSED',
  SecurityError: 'MICROPHONE_REFUSED',
  NotFoundError: 'NO_MICROPHONE',
  OverconstrainedError: 'NO_MICROPHONE',
}

function problemOf(error: unknown): VoiceProblem {
  const { code, message, name } = Object(error)
  return {
    code: typeof code === 'string' ? code : (CODES[name] ?? 'MICROPHONE_FAILED'),
    message: String(message),
  }
}

const openWebSocket = (url: string): VoiceSocket =>
  new (globalThis as unknown as { WebSocket: new (url: string) => VoiceSocket }).WebSocket(url)

type Of<Type extends Effect['type']> = Extract<Effect, { type: Type }>

/** Makes voice for a conversation. Long because microphone, speaker and socket meet in the one queue of inputs. */
export function createVoice(options: VoiceOptions): Voice {
  const {
    chat,
    language = null,
    openSocket = openWebSocket,
    path = '/voice',
    timing = systemTiming,
  } = options
  const openMicrophone = options.openMicrophone ?? browserMicrophone(options.worklet)
  const openSpeaker = options.openSpeaker ?? browserSpeaker
  const listeners = new Set<() => void>()
  const timers = new Map<TimerName, () => void>()
  const inputs: Input[] = []
  let working = false
  let state: State = INITIAL
  let microphone: Microphone | null = null
  let speaker: Speaker | null = null
  let socket: VoiceSocket | null = null
  let tape = createTape(0)
  let level = 0
  /** Address of the session that the call belongs to. */
  let address: string | null = null
  /** Number of the socket that waits for a session. */
  let waiting: number | null = null
  let shown: VoiceView | null = null

  function feed<Type extends InputType>(type: Type, input: Inputs[Type]): void {
    inputs.push({ type, now: speaker?.now() ?? 0, ...input } as Input)
    if (working) return
    working = true
    try {
      for (let next = inputs.shift(); next !== undefined; next = inputs.shift()) {
        const stepped = step(state, next)
        state = stepped.state
        for (const effect of stepped.effects) perform[effect.type](effect as never)
      }
    } finally {
      working = false
    }
    refresh()
  }

  /** Tells the listeners if something that is shown has changed. */
  function refresh(): void {
    const next = show(state, chat.current.servedBy?.kind !== 'live agent')
    if (JSON.stringify(next) === JSON.stringify(shown)) return
    shown = next
    for (const listener of [...listeners]) listener()
  }

  function closeMicrophone(): void {
    microphone?.close()
    speaker?.close()
    microphone = null
    speaker = null
    level = 0
    address = null
    waiting = null
  }

  /** Opens the microphone. It is closed at once if the call is over before the visitor has answered. */
  async function listen(calls: number): Promise<void> {
    speaker = openSpeaker()
    const isOver = (): boolean => calls !== state.calls || state.phase === 'off'
    let capture: ((chunk: Float32Array) => void) | null = null
    const opened = await openMicrophone({
      samples: chunk => capture?.(chunk),
      lost: () =>
        feed('unheard', {
          calls,
          problem: { code: 'MICROPHONE_FAILED', message: 'The microphone is no longer there.' },
        }),
    })
    if (isOver()) {
      opened.close()
      return
    }
    microphone = opened
    tape = createTape(KEPT)
    capture = createCapture(opened.rate, (pcm, loudness) => {
      if (isOver() || state.muted) return
      level = loudness
      tape.write(pcm)
      feed('audio', { heard: tape.end, backlog: socket?.bufferedAmount ?? 0 })
    })
    feed('microphone', { calls })
  }

  function connect(attempt: number): void {
    const url = chat.socketAddress(path)
    waiting = url === null ? attempt : null
    if (url === null) return
    address = url
    const opened = openSocket(url)
    opened.binaryType = 'arraybuffer'
    opened.addEventListener('open', () => feed('connected', { attempt }))
    opened.addEventListener('message', ({ data }) => feed('frame', { attempt, data }))
    opened.addEventListener('close', ({ code = 1006 }) => feed('closed', { attempt, code }))
    // `close` follows, and decides.
    opened.addEventListener('error', () => {})
    socket = opened
  }

  function sendAudio({ from }: Of<'send audio'>): void {
    const { frames, position } = tape.from(from)
    if (position !== from) socket?.send(JSON.stringify({ type: 'audio.from', at_ms: position }))
    for (const frame of frames) socket?.send(frame)
  }

  const perform: { readonly [Type in Effect['type']]: (effect: Of<Type>) => void } = {
    'open microphone': ({ calls }) =>
      void listen(calls).catch(error => feed('unheard', { calls, problem: problemOf(error) })),
    'close microphone': closeMicrophone,
    mute({ muted }) {
      microphone?.mute(muted)
      level = 0
    },
    connect: ({ attempt }) => connect(attempt),
    'hang up'() {
      socket?.close(1000)
      socket = null
    },
    send: ({ frame }) => socket?.send(frame),
    'send audio': sendAudio,
    play: ({ at, pcm }) => speaker?.play(fromPcm16(pcm), at),
    'be silent': () => speaker?.stop(),
    volume: ({ value }) => speaker?.volume(value),
    'set timer'({ after, name }) {
      timers.get(name)?.()
      timers.set(
        name,
        timing.delay(() => {
          timers.delete(name)
          feed('timer', { name })
        }, after),
      )
    },
    'clear timer'({ name }) {
      timers.get(name)?.()
      timers.delete(name)
    },
  }

  /** The chat decides whether there is a session, and which. */
  const stopWatching = chat.subscribe(() => {
    const url = chat.socketAddress(path)
    const isOver = chat.current.status === 'ended' || (address !== null && url !== address)
    if (isOver) feed('ended', {})
    else if (waiting !== null && url !== null) connect(waiting)
    refresh()
  })
  refresh()

  return {
    get current() {
      return shown ?? show(state, true)
    },
    get level() {
      return level
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    start: () => feed('start', { language }),
    stop: () => feed('stop', {}),
    mute: muted => feed('mute', { muted }),
    interrupt: () => feed('interrupt', {}),
    consent: given => feed('consent', { given }),
    destroy() {
      stopWatching()
      listeners.clear()
      feed('stop', {})
    },
  }
}
