import type { CallEvent, CallRules, CallState, PendingUtterance, UntakenWords } from './call-state.ts'
import { silencedCut } from './floor.ts'
import { restore } from './playback.ts'
import { consented } from './recording.ts'
import { andThen, frame, plain, type Step } from './step.ts'

/** A message of the visitor that is on its way into the session. */
interface Saying {
  readonly clientId: string
  readonly text: string
  /** @default words */
  readonly kind?: 'silence' | 'keys'
  /** @default it is not measured */
  readonly latency?: { readonly endpointMs: number; readonly sttMs: number }
  readonly at: number
}

/** Says something in the session, with what is known by now of the replies before. */
function say(state: CallState, { at, clientId, kind, latency, text }: Saying): Step {
  const { heard, measured, playback } = silencedCut(state)
  const custom = {
    client_event_id: clientId,
    voice: state.call,
    ...(kind === undefined ? {} : { voice_kind: kind }),
    ...(heard.size === 0 ? {} : { voice_heard: [...heard].map(pair => pair.join(':')).join(' ') }),
    ...(latency === undefined
      ? {}
      : { voice_latency: `${Math.round(latency.endpointMs)} ${Math.round(latency.sttMs)}` }),
    ...(measured === null ? {} : { voice_reply: measured }),
  }
  const asked = { clientId, latency: latency ?? null, saidAt: at, reply: null }
  return plain({ ...state, playback, heard: new Map(), measured: null, asked }, { type: 'say', text, custom })
}

/** The text of a silent turn in other clients of the session. The agent reads nothing. */
const SILENCE = '…'

/** The visitor has said nothing for a time. */
export function silentTurn(state: CallState, now: number): Step {
  const clientId = `voice.${state.call}.silence.${state.positionMs}-${Math.round(now - state.startedAt)}`
  const next = { ...state, silences: state.silences + 1 }
  return say(next, { clientId, text: SILENCE, kind: 'silence', at: now })
}

/** Keys say what was heard as words do. */
export function pressed(before: CallState, { digits, id, now }: Extract<CallEvent, { type: 'dtmf' }>): Step {
  const state = { ...before, silences: 0, activeAt: now }
  const client_id = `voice.${state.call}.dtmf.${id}`
  const told = frame({ type: 'transcript', text: digits, final: true, client_id, until_ms: state.takenMs })
  return andThen(plain(state, told), next =>
    say(next, { clientId: client_id, text: digits, kind: 'keys', at: now }),
  )
}

/** Takes the words of an utterance: for the session, unless they are the answer to the question for consent. */
export function resolve(rules: CallRules, before: CallState, one: PendingUtterance): Step {
  const waiting = { ...before, pending: before.pending.slice(1) }
  const { words } = one
  const text = words?.text?.trim() ?? ''
  const isCut = waiting.playback.cut !== null
  const isNothing = words === undefined || text === '' || (isCut && rules.isFiller(text))
  const { isAnswer, step } = isNothing
    ? { isAnswer: false, step: plain(waiting) }
    : consented(rules, waiting, { type: 'words', text })
  return andThen(step, state => resolved(state, one, isNothing || isAnswer ? '' : text))
}

/** Says the words, or that there are none. */
function resolved(state: CallState, one: PendingUtterance, text: string): Step {
  const { words } = one
  if (words === undefined || text === '') {
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
  const latency = { endpointMs: one.endpointMs, sttMs: words.at - one.endedAt }
  return andThen(
    plain(
      { ...state, untaken: [...state.untaken, { clientId, untilMs: one.endMs, text }], silences: 0 },
      frame({ type: 'speech.ended', at_ms: one.endMs, taken: true }),
    ),
    next => say(next, { clientId, text, latency, at: words.at }),
  )
}

/** Tells the client which of its words the session has, or has refused: it need not keep their sound. */
export function told(state: CallState, isSettled: (words: UntakenWords) => boolean): Step {
  return plain(
    { ...state, untaken: state.untaken.filter(one => !isSettled(one)) },
    ...state.untaken
      .filter(isSettled)
      .map(({ clientId, text, untilMs }) =>
        frame({ type: 'transcript', text, final: true, client_id: clientId, until_ms: untilMs }),
      ),
  )
}

/** The first sentence of a reply. */
export function firstText(state: CallState, messageId: string, pieces: number, at: number): CallState {
  const { asked } = state
  if (asked === null || asked.reply !== null || pieces === 0) return state
  return { ...state, asked: { ...asked, reply: { messageId, at } } }
}

/** The first audio of a reply ends the measuring of its turn. */
export function firstAudio(state: CallState, { id, now }: Extract<CallEvent, { type: 'sound' }>): Step {
  const { asked, playback } = state
  const sent = playback.sent.find(({ piece }) => piece.id === id)
  const reply = asked?.reply
  if (asked === null || !reply || sent?.piece.messageId !== reply.messageId) return plain(state)
  const { clientId, latency, saidAt } = asked
  if (latency === null) return plain({ ...state, asked: null })
  const turn = {
    endpoint_ms: Math.round(latency.endpointMs),
    stt_ms: Math.round(latency.sttMs),
    first_text_ms: Math.round(reply.at - saidAt),
    first_audio_ms: Math.round(now - reply.at),
  }
  const measured = [clientId, turn.first_text_ms, turn.first_audio_ms].join(' ')
  return plain({ ...state, asked: null, measured }, { type: 'report', turn })
}
