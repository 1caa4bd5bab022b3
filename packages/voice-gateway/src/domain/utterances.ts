import { WINDOW_MS } from '../audio/pcm.ts'
import type {
  CallAction,
  CallEvent,
  CallRules,
  CallState,
  PendingUtterance,
  Utterance,
} from './call-state.ts'
import { over } from './ending.ts'
import { bargeIn } from './floor.ts'
import { isAudible } from './playback.ts'
import { told } from './saying.ts'
import { andThen, frame, plain, type Step } from './step.ts'

/** At most so many utterances wait for their words. */
const PENDING = 4

/** A window of the visitor's audio. */
export function hear(
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
  if (verdict.kind === 'end') return andThen(heard, next => endUtterance(next, verdict.quietMs, now))
  if (toMs - utterance.startMs < limits.longestUtterance) return heard
  return andThen(heard, next => endUtterance({ ...next, base: verdict.voicedMs }, verdict.quietMs, now))
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
  return andThen(opened, next => bargeIn(rules, next, now))
}

/** Words so far. */
export function partial(
  rules: CallRules,
  state: CallState,
  { id, now, text }: Extract<CallEvent, { type: 'partial' }>,
): Step {
  const { utterance } = state
  if (utterance?.id !== id || text === utterance.partial) return plain(state)
  const next = { ...state, utterance: { ...utterance, partial: text } }
  return andThen(plain(next, frame({ type: 'transcript', text, final: false })), heard =>
    bargeIn(rules, heard, now),
  )
}

/** It ends with the newest window. */
export function endUtterance(state: CallState, endpointMs: number, now: number): Step {
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
export function withWords(
  state: CallState,
  { failed, id, now, text }: Extract<CallEvent, { type: 'words' }>,
): CallState {
  const pending = state.pending.map(one =>
    one.id === id && one.words === undefined ? { ...one, words: { text, failed, at: now } } : one,
  )
  return { ...state, pending }
}

/** The session has words up to there, of this socket of the call or another one: what they cover is dropped here. */
export function taken(before: CallState, untilMs: number): Step {
  if (untilMs <= before.takenMs) return plain(before)
  return andThen(
    told(before, one => one.untilMs <= untilMs),
    state => dropCovered(state, untilMs),
  )
}

function dropCovered(state: CallState, untilMs: number): Step {
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
