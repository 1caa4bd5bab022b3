import { clearTimers, type Draft, setTimer } from './draft.ts'
import { EMPTY_LOG, type EndReason, withoutPresent } from './log.ts'
import { closeOutbox, keep, refuse, tell } from './outbox.ts'
import type { AccessToken, Problem, Refusal, Session, State } from './state.ts'

/** Pauses between attempts: doubled each time, up to the longest, milliseconds. */
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000

/** The longest that a server can make a client wait, milliseconds. */
const LONGEST_RETRY_AFTER = 3_600_000

/** Time limit for a token, a session and the first batch, each, milliseconds. */
const DEADLINE = 20_000

/** A connection that has stood for so long makes up for the failures before it, milliseconds. */
const STABLE_AFTER = 5_000

/** Time limit for a sign of life after the network has changed, milliseconds. */
const PONG_WAIT = 5_000

/** A token that ends sooner is not used for a new session, milliseconds; nor one past half of its life. */
const FRESH_FOR = 3_600_000

/** Time that events wait for a verified context before they are sent, milliseconds. */
const VERIFYING = 4_000

/** Heartbeats in a row that may stay without any frame of the server. */
const SILENT_BEATS = 2

/** After as many refused handshakes the client asks over HTTP whether it is the session that is refused. */
const DOUBTS_AFTER = 2

/** After as many, streams take over where HTTP answers. */
const STREAMS_AFTER = 3

/** Shortest delay after a status 429 (too many connections) without `Retry-After`, milliseconds. */
const CROWDED = 5_000

const CLOSED = { ended: 1000, goingAway: 1001, tooLarge: 1009, tooSlow: 1013, unknown: 4001 } as const

/** Cancels everything in progress. */
export function hangUp(draft: Draft): void {
  draft.attempt += 1
  draft.inFlight = null
  draft.holding = false
  draft.verifying = false
  draft.silentBeats = 0
  draft.typing = null
  clearTimers(
    draft,
    'retry',
    'deadline',
    'stable',
    'beat',
    'pong',
    'answer',
    'unthrottle',
    'typing',
    'typed',
    'verifying',
  )
  draft.effects.push({ type: 'hang up' })
}

const isFresh = ({ issuedAt, expiresAt }: AccessToken, now: number): boolean =>
  expiresAt - now > Math.min(FRESH_FOR, (expiresAt - issuedAt) / 2)

/** Takes the next step on the way to a connection. */
export function advance(draft: Draft): void {
  const { now, session, token } = draft
  // A clock that is wrong ends no session: the server is asked.
  if (session !== null && !draft.doubting && session.token.expiresAt > now) {
    connect(draft, session)
    return
  }
  draft.attempt += 1
  const { attempt } = draft
  setTimer(draft, 'deadline', DEADLINE)
  if (session !== null) {
    draft.phase = 'asking'
    draft.effects.push({ type: 'ask session', attempt, session })
  } else if (token !== null && isFresh(token, now)) {
    draft.phase = 'session'
    draft.effects.push({ type: 'create session', attempt, token, identity: draft.identity })
  } else {
    draft.phase = 'token'
    draft.effects.push({ type: 'get token', attempt })
  }
}

function connect(draft: Draft, session: Session): void {
  draft.attempt += 1
  setTimer(draft, 'deadline', DEADLINE)
  draft.phase = 'connecting'
  const { attempt, log, streams } = draft
  draft.effects.push({ type: 'connect', attempt, session, cursor: log.cursor, streams })
}

/** The server has the session. Where it lets no socket through, streams take over. */
export function sessionFound(draft: Draft): void {
  draft.doubting = false
  draft.problem = null
  if (draft.session === null) return
  if (draft.config.streams === true && !draft.streams && draft.failures >= STREAMS_AFTER) {
    draft.streams = true
    draft.effects.push({ type: 'keep to streams' })
  }
  connect(draft, draft.session)
}

/** True after as many failures in a row as the server allows. The client keeps trying, and the visitor is notified. */
export const isLost = ({ config, failures, log }: State): boolean =>
  failures > (config.maxAttempts ?? log.maxReconnectAttempts)

/** Tries again from the beginning. */
export function startAgain(draft: Draft): void {
  hangUp(draft)
  draft.failures = 0
  draft.problem = null
  advance(draft)
}

/** Waits before the next attempt, at least for so long, milliseconds. */
function backOff(draft: Draft, { least = 0, spread = 0 } = {}): void {
  hangUp(draft)
  draft.failures += 1
  draft.phase = 'waiting'
  const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (draft.failures - 1))
  const min = Math.max(pause / 2, Math.min(least, LONGEST_RETRY_AFTER))
  setTimer(draft, 'retry', min, Math.max(pause, min * 1.25, spread))
}

/** Returns the server refuses, and asking again would not help. */
function fail(draft: Draft, problem: Problem): void {
  hangUp(draft)
  draft.phase = 'failed'
  draft.problem = problem
}

/** The session is over. */
export function finish(draft: Draft, reason: EndReason): void {
  hangUp(draft)
  if (draft.session !== null) draft.effects.push({ type: 'forget session', id: draft.session.id })
  draft.session = null
  draft.doubting = false
  draft.phase = 'ended'
  draft.log = { ...withoutPresent(draft.log), servedBy: null, ended: draft.log.ended ?? reason }
  draft.log = { ...draft.log, messages: draft.log.messages.filter(({ state }) => state !== 'streaming') }
  closeOutbox(draft, false)
}

/** Leaves the session for a new one. */
export function renew(draft: Draft): void {
  hangUp(draft)
  if (draft.session !== null) draft.effects.push({ type: 'forget session', id: draft.session.id })
  draft.session = null
  draft.known = false
  draft.doubting = false
  draft.failures = 0
  draft.problem = null
  draft.log = EMPTY_LOG
  closeOutbox(draft, true)
  advance(draft)
}

/** The server does not know the session any more. One of which nothing was shown is replaced without a word. */
function sessionGone(draft: Draft): void {
  if (draft.log.cursor > 0) finish(draft, 'gone')
  else if (draft.known) renew(draft)
  else fail(draft, { status: 404, message: 'The server does not know the session that it has just made.' })
}

/** A request failed. */
export function requestFailed(draft: Draft, refusal: Refusal): void {
  const { phase, token } = draft
  const { status, message, retryAfter } = refusal
  draft.problem = { status, message }
  if (phase === 'asking' && (status === 401 || status === 404)) sessionGone(draft)
  else if (phase === 'asking' || status === 0 || status === 408 || status === 429 || status >= 500)
    backOff(draft, { least: retryAfter ?? (status === 429 ? CROWDED : 0) })
  else {
    draft.token = null
    // A token from before may have been revoked: one more is asked for, and no third.
    const isOld = token !== null && token.issuedAt < draft.now - DEADLINE
    if (phase === 'session' && status === 401 && isOld) backOff(draft)
    else fail(draft, draft.problem)
  }
}

/** A new session was made: for the visitor, or to see that the server makes any. */
export function sessionMade(draft: Draft, id: string): void {
  const { token } = draft
  if (token === null) return
  draft.session = { id, token }
  draft.known = false
  draft.effects.push({ type: 'store session', session: draft.session })
  connect(draft, draft.session)
}

/** Returns the connection broke, or was never made. */
export function connectionLost(draft: Draft, code: number, refusal: Refusal | null, problem = ''): void {
  const wasOpen = draft.phase === 'ready'
  draft.problem = { status: refusal?.status ?? code, message: refusal?.message ?? problem }
  const status = refusal?.status ?? 0
  if (code === CLOSED.tooLarge && draft.inFlight !== null) refuse(draft, draft.inFlight, '')
  // Proxies in between may close and refuse as they like. So the server itself is asked, and only its answer ends a
  // session.
  if (code === CLOSED.ended || code === CLOSED.unknown || (status >= 400 && status < 500 && status !== 429))
    draft.doubting = true
  if (!wasOpen && draft.failures + 1 >= DOUBTS_AFTER) draft.doubting = true
  const leastOf429 = status === 429 ? CROWDED : 0
  backOff(draft, {
    least: refusal?.retryAfter ?? (code === CLOSED.tooSlow ? 2_000 : leastOf429),
    // All clients of a server that goes away come at once.
    spread: code === CLOSED.goingAway ? 2_000 : 0,
  })
}

/** The first batch has come. */
export function ready(draft: Draft): void {
  draft.phase = 'ready'
  draft.known = true
  draft.doubting = false
  draft.problem = null
  clearTimers(draft, 'deadline')
  setTimer(draft, 'stable', STABLE_AFTER)
  setTimer(draft, 'beat', draft.log.heartbeatSeconds * 1_000)
  if (draft.config.verifies && draft.log.contextId !== '') {
    draft.verifying = true
    setTimer(draft, 'verifying', VERIFYING)
    const { attempt, identity, log } = draft
    draft.effects.push({ type: 'get context', attempt, contextId: log.contextId, identity })
  }
  if (!draft.config.joins || draft.log.joined || draft.outbox.some(({ kind }) => kind === 'join')) return
  // All clients of the session request it under one id, so it takes effect once.
  const { outbox } = draft
  keep(draft, { id: 'join', kind: 'join', text: '', problem: null, session: null })
  draft.outbox = [...draft.outbox.slice(-1), ...outbox]
}

export function beat(draft: Draft): void {
  if (draft.silentBeats >= SILENT_BEATS) connectionLost(draft, 1006, null)
  else {
    draft.silentBeats += 1
    tell(draft, 'HEARTBEAT', {})
    setTimer(draft, 'beat', draft.log.heartbeatSeconds * 1_000)
  }
}

/** Something about the network or the machine has changed: is the connection still there? */
export function check(draft: Draft): void {
  tell(draft, 'HEARTBEAT', {})
  setTimer(draft, 'pong', PONG_WAIT)
}

/** After a while without use: what waits is tried now. */
export function revive(draft: Draft): void {
  if (draft.phase === 'ready') check(draft)
  else if (draft.phase === 'waiting') {
    hangUp(draft)
    draft.failures = 0
    setTimer(draft, 'retry', 0, FIRST_PAUSE)
  }
}
