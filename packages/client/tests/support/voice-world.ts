import { fieldsOf } from '../../src/messaging/fields.ts'
import type { Effect, Input, Inputs, InputType, State, TimerName } from '../../src/voice/state.ts'
import { INITIAL, step } from '../../src/voice/step.ts'

/** Voice of the model, with microphone, clock, socket and server: everything moves by hand. */
export function createVoiceWorld() {
  let state: State = INITIAL
  let now = 0
  /** Position of the microphone's audio in its call. */
  let heard = 0
  const timers = new Map<TimerName, number>()
  const device = { asked: false, open: false, muted: false }
  /** Number of the socket; null for none. */
  let socket: number | null = null
  let isOpen = false
  /** What went over the newest socket. */
  let sent: Record<string, unknown>[] = []
  const server = {
    call: '',
    calls: 0,
    /** Position behind the audio that it has. */
    has: 0,
    /** A frame before its time, or a gap in the audio. */
    faults: [] as string[],
    starts: [] as Readonly<Record<string, unknown>>[],
    marks: [] as Readonly<Record<string, unknown>>[],
  }
  const played: number[] = []
  let volume = 1

  function receive(frame: Readonly<Record<string, unknown>>): void {
    sent.push(frame)
    if (frame.type === 'voice.start') server.starts.push(frame)
    else if (!isOpen) server.faults.push(`${frame.type} came before the call`)
    if (frame.type === 'mark') server.marks.push(frame)
  }

  const perform: { readonly [Type in Effect['type']]: (effect: Extract<Effect, { type: Type }>) => void } = {
    'open microphone'() {
      device.asked = true
      heard = 0
    },
    'close microphone': () => void Object.assign(device, { asked: false, open: false, muted: false }),
    mute({ muted }) {
      device.muted = muted
    },
    connect({ attempt }) {
      socket = attempt
      isOpen = false
      sent = []
    },
    'hang up'() {
      socket = null
      isOpen = false
    },
    send: ({ frame }) => void (socket !== null && receive(fieldsOf(JSON.parse(frame)))),
    'send audio'({ from }) {
      if (!isOpen) server.faults.push('audio before the call')
      if (from > server.has) server.faults.push(`audio from ${from}, and the server has ${server.has}`)
      server.has = Math.max(server.has, heard)
    },
    play: ({ at }) => void played.push(at),
    'be silent': () => {},
    volume({ value }) {
      volume = value
    },
    'set timer': ({ after, name }) => void timers.set(name, now + after),
    'clear timer': ({ name }) => void timers.delete(name),
  }

  function feed<Type extends InputType>(type: Type, input: Inputs[Type]): void {
    const stepped = step(state, { type, now, ...input } as Input)
    state = stepped.state
    for (const effect of stepped.effects) perform[effect.type](effect as never)
  }

  const world = {
    server,
    device,
    timers,
    played,
    feed,
    get state() {
      return state
    },
    get now() {
      return now
    },
    get heard() {
      return heard
    },
    get sent() {
      return sent
    },
    get hasSocket() {
      return socket !== null
    },
    get volume() {
      return volume
    },
    /** A frame of the server over the newest socket. */
    say: (frame: object | ArrayBuffer): void => {
      const data = frame instanceof ArrayBuffer ? frame : JSON.stringify(frame)
      if (socket !== null) feed('frame', { attempt: socket, data })
    },
    grant(): void {
      if (!device.asked) return
      device.asked = false
      device.open = true
      feed('microphone', { calls: state.calls })
    },
    connected: () => void (socket !== null && feed('connected', { attempt: socket })),
    /** The server answers the first frame, and forgets so much of what it had not understood. */
    admit(forgotten = 0): void {
      if (socket === null || isOpen || sent[0]?.type !== 'voice.start') return
      isOpen = true
      if (sent[0].call === undefined) {
        server.calls += 1
        server.call = `call ${server.calls}`
        server.has = 0
      }
      const from_ms = Math.max(0, server.has - forgotten)
      server.has = from_ms
      world.say({ type: 'voice.started', call: server.call, rate: 24_000, from_ms })
    },
    speak(ms = 20): void {
      if (!device.open || device.muted) return
      heard += ms
      feed('audio', { heard, backlog: 0 })
    },
    lose(code = 1006): void {
      if (socket === null) return
      const attempt = socket
      feed('closed', { attempt, code })
    },
    /** Time passes, with the timers that end in it. */
    pass(ms: number): void {
      const until = now + ms
      for (;;) {
        const next = [...timers].filter(([, at]) => at <= until).sort(([, a], [, b]) => a - b)[0]
        if (next === undefined) break
        timers.delete(next[0])
        now = Math.max(now, next[1])
        feed('timer', { name: next[0] })
      }
      now = until
    },
    /** A call that is open. */
    open(): void {
      feed('start', { language: null })
      world.grant()
      world.connected()
      world.admit()
    },
  }
  return world
}
