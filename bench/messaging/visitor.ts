import type { Dialect, Heard } from './dialect.ts'
import { openSocket, type RawSocket } from './raw-socket.ts'

/** Counts of violations, by kind. A load that finds any measures a broken server. */
export interface Violations {
  /** An echo, a sign of thinking or a reply that came out of turn, alive or in a replay. */
  order: number
  /** A message without its id. */
  missingMessageId: number
  /** A message that a replay did not hold. */
  lost: number
  /** A greeting or a reply that never came, or a socket that the server closed. */
  notAnswered: number
}

/** Counts to which all visitors of a load add. */
export interface Tally {
  readonly violations: Violations
  turns: number
  /** Latencies of turns that have ended, milliseconds. */
  latencies: number[]
  /** False when visitors no longer begin turns. */
  goesOn: boolean
}

type Stage = 'waits for its greeting' | 'rests' | 'has spoken' | 'has its echo' | 'sees thinking'

/** A visitor in a session: says something as soon as the reply to the last has come. */
export class Visitor {
  readonly #dialect: Dialect
  readonly #port: number
  readonly #tally: Tally
  #path = ''
  #socket: RawSocket | null = null
  #stage: Stage = 'waits for its greeting'
  #spokeAt = 0
  #turns = 0
  #onReady = (): void => {}
  #onGreeting = (): void => {}
  /** Events of a replay so far; null when none is awaited. */
  #replayed: Heard[] | null = null
  #onReplay = (): void => {}

  constructor(dialect: Dialect, port: number, tally: Tally) {
    this.#dialect = dialect
    this.#port = port
    this.#tally = tally
  }

  get rests(): boolean {
    return this.#stage === 'rests'
  }

  /** Opens a session, connects and joins; resolves when the join is sent. `greeted` resolves with the greeting. */
  async arrive(): Promise<{ readonly greeted: Promise<void> }> {
    this.#path = await this.#dialect.open()
    const ready = new Promise<void>(resolve => {
      this.#onReady = resolve
    })
    const greeted = new Promise<void>(resolve => {
      this.#onGreeting = resolve
    })
    await this.#connect()
    await ready
    this.#socket?.send(this.#dialect.join)
    return { greeted }
  }

  async #connect(): Promise<void> {
    const { violations } = this.#tally
    this.#socket = await openSocket(
      { port: this.#port, path: this.#path },
      (text, socket) => {
        const heard = this.#dialect.hear(text, socket)
        if (heard !== null) this.#take(heard)
      },
      () => {
        violations.notAnswered += 1
      },
    )
  }

  leave(): void {
    this.#socket?.destroy()
  }

  speak(): void {
    this.#stage = 'has spoken'
    this.#spokeAt = performance.now()
    this.#socket?.send(this.#dialect.message)
  }

  #take(heard: Heard): void {
    const { type } = heard
    if (type === 'EVENT_BATCH') this.#takeBatch(heard.events)
    else if (type === 'USER_MESSAGE') this.#step(heard, 'has spoken', 'has its echo')
    else if (type === 'AI_AGENT_MESSAGE') this.#takeReply(heard)
    // A greeting is thought about too.
    else if (type === 'AI_AGENT_THINKING' && this.#stage !== 'waits for its greeting')
      this.#step(null, 'has its echo', 'sees thinking')
  }

  #step(message: Heard | null, from: Stage, to: Stage): void {
    const { violations } = this.#tally
    if (this.#stage !== from) violations.order += 1
    if (message !== null && message.messageId === undefined) violations.missingMessageId += 1
    this.#stage = to
  }

  #takeReply(reply: Heard): void {
    if (this.#stage === 'waits for its greeting') {
      this.#step(reply, this.#stage, 'rests')
      this.#onGreeting()
      return
    }
    this.#step(reply, 'sees thinking', 'rests')
    this.#turns += 1
    this.#tally.turns += 1
    this.#tally.latencies.push(performance.now() - this.#spokeAt)
    if (this.#tally.goesOn) this.speak()
  }

  #takeBatch(events: readonly Heard[]): void {
    this.#onReady()
    if (this.#replayed === null) return
    for (const event of events) this.#replayed.push(event)
    if (messagesOf(this.#replayed).length >= this.#messages) this.#onReplay()
  }

  /** The greeting, and two for each turn. */
  get #messages(): number {
    return 1 + 2 * this.#turns
  }

  /** Connects again with no cursor; how many events came until the log was whole. */
  async replay(patience: number): Promise<number> {
    const { violations } = this.#tally
    const events: Heard[] = []
    this.#replayed = events
    let timer: ReturnType<typeof setTimeout> | undefined
    const whole = new Promise<void>(resolve => {
      this.#onReplay = resolve
      timer = setTimeout(resolve, patience)
    })
    await this.#connect()
    await whole
    clearTimeout(timer)
    this.#replayed = null
    const messages = messagesOf(events)
    violations.lost += Math.max(0, this.#messages - messages.length)
    for (const [index, { type, messageId }] of messages.entries()) {
      if ((type === 'USER_MESSAGE') !== (index % 2 === 1)) violations.order += 1
      if (messageId === undefined) violations.missingMessageId += 1
    }
    return events.length
  }
}

const messagesOf = (events: readonly Heard[]): readonly Heard[] =>
  events.filter(({ type }) => type === 'USER_MESSAGE' || type === 'AI_AGENT_MESSAGE')
