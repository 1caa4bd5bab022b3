import { type Fields, fieldsOf, flag, number, text } from '../messaging/fields.ts'
import {
  addAudio,
  beginPiece,
  EMPTY_PLAYBACK,
  endPiece,
  type Mark,
  type Playback,
  playedUntil,
  playing,
  untilDone,
} from './playback.ts'
import type { Effect, Input, InputType, State, TimerName, VoiceProblem } from './state.ts'

/** Time limit for a socket and the server's answer, milliseconds. */
const DEADLINE = 10_000

/** A call that the server has not begun for so long has failed, milliseconds. */
const UNREACHABLE = 15_000

/** Pauses between attempts: none at first, then doubled up to the longest, milliseconds. */
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 4_000

/** A call that was lost for so long has failed: nobody should speak into a microphone that nobody hears. */
const ABANDONED = 30_000

/** Interval of marks while a piece plays, milliseconds. */
const MARK_EVERY = 1_000

/** The speaker's clock moves in steps, and stands still where the page may not play, milliseconds. */
const CLOCK_STEP = 20

/** A socket in which more waits, and that does not get less for so long, is dead: bytes and milliseconds. */
const BACKLOG = 96_000
const STUCK = 3_000

/** Volume of a reply while it is not clear whether the visitor interrupts. */
const DUCKED = 0.25

/** Close codes after which another socket may go better: of a broken line, and of a server that says so. */
const RESUMED = new Set([1001, 1005, 1006, 1011, 1012, 1013, 1014])

/** The close code for a session that the server does not know. */
const SESSION_GONE = 4001

/** A state that is being written by one step. */
type Draft = { -readonly [Field in keyof State]: State[Field] } & {
  readonly effects: Effect[]
  readonly now: number
}

export const INITIAL: State = {
  phase: 'off',
  attempt: 0,
  calls: 0,
  failures: 0,
  call: null,
  language: null,
  muted: false,
  sent: 0,
  heard: 0,
  backlog: { bytes: 0, since: 0 },
  speaking: false,
  awaiting: false,
  clearing: false,
  playback: EMPTY_PLAYBACK,
  mark: null,
  understood: null,
  problem: null,
  recording: 'off',
  consent: null,
}

const setTimer = ({ effects }: Draft, name: TimerName, after: number): void =>
  void effects.push({ type: 'set timer', name, after })

const clearTimer = ({ effects }: Draft, name: TimerName): void =>
  void effects.push({ type: 'clear timer', name })

const send = ({ effects }: Draft, frame: object): void =>
  void effects.push({ type: 'send', frame: JSON.stringify(frame) })

/** Sends a mark, or keeps it for the next connection. */
function report(draft: Draft, marks: readonly Mark[]): void {
  for (const mark of marks) {
    draft.mark = mark
    if (draft.phase === 'open') send(draft, { type: 'mark', ...mark })
  }
}

/** Takes out what was played, and sets the time of the next mark. */
function advance(draft: Draft, { playback, marks }: { playback: Playback; marks: readonly Mark[] }): void {
  report(draft, marks)
  draft.playback = playback
  const piece = playing(playback)
  if (piece === null) clearTimer(draft, 'mark')
  else {
    const wait = Math.max(CLOCK_STEP, untilDone(playback, draft.now) ?? MARK_EVERY)
    setTimer(draft, 'mark', Math.min(MARK_EVERY, wait))
  }
}

/** Stops playing at once. What waited counts as not heard. */
function fallSilent(draft: Draft): void {
  const { marks } = playedUntil(draft.playback, draft.now)
  advance(draft, { playback: { ...EMPTY_PLAYBACK }, marks })
  draft.effects.push({ type: 'be silent' }, { type: 'volume', value: 1 })
}

/** Ends the call, and lets go of the microphone. */
function finish(draft: Draft, problem: VoiceProblem | null): void {
  for (const name of ['deadline', 'retry', 'abandon', 'mark'] as const) clearTimer(draft, name)
  draft.effects.push({ type: 'be silent' }, { type: 'hang up' }, { type: 'close microphone' })
  const { attempt, calls } = draft
  Object.assign(draft, { ...INITIAL, attempt: attempt + 1, calls, problem })
}

function connect(draft: Draft): void {
  draft.attempt += 1
  draft.phase = 'opening'
  setTimer(draft, 'deadline', DEADLINE)
  draft.effects.push({ type: 'connect', attempt: draft.attempt })
}

/** A connection broke, or did not come about. */
function lose(draft: Draft): void {
  fallSilent(draft)
  draft.effects.push({ type: 'hang up' })
  clearTimer(draft, 'deadline')
  if (draft.phase === 'open') {
    draft.failures = 0
    setTimer(draft, 'abandon', ABANDONED)
  }
  draft.attempt += 1
  draft.phase = 'waiting'
  draft.speaking = false
  draft.clearing = false
  const pause = draft.failures === 0 ? 0 : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (draft.failures - 1))
  draft.failures += 1
  setTimer(draft, 'retry', pause)
}

/** Says whether the call may be recorded. */
const answer = (draft: Draft, consent: boolean): void => send(draft, { type: 'recording', consent })

/** Readers of the server's frames. Unknown ones are ignored. */
const FRAMES: Readonly<Record<string, (draft: Draft, fields: Fields) => void>> = {
  'voice.started'(draft, fields) {
    if (draft.phase !== 'opening') return
    draft.phase = 'open'
    draft.failures = 0
    draft.problem = null
    draft.call = text(fields, 'call') || null
    clearTimer(draft, 'deadline')
    clearTimer(draft, 'abandon')
    draft.sent = draft.heard
    draft.backlog = { bytes: Number.POSITIVE_INFINITY, since: draft.heard }
    draft.effects.push({ type: 'send audio', from: Math.max(0, number(fields, 'from_ms') ?? 0) })
    if (draft.muted) send(draft, { type: 'mute', muted: true })
  },
  'speech.started'(draft) {
    draft.speaking = true
    draft.problem = null
    if (draft.understood?.final) draft.understood = null
    if (playing(draft.playback) !== null) draft.effects.push({ type: 'volume', value: DUCKED })
  },
  'speech.ended'(draft, fields) {
    draft.speaking = false
    if (!flag(fields, 'taken') && draft.understood?.final === false) draft.understood = null
    draft.effects.push({ type: 'volume', value: 1 })
  },
  transcript(draft, fields) {
    const final = flag(fields, 'final')
    draft.understood = { text: text(fields, 'text'), final }
    if (final) draft.awaiting = true
  },
  'audio.begin'(draft, fields) {
    if (draft.clearing) return
    draft.awaiting = false
    if (draft.understood?.final) draft.understood = null
    const before = Math.max(0, number(fields, 'from_ms') ?? 0)
    const by = text(fields, 'by') === 'live_agent' ? 'live agent' : 'agent'
    const piece = { id: text(fields, 'id'), text: text(fields, 'text'), by, before } as const
    advance(draft, { playback: beginPiece(draft.playback, piece), marks: [] })
  },
  'audio.end'(draft, fields) {
    const playback = endPiece(draft.playback, text(fields, 'id'))
    advance(draft, playedUntil(playback, draft.now))
  },
  recording(draft, fields) {
    const state = text(fields, 'state')
    // A call that goes on is asked again: the visitor is not.
    if (state === 'asked' && draft.consent !== null) answer(draft, draft.consent)
    else draft.recording = state === 'asked' || state === 'on' ? state : 'off'
  },
  clear(draft) {
    if (!draft.clearing) fallSilent(draft)
    draft.clearing = false
    send(draft, { type: 'mark', ...(draft.mark ?? { id: '', played_ms: 0 }), cleared: true })
  },
  'voice.stopped'(draft, fields) {
    const code = text(fields, 'reason')
    finish(draft, code === 'CLIENT' ? null : { code, message: `The server ended the call: ${code}.` })
  },
  error(draft, fields) {
    draft.awaiting = false
    draft.problem = { code: text(fields, 'code'), message: text(fields, 'message') }
  },
}

/** Frames with which a server answers the first one. */
const FIRST = ['voice.started', 'voice.stopped', 'error']

function takeAudio(draft: Draft, pcm: ArrayBuffer): void {
  const added = draft.clearing ? null : addAudio(draft.playback, draft.now, pcm.byteLength)
  if (added === null) return
  draft.playback = added.playback
  draft.effects.push({ type: 'play', pcm, at: added.at })
}

function takeFrame(draft: Draft, json: string): void {
  let fields: Fields = {}
  try {
    fields = fieldsOf(JSON.parse(json))
  } catch {
    // Invalid JSON is ignored, as an unknown type is.
  }
  const type = text(fields, 'type')
  // Nothing of a call comes before its beginning.
  if (Object.hasOwn(FRAMES, type) && (draft.phase === 'open' || FIRST.includes(type)))
    FRAMES[type]?.(draft, fields)
}

const TIMERS: { readonly [Name in TimerName]: (draft: Draft) => void } = {
  deadline(draft) {
    if (draft.phase === 'opening') lose(draft)
  },
  retry(draft) {
    if (draft.phase === 'waiting') connect(draft)
  },
  abandon: draft =>
    finish(
      draft,
      draft.call === null
        ? { code: 'UNREACHABLE', message: 'The server did not answer.' }
        : { code: 'LOST', message: 'The connection was lost, and did not come back.' },
    ),
  mark: draft => advance(draft, playedUntil(draft.playback, draft.now)),
}

/** Reports whether the socket takes nothing any more. A browser does not notice for minutes. */
function isStuck(draft: Draft, backlog: number): boolean {
  const { bytes, since } = draft.backlog
  if (backlog < BACKLOG || backlog < bytes) draft.backlog = { bytes: backlog, since: draft.heard }
  return backlog >= BACKLOG && backlog >= bytes && draft.heard - since > STUCK
}

const INPUTS: { readonly [Type in InputType]: (draft: Draft, input: Input<Type>) => void } = {
  start(draft, { language }) {
    if (draft.phase !== 'off') return
    const { attempt, calls } = draft
    Object.assign(draft, { ...INITIAL, attempt, calls: calls + 1, phase: 'asking', language })
    draft.effects.push({ type: 'open microphone', calls: draft.calls })
  },
  stop(draft) {
    if (draft.phase === 'off') return
    if (draft.phase === 'open') send(draft, { type: 'voice.stop' })
    finish(draft, null)
  },
  ended(draft) {
    if (draft.phase !== 'off') finish(draft, { code: 'ENDED', message: 'The session of the chat is over.' })
  },
  mute(draft, { muted }) {
    if (draft.phase === 'off' || muted === draft.muted) return
    draft.muted = muted
    draft.effects.push({ type: 'mute', muted })
    if (draft.phase === 'open') send(draft, { type: 'mute', muted })
  },
  interrupt(draft) {
    if (draft.phase !== 'open' || draft.clearing || playing(draft.playback) === null) return
    fallSilent(draft)
    draft.clearing = true
    send(draft, { type: 'interrupt' })
  },
  consent(draft, { given }) {
    if (draft.phase === 'off') return
    draft.consent = given
    if (!given) draft.recording = 'off'
    if (draft.phase === 'open') answer(draft, given)
  },
  microphone(draft) {
    if (draft.phase !== 'asking') return
    setTimer(draft, 'abandon', UNREACHABLE)
    connect(draft)
  },
  unheard(draft, { problem }) {
    if (draft.phase !== 'off') finish(draft, problem)
  },
  audio(draft, { backlog, heard }) {
    if (draft.phase === 'off') return
    draft.heard = heard
    if (draft.phase !== 'open') return
    draft.effects.push({ type: 'send audio', from: draft.sent })
    draft.sent = heard
    if (isStuck(draft, backlog)) lose(draft)
  },
  connected(draft) {
    if (draft.phase !== 'opening') return
    const { call, language, mark } = draft
    const resumed = call !== null && { call, ...(mark !== null && { heard: mark }) }
    send(draft, { type: 'voice.start', rate: 16_000, ...(language !== null && { language }), ...resumed })
  },
  frame(draft, { data }) {
    if (typeof data === 'string') takeFrame(draft, data)
    else if (data instanceof ArrayBuffer && draft.phase === 'open') takeAudio(draft, data)
  },
  closed(draft, { code }) {
    if (RESUMED.has(code)) lose(draft)
    else if (code === SESSION_GONE) INPUTS.ended(draft, { type: 'ended', now: draft.now })
    else finish(draft, draft.problem ?? { code: 'LOST', message: `The server closed the call with ${code}.` })
  },
  timer: (draft, { name }) => TIMERS[name](draft),
}

function handle<Type extends InputType>(draft: Draft, input: Input<Type>): void {
  INPUTS[input.type](draft, input)
}

/** A state, and what is to be done now. */
export interface Stepped {
  readonly state: State
  readonly effects: readonly Effect[]
}

/** Returns the whole of voice: pure, and never throws, whatever a server sends. */
export function step(state: State, input: Input): Stepped {
  const isLate =
    ('attempt' in input && input.attempt !== state.attempt) ||
    ('calls' in input && input.calls !== state.calls)
  if (isLate) return { state, effects: [] }
  const draft: Draft = { ...state, effects: [], now: input.now }
  handle(draft, input)
  const { effects, now: _, ...next } = draft
  return { state: next, effects }
}
