import {
  advance,
  beat,
  check,
  connectionLost,
  finish,
  hangUp,
  isLost,
  ready,
  renew,
  requestFailed,
  revive,
  sessionFound,
  sessionMade,
  startAgain,
} from './connection.ts'
import { clearTimers, type Draft, setTimer } from './draft.ts'
import type { ServerEvent } from './events.ts'
import { type Frame, readFrame } from './frames.ts'
import { EMPTY_LOG, takeEvents, withoutPresent } from './log.ts'
import { flush, forget, keep, sendNow, settle, takeRefusal, tell } from './outbox.ts'
import type { Config, Effect, Input, InputType, Pending, Phase, State, TimerName } from './state.ts'

/** The time after which a visitor without further keystrokes has stopped typing, milliseconds. */
const TYPING_LASTS = 4_000

/** The interval for repeating the typing indicator, milliseconds. Without a repeat it expires. */
const TYPING_AGAIN = 5_000

/** The time for which a live agent counts as typing after the last report, milliseconds. */
const TYPED_LASTS = 10_000

/** Longer than that no token is taken; a frame that is far longer would break the connection. */
const LONGEST_TOKEN = 16_384

/** Returns a client that has not begun. */
export const initialState = (config: Config, online: boolean): State => ({
  config,
  phase: 'idle',
  online,
  attempt: 0,
  failures: 0,
  token: null,
  session: null,
  identity: config.identity ?? null,
  known: false,
  doubting: false,
  streams: false,
  log: EMPTY_LOG,
  outbox: [],
  inFlight: null,
  throttled: 0,
  holding: false,
  verifying: false,
  silentBeats: 0,
  typing: null,
  problem: null,
})

const isOneOf = ({ phase }: Draft, ...phases: readonly Phase[]): boolean => phases.includes(phase)

/** Processes the server's answers to events of this client. */
function takeAnswers(draft: Draft, { events }: Frame): void {
  for (const event of events) {
    const { clientEventId, name } = event
    if (!draft.outbox.some(({ id }) => id === clientEventId)) continue
    if (name === 'SYSTEM_MESSAGE')
      takeRefusal(draft, clientEventId, event.payload.level, event.payload.message)
    else if (name === 'USER_MESSAGE' || name === 'REQUEST_AI_AGENT_JOIN' || name === 'USER_END_SESSION')
      settle(draft, clientEventId)
  }
}

/** Reacts to an event, apart from its place in the log. */
function react(draft: Draft, event: ServerEvent): void {
  if (event.name === 'LIVE_AGENT_TYPING') setTimer(draft, 'typed', TYPED_LASTS)
  // An open page keeps its session, also where its timers are slow.
  if (event.name === 'SESSION_IDLE_WARNING') tell(draft, 'HEARTBEAT', {})
  if (event.name !== 'HEARTBEAT') draft.effects.push({ type: 'tell', event })
}

/**
 * Reports whether a log starts from its beginning although only its rest was requested: the server was reset, and the
 * shown messages are gone.
 */
const isSetBack = ({ log }: Draft, { events }: Frame): boolean => log.cursor > 0 && events[0]?.sequence === 1

function takeFrame(draft: Draft, frame: Frame): void {
  const begins = draft.phase === 'connecting'
  if (begins && !frame.isBatch) return
  const known = new Set(draft.outbox.map(({ id }) => id))
  if (begins && isSetBack(draft, frame)) draft.log = EMPTY_LOG
  const before = begins ? withoutPresent(draft.log) : draft.log
  const { log, events, hasGap } = takeEvents(before, frame.events, known)
  draft.log = log
  takeAnswers(draft, frame)
  if (log.cursor > before.cursor) draft.failures = 0
  for (const event of events) react(draft, event)
  if (log.ended !== null) finish(draft, log.ended)
  else if (hasGap) connectionLost(draft, 1006, null)
  else {
    if (begins) ready(draft)
    flush(draft)
  }
}

/** Stops waiting for a verified context, whether there is one or not, and sends the waiting events. */
function verified(draft: Draft, token: unknown): void {
  if (!draft.verifying) return
  draft.verifying = false
  clearTimers(draft, 'verifying')
  if (token === null || (typeof token === 'string' && token.length <= LONGEST_TOKEN))
    tell(draft, 'SET_CONTEXT', { token })
  flush(draft)
}

/** Drops everything of one visitor, and ends their open session. */
function leave(draft: Draft, identity: string | null): void {
  if (draft.phase === 'ready') tell(draft, 'USER_END_SESSION', {})
  hangUp(draft)
  if (draft.session !== null) draft.effects.push({ type: 'forget session', id: draft.session.id })
  for (const { id } of draft.outbox) draft.effects.push({ type: 'forget pending', id })
  draft.effects.push({ type: 'store identity', identity })
  Object.assign(draft, {
    ...{ identity, session: null, token: null, known: false, doubting: false, failures: 0, problem: null },
    ...{ outbox: [], throttled: 0, log: EMPTY_LOG },
  })
}

const TIMERS: { readonly [Name in TimerName]: (draft: Draft) => void } = {
  retry: draft => {
    if (draft.phase === 'waiting') advance(draft)
  },
  deadline: draft => {
    if (draft.phase === 'connecting') connectionLost(draft, 1006, null)
    else if (isOneOf(draft, 'token', 'session', 'asking'))
      requestFailed(draft, { status: 0, message: 'No answer.', retryAfter: null })
  },
  stable: draft => {
    draft.failures = 0
  },
  beat: draft => {
    if (draft.phase === 'ready') beat(draft)
  },
  pong: draft => {
    if (draft.phase === 'ready') connectionLost(draft, 1006, null)
  },
  answer: draft => {
    if (draft.phase === 'ready') connectionLost(draft, 1006, null)
  },
  unthrottle: draft => {
    draft.holding = false
    flush(draft)
  },
  verifying: draft => verified(draft, undefined),
  typing: draft => setTyping(draft, false),
  typed: draft => {
    draft.log = { ...draft.log, typing: false }
  },
}

function setTyping(draft: Draft, typing: boolean): void {
  if (typing) setTimer(draft, 'typing', TYPING_LASTS)
  else clearTimers(draft, 'typing')
  const { now, typing: told } = draft
  if (typing ? told !== null && Math.abs(now - told) < TYPING_AGAIN : told === null) return
  draft.typing = typing ? now : null
  const state = typing ? 'TYPING_STATE_STARTED' : 'TYPING_STATE_STOPPED'
  if (draft.phase === 'ready') tell(draft, 'USER_TYPING', { state })
}

const isTooLong = (text: string, limit: number): boolean =>
  text.length * 3 > limit && new TextEncoder().encode(text).length > limit

/** Refused, or between attempts after many that failed. */
const isStuck = (draft: Draft): boolean =>
  draft.phase === 'failed' || (draft.phase === 'waiting' && isLost(draft))

/** Adds a message to the queue, and makes sure that it is sent. */
function say(draft: Draft, { id, text, files }: Pick<Pending, 'id' | 'text' | 'files'>): void {
  if (draft.typing !== null) setTyping(draft, false)
  const tooLong = isTooLong(text, draft.log.maxMessageBytes)
  const problem = tooLong ? 'Message too large' : draft.phase === 'ended' ? '' : null
  keep(draft, { id, kind: 'message', text, ...(files && { files }), problem, session: null })
  if (problem === null && isStuck(draft)) startAgain(draft)
  else flush(draft)
}

/** Handlers of the inputs. `step` ignores inputs of an attempt that is over. */
const INPUTS: { readonly [Type in InputType]: (draft: Draft, input: Input<Type>) => void } = {
  start(draft, { session, pending, streams = false, identity = null }) {
    if (draft.phase !== 'idle') return
    if (identity !== draft.identity) {
      // Somebody else was here before.
      if (session !== null) draft.effects.push({ type: 'forget session', id: session.id })
      for (const { id } of pending) draft.effects.push({ type: 'forget pending', id })
      draft.effects.push({ type: 'store identity', identity: draft.identity })
      INPUTS.start(draft, {
        type: 'start',
        now: draft.now,
        ...{ session: null, pending: [], streams },
        identity: draft.identity,
      })
      return
    }
    draft.session = session
    draft.streams = streams && draft.config.streams === true
    draft.known = session !== null
    // Events sent to another session may have arrived there already.
    const found = pending.map(one =>
      one.session === null || one.session === session?.id ? one : { ...one, problem: one.problem ?? '' },
    )
    draft.outbox = [...found, ...draft.outbox]
    advance(draft)
  },
  token(draft, { token }) {
    if (draft.phase !== 'token') return
    draft.token = token
    advance(draft)
  },
  session(draft, { id }) {
    if (draft.phase === 'session') sessionMade(draft, id)
  },
  found(draft) {
    if (draft.phase === 'asking') sessionFound(draft)
  },
  adopt(draft, { session }) {
    if (session.id === draft.session?.id || isOneOf(draft, 'idle', 'ended')) return
    hangUp(draft)
    draft.session = session
    draft.known = true
    draft.log = EMPTY_LOG
    advance(draft)
  },
  refused(draft, { refusal }) {
    if (isOneOf(draft, 'token', 'session', 'asking')) requestFailed(draft, refusal)
  },
  frame(draft, { json }) {
    if (!isOneOf(draft, 'connecting', 'ready')) return
    draft.silentBeats = 0
    clearTimers(draft, 'pong')
    const frame = readFrame(json, draft.config.brand)
    if (frame !== null) takeFrame(draft, frame)
  },
  context: (draft, { token }) => verified(draft, token),
  closed(draft, { code, refusal, problem }) {
    if (isOneOf(draft, 'connecting', 'ready')) connectionLost(draft, code, refusal, problem)
  },
  timer: (draft, { name }) => TIMERS[name](draft),
  network(draft, { online }) {
    draft.online = online
    // A flag that may be wrong: it hastens a try, and keeps none back.
    if (online) revive(draft)
    else if (draft.phase === 'ready') check(draft)
  },
  wake: revive,
  join(draft, { id }) {
    if (isOneOf(draft, 'ended')) return
    keep(draft, { id, kind: 'join', text: '', problem: null, session: null })
    flush(draft)
  },
  say,
  resend(draft, { id }) {
    const failed = draft.outbox.find(one => one.id === id && one.problem !== null)
    if (failed !== undefined) say(draft, failed)
  },
  discard(draft, { id }) {
    if (draft.outbox.some(one => one.id === id && one.problem !== null)) forget(draft, id)
  },
  type(draft, { typing }) {
    if (draft.typing !== null || draft.log.servedBy?.kind === 'live agent') setTyping(draft, typing)
  },
  end(draft, { id }) {
    if (isOneOf(draft, 'idle', 'ended')) return
    if (draft.session === null) {
      finish(draft, 'visitor')
      return
    }
    const pending = { id, kind: 'end', text: '', problem: null, session: null } as const
    keep(draft, pending)
    sendNow(draft, pending)
    if (isStuck(draft)) startAgain(draft)
  },
  reconnect(draft) {
    if (isOneOf(draft, 'waiting', 'failed')) startAgain(draft)
  },
  renew(draft) {
    // It counts, although the socket closes at once.
    if (draft.phase === 'ready') tell(draft, 'USER_END_SESSION', {})
    if (draft.phase !== 'idle') renew(draft)
  },
  identify(draft, { identity }) {
    if (identity === draft.identity) return
    leave(draft, identity)
    if (draft.phase !== 'idle') advance(draft)
  },
  forget(draft) {
    leave(draft, null)
    draft.phase = 'idle'
  },
  destroy(draft) {
    hangUp(draft)
    draft.phase = 'destroyed'
  },
}

function handle<Type extends InputType>(draft: Draft, input: Input<Type>): void {
  INPUTS[input.type](draft, input)
}

/** A state, and what is to be done now. */
export interface Stepped {
  readonly state: State
  readonly effects: readonly Effect[]
}

/** Returns the whole client: pure, and never throws, whatever a server sends. */
export function step(state: State, input: Input): Stepped {
  const isLate = 'attempt' in input && input.attempt !== state.attempt
  if (isLate || state.phase === 'destroyed') return { state, effects: [] }
  const draft: Draft = { ...state, effects: [], now: input.now }
  handle(draft, input)
  const { effects, now: _, ...next } = draft
  return { state: next, effects }
}
