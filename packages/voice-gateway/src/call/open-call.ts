import { CLOSE_CODES, CLOSE_TEXTS, type Handshake, type SpokenTurn } from '@colloquy/core/transport'
import { DOWN_RATE, UP_BYTES } from '../audio/pcm.ts'
import {
  type CallAction,
  type CallEvent,
  type CallState,
  initialCall,
  type Told,
} from '../domain/call-state.ts'
import { type ClientFrame, readFrame } from '../domain/frames.ts'
import { count, NONE_YET } from '../domain/per-second.ts'
import {
  callSince,
  emptyLog,
  goLive,
  readEvent,
  type SessionFact,
  type SessionLog,
} from '../domain/session-log.ts'
import { stepCall } from '../domain/step-call.ts'
import type { Call, CallLine, CallOfSession, CallParts } from './call.ts'
import { CallMedia } from './call-media.ts'
import { KeptProgress } from './kept-progress.ts'
import { Listening } from './listening.ts'
import { openLink, type SessionLink } from './session-link.ts'

/** The time limit for a client's first frame. */
const START_MS = 10_000
const TICK_MS = 250
/** Text frames of a client in a second. */
const FRAMES_PER_SECOND = 200
const CALL_OVER = 'call over'

type Start = Extract<ClientFrame, { readonly type: 'voice.start' }>

/** The shell around a call's decisions: it carries out what they say, and tells what came of it. */
export class OpenCall implements Call {
  readonly #parts: CallParts
  readonly #handshake: Handshake
  readonly #line: CallLine
  readonly #of: CallOfSession
  /** Null for a line whose client knows what it has heard. */
  readonly #progress: KeptProgress | null
  readonly #media: CallMedia
  #start: Start | null = null
  #link: SessionLink | null = null
  #log: SessionLog = emptyLog(null)
  /** Null before the history was read, and after the end. */
  #state: CallState | null = null
  #isOver = false
  #stopClock: () => void
  readonly #queue: CallEvent[] = []
  #isStepping = false
  #frames = NONE_YET

  constructor(parts: CallParts, handshake: Handshake, line: CallLine, of: CallOfSession) {
    this.#parts = parts
    this.#handshake = handshake
    this.#line = line
    this.#of = of
    this.#progress =
      of.ends === 'when over' ? new KeptProgress(async one => this.#link?.progressed(one)) : null
    this.#media = new CallMedia(parts, line, {
      state: () => this.#state,
      tell: event => this.#tell(event),
      recorder: () => this.#link?.recorder ?? null,
    })
    this.#stopClock = parts.clock.schedule(START_MS, () => this.#breach('voice.start must come first.'))
  }

  get #now(): number {
    return this.#parts.clock.monotonic()
  }

  frame(text: string): void {
    if (this.#isOver) return
    this.#frames = count(this.#frames, this.#now)
    if (this.#frames.count > FRAMES_PER_SECOND) this.#end('flooding')
    else this.#read(readFrame(text))
  }

  #read(frame: ReturnType<typeof readFrame>): void {
    if ('problem' in frame) {
      if (this.#start === null) this.#breach(frame.problem)
      else this.#invalid(frame.problem)
    } else if (frame.type === 'voice.start') {
      if (this.#start === null) this.#begin(frame)
      else this.#invalid('voice.start is sent once.')
    } else if (this.#start === null) this.#breach('voice.start must come first.')
    else if (this.#state !== null) this.#take(frame)
  }

  audio(bytes: Uint8Array): boolean {
    if (this.#isOver) return true
    if (this.#state === null) this.#invalid('Audio comes after voice.started.')
    else if (!Listening.isFrame(bytes))
      this.#invalid(`A frame of audio has whole milliseconds of ${UP_BYTES} bytes, at most 1,000.`)
    else this.#media.hear(bytes)
    return this.#media.listening.hasRoom
  }

  closed(): void {
    if (this.#isOver) return
    this.#release(false)
  }

  async settled(): Promise<void> {
    await this.#media.listening.settled()
    if (!this.#isOver) return
    await this.#link?.settled()
    await this.#progress?.settled()
    await this.#media.sound.settled()
  }

  replaced(): void {
    if (this.#isOver) return
    const message = 'Another call of the session began.'
    this.#line.send({ type: 'error', code: 'REPLACED', message })
    this.#close(CLOSE_CODES.ended, CALL_OVER)
  }

  #invalid(message: string): void {
    this.#line.send({ type: 'error', code: 'INVALID_MESSAGE', message })
  }

  /** The client does not keep to the protocol from the start. */
  #breach(message: string): void {
    if (this.#isOver) return
    this.#invalid(message)
    this.#end('flooding', 'protocol not kept')
  }

  #begin(start: Start): void {
    if (start.call !== undefined && callSince(start.call) === null) {
      this.#breach('The field call must be the id of a call.')
      return
    }
    this.#stopClock()
    this.#start = start
    this.#media.language = start.language ?? null
    this.#log = emptyLog(start.call ?? null)
    const [{ calls, names }, { sessionId }] = [this.#parts, this.#handshake]
    calls.get(sessionId)?.replaced()
    calls.set(sessionId, this)
    this.#link = openLink(this.#handshake, names, {
      event: event => {
        const [log, facts] = readEvent(this.#log, event)
        this.#log = log
        if (log.language !== null) this.#media.language = log.language
        this.#learn(facts)
      },
      live: () => this.#goLive(start),
      closed: (code, reason) => {
        // The visitor still hears the last words of a session that is over.
        const speaksOn = code === CLOSE_CODES.ended && this.#state !== null
        if (!speaksOn) this.#close(code, reason)
      },
    })
    // The platform may have closed it at once.
    if (this.#isOver) this.#link.close()
  }

  #goLive({ call: resumed, heard }: Start): void {
    if (this.#isOver) return
    const { rules, uuid } = this.#parts
    const call = resumed ?? `${this.#log.sequence}-${uuid()}`
    const { asked, joined, takenMs } = this.#log
    const [log, facts] = goLive(this.#log, call, heard ?? null)
    this.#log = log
    this.#media.from(takenMs)
    const { elapsedMs = 0 } = this.#of
    this.#state = initialCall(rules, { asked, call, now: this.#now, takenMs, elapsedMs })
    this.#line.send({ type: 'voice.started', call, rate: DOWN_RATE, from_ms: takenMs })
    this.#awaitTick()
    this.#tell({ type: 'begin' })
    this.#learn(facts)
    if (!joined) this.#link?.join(call)
  }

  #awaitTick(): void {
    this.#stopClock = this.#parts.clock.schedule(TICK_MS, () => {
      this.#awaitTick()
      // The reply may come from a process that can tell nobody, or its notice was lost.
      if (this.#state !== null && this.#state.asked !== null) this.#link?.refresh()
      this.#tell({ type: 'tick', isAttended: this.#log.isAttended })
      this.#media.sound.tick()
    })
  }

  #learn(facts: readonly SessionFact[]): void {
    for (const fact of facts) {
      if (fact.type !== 'reply') this.#tell(fact)
      else {
        const { complete, messageId, offset: end } = fact.reply
        this.#tell({ type: 'reply', reply: { messageId, complete, end }, pieces: fact.pieces })
      }
    }
  }

  #take(frame: Exclude<ClientFrame, { type: 'voice.start' }>): void {
    switch (frame.type) {
      case 'audio.from':
        if (!this.#media.from(frame.at_ms)) this.#invalid('The field at_ms must not go back.')
        break
      case 'mark':
        this.#progress?.heard(frame)
        this.#media.played(frame)
        break
      case 'mute':
        this.#media.mute(frame.muted)
        break
      case 'interrupt':
        this.#tell({ type: 'interrupt' })
        break
      case 'dtmf':
        this.#tell({ type: 'dtmf', digits: frame.digits, id: frame.id })
        break
      case 'recording':
        this.#tell({ type: 'recording', consent: frame.consent })
        break
      case 'voice.stop':
        this.#tell({ type: 'stop' })
        break
    }
  }

  /** Steps the call. What is told while an action is carried out waits its turn. */
  #tell(told: Told): void {
    this.#queue.push({ ...told, now: this.#now })
    if (this.#isStepping) return
    this.#isStepping = true
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        if (this.#state === null) continue
        const { actions, state } = stepCall(this.#parts.rules, this.#state, next)
        this.#state = state
        for (const action of actions) this.#act(action)
      }
    } finally {
      this.#isStepping = false
    }
  }

  #act(action: CallAction): void {
    switch (action.type) {
      case 'frame':
        // First: a line may answer at once what was heard.
        if (action.frame.type === 'clear') this.#media.sound.cut()
        if (action.frame.type === 'voice.stopped' && action.frame.destination !== undefined)
          this.#progress?.left(action.frame.destination)
        this.#line.send(action.frame)
        break
      case 'say':
        this.#link?.say(action.text, action.custom)
        break
      case 'report':
        this.#report(action.turn)
        break
      case 'close':
        this.#end(action.reason)
        break
      default:
        this.#media.act(action)
    }
  }

  #report(turn: SpokenTurn): void {
    const { onError, onTurn } = this.#parts
    this.#link?.measured(turn)
    try {
      onTurn(turn, { sessionId: this.#handshake.sessionId, call: this.#state?.call ?? '' })
    } catch (error) {
      onError(error, 'voice onTurn')
    }
  }

  #end(reason: 'ended' | 'flooding' | 'too_slow', text: string = CLOSE_TEXTS[reason]): void {
    // A line that plays nothing may be gone without a word, and its call be at another server.
    const isOver = reason !== 'too_slow'
    this.#close(CLOSE_CODES[reason], reason === 'ended' ? CALL_OVER : text, isOver)
  }

  /** @param isOver the call is over, and not only its line */
  #close(code: number, reason: string, isOver = false): void {
    if (this.#isOver) return
    this.#release(isOver)
    this.#line.close(code, reason)
  }

  /** Lets go of everything. What was said is still taken by the session. */
  #release(isOver: boolean): void {
    const [{ calls }, { sessionId }] = [this.#parts, this.#handshake]
    this.#isOver = true
    this.#state = null
    this.#stopClock()
    this.#media.end()
    if (calls.get(sessionId) === this) calls.delete(sessionId)
    if (this.#start === null) this.#handshake.abandon()
    else {
      this.#progress?.lost()
      const { ends } = this.#of
      if (ends === 'with its line' || (isOver && ends === 'when over')) this.#link?.end()
      this.#link?.close()
    }
  }
}
