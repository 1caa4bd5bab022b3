import type { CallEvent, CallRules, CallState } from './call-state.ts'
import { conclude, tick } from './ending.ts'
import { interrupt, silencedCut, stopPlayback } from './floor.ts'
import { beginPiece, completed, dropOpen, enqueue, marked, sounded, unheardMs } from './playback.ts'
import { beginRecording, consented } from './recording.ts'
import { firstAudio, firstText, pressed, resolve, told } from './saying.ts'
import { andThen, dropsOf, frame, plain, type Step } from './step.ts'
import { endUtterance, hear, partial, taken, withWords } from './utterances.ts'

/** Decides what a call does. Executes nothing, and knows the time only from its events. */
export function stepCall(rules: CallRules, state: CallState, event: CallEvent): Step {
  // Frames after the end are dropped, and so is all that comes late.
  if (state.isOver) return plain(state)
  return andThen(
    andThen(happen(rules, state, event), next =>
      next.isOver ? plain(next) : settle(rules, next, event.now),
    ),
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
      if (!event.muted) return plain({ ...state, isMuted: false, activeAt: now })
      return endUtterance({ ...state, isMuted: true, detector: rules.detector.initial, base: 0 }, 0, now)
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
    case 'taken':
      return taken(state, event.untilMs)
    case 'session ended':
      return plain(
        { ...state, ending: state.ending ?? 'SESSION_ENDED', utterance: null, pending: [] },
        ...dropsOf(state),
      )
    case 'leaves':
      return plain(
        {
          ...state,
          ...(state.ending === null ? { ending: 'TRANSFERRED', destination: event.destination } : {}),
          ...{ utterance: null, pending: [] },
        },
        ...dropsOf(state),
      )
    case 'refused':
      return andThen(
        told(state, ({ clientId }) => clientId === event.clientId),
        next => plain(next, frame({ type: 'error', code: 'NOT_TAKEN', message: event.message })),
      )
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
    case 'dtmf': {
      const { isAnswer, step } = consented(rules, state, { type: 'keys', digits: event.digits })
      if (isAnswer) return andThen(step, next => plain({ ...next, activeAt: now }))
      return andThen(andThen(step, stopPlayback), next => pressed(next, event))
    }
    case 'begin':
      return beginRecording(rules, state)
    case 'recording':
      return consented(rules, state, { type: 'button', consent: event.consent }).step
    case 'unrecorded': {
      const reason = event.reason === 'full' ? 'FULL' : 'FAILED'
      return consented(rules, state, { type: 'failed' }, reason).step
    }
    case 'stop':
      return andThen(endUtterance({ ...state, ending: 'CLIENT' }, 0, now), stopPlayback)
    case 'tick':
      return tick(rules, state, event)
  }
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

/** Says what is known, in the order in which it was spoken, and begins the next piece. */
function settle(rules: CallRules, state: CallState, now: number): Step {
  const [first] = state.pending
  // The cut is settled first: the message says what was heard.
  const isCleared = state.playback.cut?.settled ?? true
  if (first?.words !== undefined && isCleared)
    return andThen(resolve(rules, state, first), next => settle(rules, next, now))
  if (first === undefined && state.utterance?.isOpen !== true && isCleared && state.playback.cut !== null)
    return andThen(plain(silencedCut(state)), next => settle(rules, next, now))
  return begin(rules, state, now)
}

/** Begins a piece unless the visitor speaks, or their words are waited for. */
function begin({ limits }: CallRules, state: CallState, now: number): Step {
  const isVisitors = state.utterance?.isOpen === true || state.pending.length > 0
  if (isVisitors || state.ending === 'CLIENT' || unheardMs(state.playback) >= limits.ahead)
    return plain(state)
  const [playback, piece] = beginPiece(state.playback, now)
  return piece === null ? plain(state) : plain({ ...state, playback }, { type: 'speak', piece })
}
