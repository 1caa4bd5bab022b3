import type { Clock } from '@colloquy/core'
import {
  CLOSE_CODES,
  CLOSE_TEXTS,
  type EventNames,
  type Handshake,
  type SpokenTurn,
} from '@colloquy/core/transport'
import { DOWN_RATE, samplesOf, UP_BYTES } from '../audio/pcm.ts'
import {
  type CallAction,
  type CallEvent,
  type CallRules,
  type CallState,
  initialCall,
} from '../domain/call-state.ts'
import { type ClientFrame, readFrame, type ServerFrame } from '../domain/frames.ts'
import { unheardMs } from '../domain/playback.ts'
import {
  callSince,
  emptyLog,
  goLive,
  readEvent,
  type SessionFact,
  type SessionLog,
} from '../domain/session-log.ts'
import { stepCall } from '../domain/step-call.ts'
import type { Speaker } from '../ports/speaker.ts'
import type { Transcriber } from '../ports/transcriber.ts'
import { CallSound } from './call-sound.ts'
import { KeptProgress } from './kept-progress.ts'
import { Listening } from './listening.ts'
import { openLink, type SessionLink } from './session-link.ts'
import { Speaking, type SpeakingListener } from './speaking.ts'

/** The visitor's line, whatever carries it. None of its functions throws. */
export interface CallLine {
  send(frame: ServerFrame): void
  /** PCM at 24,000 Hz. */
  sound(bytes: Uint8Array): void
  close(code: number, reason: string): void
}

/** Parts that all calls of a gateway share. */
export interface CallParts {
  readonly rules: CallRules
  readonly transcriber: Transcriber
  readonly speaker: Speaker
  readonly clock: Clock
  readonly uuid: () => string
  readonly names: EventNames
  readonly deadlines: { readonly speech: number; readonly transcription: number; readonly sentence: number }
  readonly onError: (error: unknown, where: string) => void
  readonly onTurn: (turn: SpokenTurn, of: { readonly sessionId: string; readonly call: string }) => void
  /** The open calls by session: the newest one of a session wins. */
  readonly calls: Map<string, Call>
}

/** One visitor's call over one line. */
export interface Call {
  /** A text frame of the client. */
  frame(text: string): void
  /** PCM at 16,000 Hz. Returns false while too much waits for the transcriber, until `settled` resolves. */
  audio(bytes: Uint8Array): boolean
  /** The line is gone. */
  closed(): void
  settled(): Promise<void>
  /** Another call of the session began. */
  replaced(): void
}

/** The time limit for a client's first frame. */
const START_MS = 10_000
const TICK_MS = 250
/** Text frames of a client in a second. */
const FRAMES_PER_SECOND = 200
const CALL_OVER = 'call over'

/** The part of a call in its session. */
export interface CallOfSession {
  /**
   * The session ends with the call. `when over`: but not with its line, since another line may go on with it, which has
   * no memory of its own.
   *
   * @default never
   */
  readonly ends?: 'with its line' | 'when over'
  /** The time that the call has lasted over lines before, milliseconds. @default 0 */
  readonly elapsedMs?: number
}

/** Opens a call on a line. It begins with the client's first frame. */
export function openCall(
  parts: CallParts,
  handshake: Handshake,
  line: CallLine,
  of: CallOfSession = {},
): Call {
  return new OpenCall(parts, handshake, line, of)
}

/** The shell around a call's decisions: it carries out what they say, and tells what came of it. */
class OpenCall implements Call {
  readonly #parts: CallParts
  readonly #handshake: Handshake
  readonly #line: CallLine
  readonly #of: CallOfSession
  /** Null for a line whose client knows what it has heard. */
  readonly #progress: KeptProgress | null
  #start: Extract<ClientFrame, { type: 'voice.start' }> | null = null
  #link: SessionLink | null = null
  #log: SessionLog = emptyLog(null)
  /** Null before the history was read, and after the end. */
  #state: CallState | null = null
  #isOver = false
  #isMuted = false
  readonly #listening: Listening
  readonly #speaking: Speaking
  readonly #sound: CallSound
  #language: string | null = null
  #stopClock: () => void
  readonly #queue: CallEvent[] = []
  #isStepping = false
  #frames = { since: 0, count: 0 }

  constructor(parts: CallParts, handshake: Handshake, line: CallLine, of: CallOfSession) {
    this.#parts = parts
    this.#handshake = handshake
    this.#line = line
    this.#of = of
    this.#progress =
      of.ends === 'when over' ? new KeptProgress(async one => this.#link?.progressed(one)) : null
    const { clock, deadlines, onError, rules, speaker, transcriber } = parts
    this.#sound = new CallSound({ clock, onError, isOff: rules.consent.mode === 'off' }, reason =>
      this.#tell({ type: 'unrecorded', reason, now: this.#now }),
    )
    const mouth = { speaker, clock, deadline: deadlines.speech, longest: deadlines.sentence }
    this.#speaking = new Speaking(mouth, this.#sayer())
    this.#listening = new Listening(
      { transcriber, clock, deadline: deadlines.transcription },
      (bytes, toMs) => this.#window(bytes, toMs),
    )
    this.#stopClock = parts.clock.schedule(START_MS, () => this.#breach('voice.start must come first.'))
  }

  get #now(): number {
    return this.#parts.clock.monotonic()
  }

  frame(text: string): void {
    if (this.#isOver) return
    if (this.#isFlood()) this.#end('flooding')
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
    else if (!this.#isMuted) this.#listening.hear(bytes)
    return this.#listening.hasRoom
  }

  closed(): void {
    if (this.#isOver) return
    this.#release(false)
  }

  async settled(): Promise<void> {
    await this.#listening.settled()
    if (!this.#isOver) return
    await this.#link?.settled()
    await this.#progress?.settled()
    await this.#sound.settled()
  }

  replaced(): void {
    if (this.#isOver) return
    const message = 'Another call of the session began.'
    this.#line.send({ type: 'error', code: 'REPLACED', message })
    this.#close(CLOSE_CODES.ended, CALL_OVER)
  }

  #isFlood(): boolean {
    const { count, since } = this.#frames
    this.#frames = this.#now - since >= 1_000 ? { since: this.#now, count: 1 } : { since, count: count + 1 }
    return this.#frames.count > FRAMES_PER_SECOND
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

  #begin(start: Extract<ClientFrame, { type: 'voice.start' }>): void {
    if (start.call !== undefined && callSince(start.call) === null) {
      this.#breach('The field call must be the id of a call.')
      return
    }
    this.#stopClock()
    this.#start = start
    this.#language = start.language ?? null
    this.#log = emptyLog(start.call ?? null)
    const [{ calls, names }, { sessionId }] = [this.#parts, this.#handshake]
    calls.get(sessionId)?.replaced()
    calls.set(sessionId, this)
    this.#link = openLink(this.#handshake, names, {
      event: event => {
        const [log, facts] = readEvent(this.#log, event)
        this.#log = log
        if (log.language !== null) this.#language = log.language
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

  #goLive({ call: resumed, heard }: Extract<ClientFrame, { type: 'voice.start' }>): void {
    if (this.#isOver) return
    const { clock, rules, uuid } = this.#parts
    const call = resumed ?? `${this.#log.sequence}-${uuid()}`
    const { asked, joined, takenMs } = this.#log
    const [log, facts] = goLive(this.#log, call, heard ?? null)
    this.#log = log
    this.#listening.from(takenMs)
    const { elapsedMs = 0 } = this.#of
    this.#state = initialCall(rules, { asked, call, now: this.#now, takenMs, elapsedMs })
    this.#line.send({ type: 'voice.started', call, rate: DOWN_RATE, from_ms: takenMs })
    const tick = (): void => {
      this.#stopClock = clock.schedule(TICK_MS, tick)
      // The reply may come from a process that can tell nobody, or its notice was lost.
      if (this.#state !== null && this.#state.asked !== null) this.#link?.refresh()
      this.#tell({ type: 'tick', isAttended: this.#log.isAttended, now: this.#now })
      this.#sound.tick()
    }
    this.#stopClock = clock.schedule(TICK_MS, tick)
    this.#tell({ type: 'begin', now: this.#now })
    this.#learn(facts)
    if (!joined) this.#link?.join(call)
  }

  #learn(facts: readonly SessionFact[]): void {
    for (const fact of facts) {
      if (fact.type !== 'reply') this.#tell({ ...fact, now: this.#now })
      else {
        const { complete, messageId, offset: end } = fact.reply
        const reply = { messageId, complete, end }
        this.#tell({ type: 'reply', reply, pieces: fact.pieces, now: this.#now })
      }
    }
  }

  #take(frame: Exclude<ClientFrame, { type: 'voice.start' }>): void {
    const now = this.#now
    switch (frame.type) {
      case 'audio.from':
        if (frame.at_ms < this.#listening.positionMs) {
          this.#invalid('The field at_ms must not go back.')
          return
        }
        this.#listening.from(frame.at_ms)
        break
      case 'mark':
        this.#sound.played(frame)
        this.#progress?.heard(frame)
        this.#tell({ type: 'mark', mark: frame, now })
        this.#speaking.played()
        break
      case 'mute':
        this.#isMuted = frame.muted
        this.#sound.paused()
        this.#tell({ type: 'mute', muted: frame.muted, now })
        break
      case 'interrupt':
        this.#tell({ type: 'interrupt', now })
        break
      case 'dtmf':
        this.#tell({ type: 'dtmf', digits: frame.digits, id: frame.id, now })
        break
      case 'recording':
        this.#tell({ type: 'recording', consent: frame.consent, now })
        break
      case 'voice.stop':
        this.#tell({ type: 'stop', now })
        break
    }
  }

  #window(bytes: Uint8Array, toMs: number): void {
    const { utterance = null } = this.#state ?? {}
    if (utterance !== null) this.#listening.write(utterance.id, bytes)
    this.#sound.heard(bytes, toMs)
    this.#tell({ type: 'window', samples: samplesOf(bytes), toMs, now: this.#now })
  }

  /** Steps the call. What is told while an action is carried out waits its turn. */
  #tell(event: CallEvent): void {
    this.#queue.push(event)
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
        if (action.frame.type === 'clear') this.#sound.cut()
        if (action.frame.type === 'voice.stopped' && action.frame.destination !== undefined)
          this.#progress?.left(action.frame.destination)
        this.#line.send(action.frame)
        break
      case 'record':
        this.#record(action.act)
        break
      case 'open':
        this.#open(action)
        break
      case 'end':
        this.#listening.end(action.id)
        break
      case 'drop':
        this.#listening.drop(action.id)
        break
      case 'say':
        this.#link?.say(action.text, action.custom)
        break
      case 'speak':
        this.#speaking.speak(action.piece, this.#language)
        break
      case 'hush':
        this.#speaking.hush()
        break
      case 'report':
        this.#report(action.turn)
        break
      case 'close':
        this.#end(action.reason)
        break
    }
  }

  #record(act: Extract<CallAction, { type: 'record' }>['act']): void {
    const recorder = this.#link?.recorder ?? null
    if (act === 'withdraw') this.#sound.withdraw(recorder)
    else this.#sound.record(recorder, this.#state?.call ?? '', act)
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

  #open({ fromMs, id }: Extract<CallAction, { type: 'open' }>): void {
    this.#listening.open({ id, fromMs }, this.#language, {
      partial: text => this.#tell({ type: 'partial', id, text, now: this.#now }),
      endOfTurn: () => this.#tell({ type: 'end of turn', id, now: this.#now }),
      words: (text, error) => {
        if (error !== null) this.#parts.onError(error, 'voice transcriber')
        this.#tell({ type: 'words', id, text, failed: error !== null, now: this.#now })
      },
    })
  }

  #sayer(): SpeakingListener {
    const { onError, rules } = this.#parts
    return {
      begin: ({ by, fromMs, id, messageId: message_id, text }) => {
        this.#sound.begins(id, fromMs)
        this.#line.send({ type: 'audio.begin', id, message_id, text, by, from_ms: Math.round(fromMs) })
      },
      sound: ({ id }, bytes, ms) => {
        this.#sound.sent(bytes)
        this.#line.sound(bytes)
        this.#tell({ type: 'sound', id, ms, now: this.#now })
      },
      spoken: ({ id }, error) => {
        if (error !== null) onError(error, 'voice speaker')
        this.#tell({ type: 'spoken', id, failed: error !== null, now: this.#now })
      },
      isFull: () => this.#state !== null && unheardMs(this.#state.playback) >= rules.limits.ahead,
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
    this.#speaking.hush()
    this.#listening.close()
    this.#sound.end()
    this.#speaking.played()
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
