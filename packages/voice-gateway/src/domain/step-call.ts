import { WINDOW_MS } from '../audio/pcm.ts'
import type {
  CallAction,
  CallEvent,
  CallRules,
  CallState,
  PendingUtterance,
  Utterance,
} from './call-state.ts'
import type { ServerFrame, StopReason } from './frames.ts'
import {
  beginPiece,
  completed,
  cutPlayback,
  dropOpen,
  enqueue,
  heardOf,
  isAudible,
  isPlaying,
  marked,
  restore,
  silence,
  sounded,
  unheardMs,
} from './playback.ts'

/** A state, and what is to be done. */
export interface Step {
  readonly state: CallState
  readonly actions: readonly CallAction[]
}

const frame = (of: ServerFrame): CallAction => ({ type: 'frame', frame: of })

const then = ({ actions, state }: Step, next: (state: CallState) => Step): Step => {
  const step = next(state)
  return { state: step.state, actions: [...actions, ...step.actions] }
}

const plain = (state: CallState, ...actions: readonly CallAction[]): Step => ({ state, actions })

/** At most so many utterances wait for their words. */
const PENDING = 4

/** Digits and messages that say what was heard of the replies before. */
const customOf = (state: CallState, clientId: string, heard: ReadonlyMap<string, number>) => ({
  client_event_id: clientId,
  voice: state.call,
  ...(heard.size === 0 ? {} : { voice_heard: [...heard].map(pair => pair.join(':')).join(' ') }),
})

/** Decides what a call does. Executes nothing, and knows the time only from its events. */
export function stepCall(rules: CallRules, state: CallState, event: CallEvent): Step {
  // Frames after the end are dropped, and so is all that comes late.
  if (state.isOver) return plain(state)
  return then(
    then(happen(rules, state, event), next => (next.isOver ? plain(next) : settle(rules, next, event.now))),
    conclude,
  )
}

function happen(rules: CallRules, state: CallState, event: CallEvent): Step {
  const { now } = event
  const { playback } = state
  switch (event.type) {
    case 'window':
      return hear(rules, state, event)
    case 'mute':
      return endUtterance({ ...state, detector: rules.detector.initial, base: 0 }, 0, now)
    case 'partial':
      return partial(rules, state, event)
    case 'end of turn':
      if (state.utterance?.id !== event.id) return plain(state)
      return endUtterance({ ...state, base: state.base + state.utterance.voicedMs }, 0, now)
    case 'words':
      return plain(withWords(state, event))
    case 'reply':
      return plain({
        ...firstText(state, event.reply.messageId, event.pieces.length, now),
        playback: enqueue(playback, event.reply, event.pieces),
        activeAt: now,
      })
    case 'reply dropped':
      return plain({ ...state, playback: dropOpen(playback, event.messageId) })
    case 'taken elsewhere':
      return takenElsewhere(state, event.untilMs)
    case 'session ended':
      return plain(
        { ...state, ending: state.ending ?? 'SESSION_ENDED', utterance: null, pending: [] },
        ...dropsOf(state),
      )
    case 'refused':
      return plain(state, frame({ type: 'error', code: 'NOT_TAKEN', message: event.message }))
    case 'sound':
      return firstAudio(
        { ...state, playback: sounded(playback, event.id, event.ms, now), activeAt: now },
        event,
      )
    case 'spoken':
      return spoken(state, event)
    case 'mark':
      return plain({ ...state, playback: marked(playback, event.mark, now), activeAt: now })
    case 'interrupt':
      return interrupt(rules, state, now)
    case 'dtmf':
      return then(stopPlayback(state), next => pressed(next, event))
    case 'stop':
      return then(endUtterance({ ...state, ending: 'CLIENT' }, 0, now), stopPlayback)
    case 'tick':
      return tick(rules, state, now)
  }
}

/** A window of the visitor's audio. */
function hear(
  rules: CallRules,
  before: CallState,
  { now, samples, toMs }: Extract<CallEvent, { type: 'window' }>,
): Step {
  const { limits } = rules
  if (before.ending !== null) return plain(before)
  const receivedMs = before.receivedMs + WINDOW_MS
  if (receivedMs > now - before.startedAt + limits.longestUtterance + WINDOW_MS)
    return over(before, 'flooding', {
      type: 'error',
      code: 'TOO_FAST',
      message: 'Audio comes faster than it is spoken.',
    })
  const partialWords = before.utterance?.partial ?? ''
  const [detector, verdict] = rules.detector.observe(before.detector, { samples, partial: partialWords })
  const base = verdict.kind === 'speech' ? before.base : 0
  const state = { ...before, detector, base, receivedMs, positionMs: toMs }
  if (verdict.kind === 'silence') return plain(state)
  const voicedMs = Math.max(0, verdict.voicedMs - before.base)
  if (state.utterance === null && (verdict.kind === 'end' || voicedMs === 0)) return plain(state)
  const utterance: Utterance = {
    ...(state.utterance ?? {
      ...{ id: state.nextId, startMs: toMs - WINDOW_MS, isOpen: false, partial: '' },
      overPlayback: isAudible(state.playback),
    }),
    voicedMs,
  }
  const nextId = Math.max(state.nextId, utterance.id + 1)
  const heard = listen(rules, { ...state, utterance, nextId, activeAt: now }, now)
  if (verdict.kind === 'end') return then(heard, next => endUtterance(next, verdict.quietMs, now))
  if (toMs - utterance.startMs < limits.longestUtterance) return heard
  return then(heard, next => endUtterance({ ...next, base: verdict.voicedMs }, verdict.quietMs, now))
}

/** Opens the transcription of a voice that is no click, and stops the agent for one that goes on. */
function listen(rules: CallRules, state: CallState, now: number): Step {
  const { utterance } = state
  if (utterance === null || utterance.voicedMs < rules.limits.shortestVoice) return plain(state)
  const opened = utterance.isOpen
    ? plain(state)
    : plain(
        { ...state, utterance: { ...utterance, isOpen: true } },
        { type: 'open', id: utterance.id, fromMs: utterance.startMs },
        frame({ type: 'speech.started', at_ms: utterance.startMs }),
      )
  return then(opened, next => bargeIn(rules, next, now))
}

function bargeIn({ isFiller, limits }: CallRules, state: CallState, now: number): Step {
  const { playback, utterance } = state
  const speaks = utterance !== null && utterance.voicedMs >= limits.bargeIn && !isFiller(utterance.partial)
  if (!speaks || playback.cut !== null || !isPlaying(playback)) return plain(state)
  return plain(
    { ...state, playback: cutPlayback(playback, now + limits.clearance) },
    { type: 'hush' },
    frame({ type: 'clear' }),
  )
}

/** Drops what was cut, and notes for the next message what was heard of it. */
function silencedCut(state: CallState): CallState {
  const { cut } = state.playback
  if (cut === null) return state
  return {
    ...state,
    heard: new Map([...state.heard, ...heardOf(cut)]),
    playback: silence(state.playback),
  }
}

function partial(
  rules: CallRules,
  state: CallState,
  { id, now, text }: Extract<CallEvent, { type: 'partial' }>,
): Step {
  const { utterance } = state
  if (utterance?.id !== id || text === utterance.partial) return plain(state)
  const next = { ...state, utterance: { ...utterance, partial: text } }
  return then(plain(next, frame({ type: 'transcript', text, final: false })), heard =>
    bargeIn(rules, heard, now),
  )
}

/** It ends with the newest window. */
function endUtterance(state: CallState, endpointMs: number, now: number): Step {
  const { pending, playback, utterance } = state
  if (utterance === null) return plain(state)
  const ended = { ...state, utterance: null }
  if (!utterance.isOpen) return plain(ended)
  const endMs = state.positionMs
  const isBurst = utterance.overPlayback && isAudible(playback) && playback.cut === null
  if (isBurst || pending.length >= PENDING)
    return plain(
      ended,
      { type: 'drop', id: utterance.id },
      frame({ type: 'speech.ended', at_ms: endMs, taken: false }),
    )
  const next: PendingUtterance = { id: utterance.id, endMs, endpointMs, endedAt: now }
  return plain({ ...ended, pending: [...pending, next] }, { type: 'end', id: utterance.id })
}

/** Words count once, and not before the utterance is over. */
function withWords(
  state: CallState,
  { failed, id, now, text }: Extract<CallEvent, { type: 'words' }>,
): CallState {
  const pending = state.pending.map(one =>
    one.id === id && one.words === undefined ? { ...one, words: { text, failed, at: now } } : one,
  )
  return { ...state, pending }
}

/** Another socket of the call has said it: what it covers is dropped here. */
function takenElsewhere(state: CallState, untilMs: number): Step {
  if (untilMs <= state.takenMs) return plain(state)
  const isCovered = ({ endMs }: PendingUtterance): boolean => endMs <= untilMs
  const { utterance } = state
  const isOpenCovered = utterance !== null && utterance.startMs < untilMs
  const dropped = [
    ...state.pending.filter(isCovered).map(({ id }) => id),
    ...(isOpenCovered && utterance.isOpen ? [utterance.id] : []),
  ]
  return plain(
    {
      ...state,
      takenMs: untilMs,
      pending: state.pending.filter(one => !isCovered(one)),
      utterance: isOpenCovered ? null : utterance,
    },
    ...dropped.map((id): CallAction => ({ type: 'drop', id })),
  )
}

/** The visitor wants silence: what is cut is not spoken again, whatever else is heard. */
function interrupt({ limits }: CallRules, state: CallState, now: number): Step {
  const { cut } = state.playback
  const clear = frame({ type: 'clear' })
  if (cut !== null)
    return plain({ ...state, playback: { ...state.playback, cut: { ...cut, final: true } } }, clear)
  if (!isPlaying(state.playback)) return plain(state, clear)
  const playback = cutPlayback(state.playback, now + limits.clearance, true)
  return plain({ ...state, playback }, { type: 'hush' }, clear)
}

/** Stops playback without waiting for what was heard: the newest mark counts. */
function stopPlayback(state: CallState): Step {
  if (!isPlaying(state.playback)) return plain(silencedCut(state))
  const playback = cutPlayback(silencedCut(state).playback, 0, true)
  return plain(silencedCut({ ...silencedCut(state), playback }), { type: 'hush' }, frame({ type: 'clear' }))
}

/** Keys say what was heard as words do. */
function pressed(state: CallState, { digits, id }: Extract<CallEvent, { type: 'dtmf' }>): Step {
  const client_id = `voice.${state.call}.dtmf.${id}`
  const told = frame({ type: 'transcript', text: digits, final: true, client_id, until_ms: state.takenMs })
  return then(plain(state, told), next => say(next, client_id, digits, { voice_dtmf: digits }))
}

function spoken(state: CallState, { failed, id }: Extract<CallEvent, { type: 'spoken' }>): Step {
  const one = state.playback.sent.find(({ complete, piece }) => !complete && piece.id === id)
  if (one === undefined) return plain(state)
  const next = { ...state, playback: completed(state.playback, id) }
  const duration_ms = Math.round(one.sentMs)
  if (!failed) return plain(next, frame({ type: 'audio.end', id, duration_ms }))
  return plain(
    next,
    frame({ type: 'audio.end', id, duration_ms, failed: true }),
    frame({
      type: 'error',
      code: 'SPEECH_FAILED',
      message: 'A reply could not be spoken. Its text is in the session.',
    }),
  )
}

/** Says something in the session, with what was heard of the replies before. */
function say(
  state: CallState,
  clientId: string,
  text: string,
  more: Readonly<Record<string, string>> = {},
): Step {
  const { heard, playback } = silencedCut(state)
  return plain(
    { ...state, playback, heard: new Map() },
    { type: 'say', text, custom: { ...customOf(state, clientId, heard), ...more } },
  )
}

/** Says what is known, in the order in which it was spoken, and begins the next piece. */
function settle(rules: CallRules, state: CallState, now: number): Step {
  const [first] = state.pending
  // The cut is settled first: the message says what was heard.
  const isCleared = state.playback.cut?.settled ?? true
  if (first?.words !== undefined && isCleared)
    return then(resolve(rules, state, first), next => settle(rules, next, now))
  if (first === undefined && state.utterance?.isOpen !== true && isCleared && state.playback.cut !== null)
    return then(plain(silencedCut(state)), next => settle(rules, next, now))
  return begin(rules, state, now)
}

function resolve(rules: CallRules, before: CallState, one: PendingUtterance): Step {
  const state = { ...before, pending: before.pending.slice(1) }
  const { words } = one
  const text = words?.text?.trim() ?? ''
  const isCut = state.playback.cut !== null
  if (words === undefined || text === '' || (isCut && rules.isFiller(text))) {
    const untaken = frame({ type: 'speech.ended', at_ms: one.endMs, taken: false })
    const failure = frame({
      type: 'error',
      code: 'TRANSCRIPTION_FAILED',
      message: 'The sentence was not understood. Say it again.',
    })
    return plain(
      state.playback.cut?.final === true
        ? silencedCut(state)
        : { ...state, playback: restore(state.playback) },
      untaken,
      ...(words?.failed === true ? [failure] : []),
    )
  }
  const clientId = `voice.${state.call}.${one.endMs}`
  const asked = {
    endpointMs: one.endpointMs,
    sttMs: words.at - one.endedAt,
    saidAt: words.at,
    reply: null,
  }
  return then(
    plain(
      { ...state, takenMs: Math.max(state.takenMs, one.endMs), asked },
      frame({ type: 'speech.ended', at_ms: one.endMs, taken: true }),
      frame({ type: 'transcript', text, final: true, client_id: clientId, until_ms: one.endMs }),
    ),
    next => say(next, clientId, text),
  )
}

/** Begins a piece unless the visitor speaks, or their words are waited for. */
function begin({ limits }: CallRules, state: CallState, now: number): Step {
  const isVisitors = state.utterance?.isOpen === true || state.pending.length > 0
  if (isVisitors || state.ending === 'CLIENT' || unheardMs(state.playback) >= limits.ahead)
    return plain(state)
  const [playback, piece] = beginPiece(state.playback, now)
  return piece === null ? plain(state) : plain({ ...state, playback }, { type: 'speak', piece })
}

function firstText(state: CallState, messageId: string, pieces: number, at: number): CallState {
  const { asked } = state
  if (asked === null || asked.reply !== null || pieces === 0) return state
  return { ...state, asked: { ...asked, reply: { messageId, at } } }
}

/** The first audio of a reply ends the measuring of its turn. */
function firstAudio(state: CallState, { id, now }: Extract<CallEvent, { type: 'sound' }>): Step {
  const { asked, playback } = state
  const sent = playback.sent.find(({ piece }) => piece.id === id)
  const reply = asked?.reply
  if (asked === null || !reply || sent?.piece.messageId !== reply.messageId) return plain(state)
  return plain(
    { ...state, asked: null },
    {
      type: 'report',
      turn: {
        endpoint_ms: Math.round(asked.endpointMs),
        stt_ms: Math.round(asked.sttMs),
        first_text_ms: Math.round(reply.at - asked.saidAt),
        first_audio_ms: Math.round(now - reply.at),
      },
    },
  )
}

/** The transcriptions that are open. */
const dropsOf = ({ pending, utterance }: CallState): readonly CallAction[] =>
  [...pending, ...(utterance?.isOpen === true ? [utterance] : [])].map(({ id }) => ({ type: 'drop', id }))

function over(
  state: CallState,
  reason: Extract<CallAction, { type: 'close' }>['reason'],
  last: ServerFrame,
): Step {
  return plain(
    { ...state, isOver: true, utterance: null, pending: [] },
    ...dropsOf(state),
    { type: 'hush' },
    frame(last),
    { type: 'close', reason },
  )
}

const stopped = (state: CallState, reason: StopReason): Step =>
  over(state, 'ended', { type: 'voice.stopped', reason })

/** Deadlines. */
function tick({ limits }: CallRules, state: CallState, now: number): Step {
  const { cut } = state.playback
  const playback =
    cut !== null && !cut.settled && now >= cut.until
      ? { ...state.playback, cut: { ...cut, settled: true } }
      : state.playback
  const late = ({ endedAt, words }: PendingUtterance): boolean =>
    words === undefined && now - endedAt >= limits.transcription
  const pending = state.pending.map(one =>
    late(one) ? { ...one, words: { text: null, failed: true, at: now } } : one,
  )
  const dropped = state.pending.filter(late).map(({ id }): CallAction => ({ type: 'drop', id }))
  const next = { ...state, playback, pending }
  if (unheardMs(playback) > 0 && now - playback.heardAt >= limits.stall) {
    if (state.ending !== null) return stopped(next, state.ending)
    const message = 'Audio waits, and none of it is marked as played.'
    return over(next, 'too_slow', { type: 'error', code: 'STALLED', message })
  }
  if (now - state.startedAt >= limits.call) return stopped(next, 'TOO_LONG')
  const isQuiet = !isAudible(playback) && pending.length === 0 && state.utterance === null
  if (isQuiet && now - state.activeAt >= limits.silence) return stopped(next, 'SILENCE')
  return plain(next, ...dropped)
}

/** Ends a call that is to end, once what belongs to it is done. */
function conclude(state: CallState): Step {
  const { ending, pending, playback } = state
  if (state.isOver || ending === null || pending.length > 0) return plain(state)
  return ending === 'CLIENT' || !(isAudible(playback) || playback.cut !== null)
    ? stopped(state, ending)
    : plain(state)
}
