import { fieldsOf, text } from '../../src/messaging/fields.ts'
import { memoryStorage } from '../../src/messaging/index.ts'
import type { Effect, Input, Inputs, InputType, State, TimerName } from '../../src/messaging/state.ts'
import { initialState, step } from '../../src/messaging/step.ts'
import { createKeeper } from '../../src/messaging/storage.ts'

interface Sent {
  readonly id: string
  readonly sequence: number | null
  readonly timestamp: string
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly metadata?: object
}

/** A reply that is being said: one piece a step. */
interface Reply {
  readonly messageId: string
  readonly pieces: readonly string[]
  said: number
}

/** The server of the model: a log, what is under way, and at most one connection. */
function createServer() {
  const log: Sent[] = []
  const taken = new Map<string, Sent>()
  const waiting: string[] = []
  let reply: Reply | null = null
  let replies = 0
  let ids = 0
  let send: ((event: Sent) => void) | null = null
  const envelope = (type: string, payload: Sent['payload'], metadata?: object): Sent => ({
    id: `e${ids++}`,
    sequence: null,
    timestamp: '2026-01-01T00:00:00.000Z',
    type: `EVENT_TYPE_${type}`,
    payload,
    ...(metadata === undefined ? {} : { metadata }),
  })
  const append = (type: string, payload: Sent['payload'], metadata?: object): Sent => {
    const event = { ...envelope(type, payload, metadata), sequence: log.length + 1 }
    log.push(event)
    send?.(event)
    return event
  }
  const chunk = ({ messageId, pieces }: Reply, at: number, sequence: number): Sent => ({
    ...envelope('AI_AGENT_MESSAGE_CHUNK', {
      message_id: messageId,
      text: pieces[at],
      chunk_index: at + 1,
      is_complete: at === pieces.length - 1,
    }),
    sequence,
  })
  const begin = (words: string): void => {
    reply = { messageId: `r${replies++}`, pieces: ['You ', 'said ', words], said: 0 }
  }
  /** The log as it is replayed: a reply comes in its chunks. */
  const replay = (cursor: number): readonly Sent[] =>
    log.slice(cursor).flatMap(event => {
      const pieces = fieldsOf(event).pieces
      return Array.isArray(pieces) ? [...pieces, event] : [event]
    })
  append('SESSION_START', { capabilities: { streaming: true, heartbeat_interval_seconds: 30 } })
  return {
    log,
    get isBusy() {
      return reply !== null || waiting.length > 0
    },
    connect(cursor: number, tell: (frame: string) => void): void {
      const under = reply
      const said = under === null ? [] : under.pieces.slice(0, under.said)
      tell(JSON.stringify(envelope('EVENT_BATCH', { events: replay(cursor) })))
      if (under !== null) for (const at of said.keys()) tell(JSON.stringify(chunk(under, at, log.length)))
      send = event => tell(JSON.stringify(event))
    },
    disconnect(): void {
      send = null
    },
    receive(frame: string): void {
      const { type, payload, metadata } = fieldsOf(JSON.parse(frame))
      const id = text(fieldsOf(fieldsOf(metadata).custom), 'client_event_id')
      const name = String(type).replace('EVENT_TYPE_', '')
      if (name === 'HEARTBEAT') {
        send?.(envelope('HEARTBEAT', {}))
        return
      }
      const before = taken.get(id)
      if (before !== undefined) {
        send?.(before)
        return
      }
      const words = text(fieldsOf(payload), 'text')
      const echo = name === 'USER_MESSAGE' ? { message_id: `m-${id}`, text: words } : {}
      taken.set(id, append(name, echo, { custom: { client_event_id: id } }))
      if (name === 'REQUEST_AI_AGENT_JOIN') {
        append('AI_AGENT_JOINED', { agent_name: 'Desk', agent_avatar_url: '' })
        begin('hello')
      } else if (reply === null) begin(words)
      else waiting.push(words)
    },
    /** The agent says one more piece; with `anew` its process has died, and another one begins the reply again. */
    speak(anew = false): void {
      if (reply === null) return
      if (anew) {
        begin(reply.pieces[2] ?? '')
        return
      }
      const { pieces, said } = reply
      const at = said
      reply.said += 1
      if (at < pieces.length - 1) {
        send?.(chunk(reply, at, log.length))
        return
      }
      const sequence = log.length + 1
      const earlier = pieces.slice(0, -1).map((_, index) => chunk(reply as Reply, index, sequence - 1))
      const last = { ...chunk(reply, at, sequence), pieces: earlier }
      log.push(last)
      const { pieces: _, ...event } = last
      send?.(event)
      reply = null
      const next = waiting.shift()
      if (next !== undefined) begin(next)
    },
    /** What the conversation is. */
    messages: (): readonly string[] =>
      log.flatMap(event => {
        const earlier = fieldsOf(event).pieces
        const before = Array.isArray(earlier) ? earlier.map(one => text(fieldsOf(one.payload), 'text')) : []
        const isMessage = /USER_MESSAGE$|_CHUNK$/.test(event.type)
        return isMessage ? [[...before, text(event.payload, 'text')].join('')] : []
      }),
  }
}

/** A client of the model, its storage, and the line between: everything moves by hand. */
export function createWorld(server = createServer()) {
  const storage = memoryStorage()
  let now = 1_000_000
  let state: State
  let keeper = createKeeper(storage)
  let down: string[] = []
  let up: string[] = []
  let timers = new Map<TimerName, number>()
  let http: Extract<Effect, { type: 'get token' | 'create session' | 'ask session' }> | null = null
  let told: number[] = []
  const waits: number[] = []

  function perform(effect: Effect): void {
    switch (effect.type) {
      case 'get token':
      case 'create session':
      case 'ask session':
        http = effect
        break
      case 'connect':
        server.connect(effect.cursor, frame => void down.push(frame))
        break
      case 'transmit':
        up.push(effect.frame)
        break
      case 'hang up':
        http = null
        down = []
        server.disconnect()
        break
      case 'set timer':
        if (effect.name === 'retry') waits.push(effect.min)
        timers.set(effect.name, effect.min)
        break
      case 'clear timer':
        timers.delete(effect.name)
        break
      case 'store session':
        keeper.storeSession(effect.session, null, session => feed('adopt', { session }))
        break
      case 'forget session':
        keeper.forgetSession(effect.id)
        break
      case 'store pending':
        keeper.storePending(effect.pending, now)
        break
      case 'forget pending':
        keeper.forgetPending(effect.id)
        break
      case 'tell':
        if (
          effect.event.sequence !== null &&
          !('index' in effect.event.payload && !effect.event.payload.isComplete)
        )
          told.push(effect.event.sequence)
    }
  }
  function feed<Type extends InputType>(type: Type, input: Inputs[Type]): void {
    now += 1
    const stepped = step(state, { type, now, ...input } as Input)
    state = stepped.state
    for (const effect of stepped.effects) perform(effect)
  }
  /** A page is loaded: what was not stored is lost. */
  function load(): void {
    server.disconnect()
    state = initialState({ brand: 'AI', joins: true, maxAttempts: 5, streams: true }, true)
    ;[down, up, timers, http, told] = [[], [], new Map(), null, []]
    keeper = createKeeper(storage)
    keeper.read(found => feed('start', found))
  }
  function answerHttp(succeeds: boolean, status = 0): void {
    if (http === null) return
    const { attempt, type } = http
    http = null
    const token = { value: 't', issuedAt: now, expiresAt: now + 86_400_000 }
    // A token or a session that is refused needs somebody who tries again.
    const said = type === 'ask session' ? status : 0
    if (!succeeds) feed('refused', { attempt, refusal: { status: said, message: '', retryAfter: null } })
    else if (type === 'ask session') feed('found', { attempt })
    else if (type === 'get token') feed('token', { attempt, token })
    else feed('session', { attempt, id: 's' })
  }
  /** The connection breaks, or is refused with a status. */
  function cut(code = 1006, status: number | null = null): void {
    const { attempt, phase } = state
    if (phase !== 'ready' && phase !== 'connecting') return
    ;[down, up] = [[], []]
    server.disconnect()
    const refusal = status === null ? null : { status, message: '', retryAfter: null }
    feed('closed', { attempt, code, refusal })
  }
  function deliver(): void {
    const frame = down.shift()
    if (frame !== undefined) feed('frame', { attempt: state.attempt, json: frame })
  }
  function fire(at: number): void {
    const name = [...timers.keys()][at % Math.max(1, timers.size)]
    if (name === undefined) return
    timers.delete(name)
    feed('timer', { name })
  }
  load()
  return {
    server,
    waits,
    feed,
    load,
    cut,
    deliver,
    fire,
    answerHttp,
    get state(): State {
      return state
    },
    get told(): readonly number[] {
      return told
    },
    say: (id: string, words: string) => feed('say', { id, text: words }),
    receive(): void {
      const frame = up.shift()
      if (frame !== undefined) server.receive(frame)
    },
    /** What comes next comes twice, or after what comes after it. */
    double: () => void down.unshift(...down.slice(0, 1)),
    swap: () => void down.splice(0, 2, ...down.slice(0, 2).reverse()),
    lose: () => void down.shift(),
    truncate: () =>
      void down.splice(0, 1, ...down.slice(0, 1).map(frame => frame.slice(0, frame.length / 2))),
    /** Until nothing moves any more, over a line that works. */
    settle(): void {
      for (let round = 0; round < 10_000; round++) {
        if (http !== null) answerHttp(true)
        else if (up.length > 0) this.receive()
        else if (down.length > 0) deliver()
        else if (server.isBusy) server.speak()
        else if (state.phase === 'connecting') fire([...timers.keys()].indexOf('deadline'))
        else if (timers.has('retry')) fire([...timers.keys()].indexOf('retry'))
        else if (state.phase === 'ready' && state.inFlight !== null)
          fire([...timers.keys()].indexOf('answer'))
        else return
      }
      throw new Error(`It does not settle: ${state.phase}`)
    },
  }
}
