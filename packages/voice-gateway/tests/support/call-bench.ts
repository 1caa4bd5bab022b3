import { samplesOf, UP_RATE, WINDOW_MS } from '../../src/audio/pcm.ts'
import {
  type CallAction,
  type CallRules,
  type CallState,
  initialCall,
  type Told,
} from '../../src/domain/call-state.ts'
import { NOT_RECORDED } from '../../src/domain/consent.ts'
import { createEnergyDetector } from '../../src/domain/energy-detector.ts'
import { type CallOptions, fillerTest, limitsOf } from '../../src/domain/limits.ts'
import { NO_TEXT, type Piece, type SpokenReply, takePieces } from '../../src/domain/piece.ts'
import { stepCall } from '../../src/domain/step-call.ts'
import { silenceOf, tonesOf } from '../../src/testing/index.ts'

const VOICE = samplesOf(tonesOf('v', UP_RATE))
const QUIET = samplesOf(silenceOf(WINDOW_MS, UP_RATE))

/** Rules with the default limits, and others that are given. */
export const rulesOf = (options: CallOptions = {}): CallRules => ({
  limits: limitsOf(options),
  detector: createEnergyDetector(),
  isFiller: fillerTest({}),
  consent: NOT_RECORDED,
})

/** How long a piece sounds: 20 milliseconds a character, as the scripted speaker speaks. */
const durationOf = ({ text }: Piece): number => text.length * WINDOW_MS

/**
 * A call without ports: a transcriber, a speaker and a client's player, all in one. The player says what it has really
 * played, so that what the call believes can be compared.
 */
export function createCallBench(rules: CallRules = rulesOf()) {
  let state: CallState = initialCall(rules, { call: '0-call', now: 0, takenMs: 0 })
  let now = 0
  let position = 0
  const actions: CallAction[] = []
  /** What the player has: pieces in order, with the audio that came. */
  let player: { readonly piece: Piece; readonly from: number; received: number; played: number }[] = []
  let speaking: { readonly piece: Piece; at: number } | null = null
  /** What was heard: parts of pieces by id, in milliseconds. */
  const heard: { readonly id: string; readonly from: number; readonly to: number }[] = []
  const replies = new Map<string, SpokenReply>()
  let answersClear = true
  let takesWords = true

  function tell(told: Told): void {
    const step = stepCall(rules, state, { ...told, now })
    state = step.state
    for (const action of step.actions) {
      actions.push(action)
      if (action.type === 'speak') speaking = { piece: action.piece, at: action.piece.fromMs }
      if (action.type === 'hush') speaking = null
      if (action.type === 'say' && takesWords) {
        const untilMs = Number(action.custom.client_event_id?.split('.').at(-1))
        if (Number.isInteger(untilMs)) tell({ type: 'taken', untilMs })
      }
      if (action.type === 'frame' && action.frame.type === 'clear') clear()
    }
  }

  function keep(one: { piece: Piece; from: number; played: number }): void {
    if (one.played > one.from) heard.push({ id: one.piece.id, from: one.from, to: one.played })
  }

  function clear(): void {
    const newest = player.findLast(({ from, played }) => played > from)
    for (const one of player) keep(one)
    player = []
    if (!answersClear) return
    const mark = { id: newest?.piece.id ?? '', played_ms: newest?.played ?? 0, cleared: true }
    tell({ type: 'mark', mark })
  }

  return {
    get state() {
      return state
    },
    get now() {
      return now
    },
    actions,
    heard,
    replies,
    tell,
    /** The client never says what it had played when it was told to stop. */
    isDeafToClear() {
      answersClear = false
    },
    /** The session does not answer until it is told to. */
    holdWords() {
      takesWords = false
    },
    frames: () => actions.flatMap(action => (action.type === 'frame' ? [action.frame] : [])),
    said: () => actions.flatMap(action => (action.type === 'say' ? [action] : [])),
    /** The visitor makes a sound. Nobody plays meanwhile. */
    voice(ms: number) {
      for (let left = ms; left > 0; left -= WINDOW_MS) {
        now += WINDOW_MS
        position += WINDOW_MS
        tell({ type: 'window', samples: VOICE, toMs: position })
      }
    },
    quiet(ms: number) {
      for (let left = ms; left > 0; left -= WINDOW_MS) {
        now += WINDOW_MS
        position += WINDOW_MS
        tell({ type: 'window', samples: QUIET, toMs: position })
      }
    },
    /** More of a reply's text. */
    reply(messageId: string, text: string, complete: boolean) {
      const known = replies.get(messageId) ?? {
        ...{ messageId, by: 'ai_agent' as const, text: '', complete: false, since: 0, offset: 0, taken: 0 },
        hash: NO_TEXT,
      }
      const [reply, pieces] = takePieces({ ...known, text: known.text + text, complete })
      replies.set(messageId, reply)
      tell({ type: 'reply', reply: { messageId, complete, end: reply.offset }, pieces })
    },
    /** The speaker makes a part of the sentence in progress. */
    speak(ms: number) {
      if (speaking === null) return
      const { at, piece } = speaking
      const more = Math.min(ms, durationOf(piece) - at)
      if (more > 0) {
        const one = player.find(each => each.piece.id === piece.id)
        if (one === undefined) player.push({ piece, from: at, received: at + more, played: at })
        else one.received += more
        speaking.at += more
        tell({ type: 'sound', id: piece.id, ms: more })
      }
      if (speaking !== null && speaking.at >= durationOf(piece)) {
        speaking = null
        tell({ type: 'spoken', id: piece.id, failed: false })
      }
    },
    /** The client plays, and marks what it has played. */
    play(ms: number, marks = true) {
      let left = ms
      now += ms
      for (const one of player) {
        const more = Math.min(left, one.received - one.played)
        one.played += more
        left -= more
      }
      const newest = player.findLast(({ from, played }) => played > from)
      for (const one of player) if (one.played >= durationOf(one.piece) && one !== newest) keep(one)
      player = player.filter(one => one === newest || one.played < durationOf(one.piece))
      if (newest === undefined || !marks) return
      const done = newest.played >= durationOf(newest.piece)
      if (done) {
        keep(newest)
        player = player.filter(one => one !== newest)
      }
      tell({ type: 'mark', mark: { id: newest.piece.id, played_ms: newest.played, done } })
    },
    words(id: number, text: string | null, failed = false) {
      tell({ type: 'words', id, text, failed })
    },
    wait(ms: number, isAttended = true) {
      for (let left = ms; left > 0; left -= 250) {
        now += Math.min(left, 250)
        tell({ type: 'tick', isAttended })
      }
    },
    /** How much of a reply the visitor has really heard, characters. */
    heardOf(messageId: string): number {
      const { text = '' } = replies.get(messageId) ?? {}
      const [, pieces] = takePieces({
        ...{
          messageId,
          by: 'ai_agent' as const,
          text,
          complete: true,
          since: 0,
          offset: 0,
          taken: 0,
          hash: NO_TEXT,
        },
      })
      let characters = 0
      for (const { id, start } of pieces) {
        const to = Math.max(
          0,
          ...[...heard, ...player.map(one => ({ id: one.piece.id, to: one.played }))]
            .filter(one => one.id === id)
            .map(one => one.to),
        )
        if (to > 0) characters = start + Math.floor(to / WINDOW_MS)
      }
      return characters
    },
  }
}
