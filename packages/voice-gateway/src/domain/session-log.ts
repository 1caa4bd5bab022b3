import * as z from 'zod'
import type { SpokenBy } from './frames.ts'
import { hashOf, NO_TEXT, type Piece, type Place, placeOf, type SpokenReply, takePieces } from './piece.ts'
import { sentencesOf } from './sentences.ts'

/** An event of the session, as a client gets it, with its short name. */
export interface SessionEvent {
  readonly id: string
  readonly type: string
  readonly sequence: number | null
  readonly payload: Readonly<Record<string, unknown>>
  readonly custom: Readonly<Record<string, string>>
}

/** A fact that an event tells a call. */
export type SessionFact =
  | { readonly type: 'reply'; readonly reply: SpokenReply; readonly pieces: readonly Piece[] }
  | { readonly type: 'reply dropped'; readonly messageId: string }
  | { readonly type: 'taken'; readonly untilMs: number }
  | { readonly type: 'refused'; readonly clientId: string; readonly message: string }
  | { readonly type: 'session ended' }
  | { readonly type: 'leaves'; readonly destination: string }

/** A reply, as far as it is known. */
interface Reply extends SpokenReply {
  /** Chunks that came before their turn, by index. */
  readonly early: ReadonlyMap<number, { readonly text: string; readonly isLast: boolean }>
  readonly nextChunk: number
  /** The heard part of a reply that this one may repeat. Null once that is decided. */
  readonly heard: HeardUntil | null
}

/** The place up to which a visitor has heard. */
export interface HeardUntil {
  readonly place: Place
  readonly playedMs: number
  readonly done: boolean
}

/** The session as a call reads it. */
export interface SessionLog {
  /** The call, once it has an id: its messages are known by it. */
  readonly call: string | null
  readonly sequence: number
  readonly joined: boolean
  readonly ended: boolean
  readonly language: string | null
  /** Position up to which the visitor's words are in the log. */
  readonly takenMs: number
  /** The heard part of a reply that is not there: its turn is made again. */
  readonly lost: HeardUntil | null
  /** In history: replies that may have to be spoken, oldest first. Live: incomplete replies. */
  readonly replies: readonly Reply[]
  readonly live: boolean
  /** The AI agent has spoken, and nobody has taken over since. */
  readonly isAttended: boolean
  /** The number for which the agent has handed the visitor over. Null if it is back. */
  readonly leftFor: string | null
  /** The newest message of the visitor that has no reply yet, by its client's id. Null for none. */
  readonly asked: string | null
  /** Replies that the visitor cut before the call went on here, newest last: nothing more of them is spoken. */
  readonly cut: readonly string[]
}

const CALL = /^(\d{1,12})-[0-9a-f-]{36}$/

/** Returns the sequence after which a call began; null for what is no id of a call. */
export function callSince(call: string): number | null {
  const [, since] = CALL.exec(call) ?? []
  return since === undefined ? null : Number(since)
}

/** @param call the call that goes on; null for a new one */
export const emptyLog = (call: string | null): SessionLog => ({
  ...{ call, sequence: 0, joined: false, ended: false, language: null, takenMs: 0, replies: [], live: false },
  ...{ isAttended: false, leftFor: null, lost: null, asked: null, cut: [] },
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const JOINING: readonly string[] = ['AI_AGENT_JOINED', 'LIVE_AGENT_JOINED']

type Told = readonly [SessionLog, readonly SessionFact[]]

/** Takes an event. One that came before changes nothing. */
export function readEvent(before: SessionLog, event: SessionEvent): Told {
  const { payload, sequence, type } = event
  const isChunk = type === 'AI_AGENT_MESSAGE_CHUNK'
  const isKept = sequence !== null && !(isChunk && payload.is_complete !== true)
  if (isKept && sequence <= before.sequence) return [before, []]
  const log = attended(isKept ? { ...before, sequence } : before, type)
  if (JOINING.includes(type)) return [{ ...log, joined: true }, []]
  if (isChunk) return withChunk(log, before, event)
  switch (type) {
    case 'AI_AGENT_MESSAGE':
      return withReply(log, whole(before, event, 'ai_agent'))
    case 'LIVE_AGENT_MESSAGE':
      return withReply(log, whole(before, event, 'live_agent'))
    case 'USER_MESSAGE':
      return taken(log, event)
    case 'LANGUAGE_CHANGED':
      return [{ ...log, language: textOf(payload.language_code) || null }, []]
    case 'SYSTEM_MESSAGE':
      return refused(log, event)
    case 'CLIENT_HANDOFF_REQUIRED':
      return leaving(log, textOf(payload.route))
    case 'SESSION_END':
      return [{ ...log, ended: true }, [{ type: 'session ended' }]]
    default:
      return [log, []]
  }
}

const SPEAKS: readonly string[] = ['AI_AGENT_MESSAGE', 'AI_AGENT_MESSAGE_CHUNK']

const HANDS_OVER: readonly string[] = [
  'AI_AGENT_TRIGGERED_HANDOFF',
  'CLIENT_HANDOFF_REQUIRED',
  'HANDOFF_ACCEPTED',
  'LIVE_AGENT_JOINED',
  'AI_AGENT_LEFT',
]

function attended(log: SessionLog, type: string): SessionLog {
  if (SPEAKS.includes(type)) return { ...log, isAttended: true, leftFor: null }
  return HANDS_OVER.includes(type) ? { ...log, isAttended: false } : log
}

/** A phone number, E.164. */
const NUMBER = /^\+[1-9]\d{3,14}$/

/** The agent hands over to the visitor's own side. A destination that is a number is where the call goes. */
function leaving(log: SessionLog, destination: string): Told {
  if (!NUMBER.test(destination)) return [log, []]
  return [{ ...log, leftFor: destination }, log.live ? [{ type: 'leaves', destination }] : []]
}

const newReply = (log: SessionLog, messageId: string, by: SpokenBy): Reply => ({
  ...{ messageId, by, text: '', complete: false, since: log.sequence, offset: 0, taken: 0 },
  hash: NO_TEXT,
  ...{ early: new Map(), nextChunk: 1, heard: null },
})

const whole = (log: SessionLog, { id, payload }: SessionEvent, by: SpokenBy): Reply => ({
  ...newReply(log, textOf(payload.message_id) || id, by),
  text: textOf(payload.text),
  complete: true,
})

const chunkSchema = z.object({
  message_id: z.string(),
  text: z.string(),
  chunk_index: z.int().min(1).max(1_000_000),
  is_complete: z.boolean(),
})

/** As many chunks of a reply may come before their turn. */
const EARLY = 1_000

/** Puts chunks in order. One that came before changes nothing. */
function withChunk(log: SessionLog, before: SessionLog, { payload }: SessionEvent): Told {
  const read = chunkSchema.safeParse(payload)
  if (!read.success) return [log, []]
  const { chunk_index: index, is_complete: isLast, message_id: messageId, text } = read.data
  const known = log.replies.find(one => one.messageId === messageId)
  // A whole reply that is known no more came before.
  if (known === undefined && index !== 1 && log.live) return [log, []]
  const reply = known ?? newReply(before, messageId, 'ai_agent')
  if (reply.complete || index < reply.nextChunk || reply.early.size >= EARLY) return [log, []]
  const early = new Map(reply.early).set(index, { text, isLast })
  let next: Reply = { ...reply, early }
  for (let one = early.get(next.nextChunk); one; one = early.get(next.nextChunk)) {
    early.delete(next.nextChunk)
    next = { ...next, text: next.text + one.text, nextChunk: next.nextChunk + 1, complete: one.isLast }
  }
  return withReply(log, next)
}

/** Keeps a reply, and takes the pieces of it that are to be spoken now. */
function withReply(log: SessionLog, given: Reply): Told {
  if (log.cut.includes(given.messageId)) return [log, []]
  const isNew = log.replies.every(({ messageId }) => messageId !== given.messageId)
  const replaced = isNew && given.by === 'ai_agent' ? log.replies.find(isUnfinished) : undefined
  const reply =
    log.live && isNew && given.by === 'ai_agent' ? { ...given, heard: repeatedBy(log, replaced) } : given
  const others = log.replies.filter(one => one !== replaced && one.messageId !== reply.messageId)
  const dropped: readonly SessionFact[] =
    replaced === undefined || !log.live ? [] : [{ type: 'reply dropped', messageId: replaced.messageId }]
  if (!log.live) return [{ ...log, asked: null, replies: [...others, reply] }, []]
  const [next, pieces] = speak(reply)
  const replies = next.complete ? others : [...others, next]
  const lost = isNew && given.by === 'ai_agent' ? null : log.lost
  return [{ ...log, lost, replies }, [...dropped, { type: 'reply', reply: next, pieces }]]
}

/** Returns the heard part of a reply that a new one may repeat. */
const repeatedBy = ({ lost }: SessionLog, replaced: Reply | undefined): HeardUntil | null =>
  replaced === undefined ? lost : lastOf(replaced)

const isUnfinished = ({ by, complete }: Reply): boolean => by === 'ai_agent' && !complete

/** The end of the pieces that were taken of a reply. */
function lastOf({ hash, messageId, offset, since, taken: number }: Reply): HeardUntil | null {
  if (number === 0) return null
  const place = { messageId, number, since, end: offset, hash }
  return { place, playedMs: 0, done: true }
}

/** Takes pieces, but what the visitor has heard. A reply that may repeat others' words waits until that is known. */
function speak(reply: Reply): readonly [Reply, readonly Piece[]] {
  const { complete, heard, text } = reply
  if (heard === null) {
    const [next, pieces] = takePieces(reply)
    return [{ ...reply, ...next }, pieces]
  }
  const { done, place, playedMs } = heard
  if (text.length < place.end && !complete) return [reply, []]
  const start = { ...reply, heard: null }
  if (text.length < place.end || hashOf(text.slice(0, place.end)) !== place.hash) return speak(start)
  if (done) return speak({ ...start, offset: place.end, taken: place.number, hash: place.hash })
  const sentence = sentencesOf(text, 0, true)[place.number - 1]
  if (sentence === undefined) return speak(start)
  const before = {
    offset: sentence.start,
    taken: place.number - 1,
    hash: hashOf(text.slice(0, sentence.start)),
  }
  const [next, [first, ...rest]] = speak({ ...start, ...before })
  return [next, first === undefined ? rest : [{ ...first, fromMs: playedMs }, ...rest]]
}

const prefix = 'voice.'

/** As many cut replies are remembered: only the newest can still get text. */
const CUT = 32

/** The log without the replies that a message of the visitor has cut, before the call went on here (VG133). */
function withoutCut(log: SessionLog, { voice_heard = '' }: SessionEvent['custom']): SessionLog {
  if (log.live || voice_heard === '') return log
  const cut = voice_heard.split(' ').map(pair => pair.slice(0, pair.lastIndexOf(':')))
  return {
    ...log,
    cut: [...log.cut, ...cut].slice(-CUT),
    replies: log.replies.filter(({ messageId }) => !cut.includes(messageId)),
  }
}

/** A message of the visitor. If the call has said it, its id says up to which position. */
function taken(before: SessionLog, { custom }: SessionEvent): Told {
  const log = { ...withoutCut(before, custom), asked: custom.client_event_id ?? null }
  const id = custom.voice === log.call ? (custom.client_event_id ?? '') : ''
  const start = `${prefix}${log.call}.`
  const position = log.call !== null && id.startsWith(start) ? id.slice(start.length) : ''
  if (!/^\d{1,9}$/.test(position)) return [log, []]
  const untilMs = Math.max(log.takenMs, Number(position))
  return [{ ...log, takenMs: untilMs }, log.live ? [{ type: 'taken', untilMs }] : []]
}

/** The session's answer to a message that had no effect, or to a turn that failed: said aloud, for who hears only. */
function refused(log: SessionLog, { custom, id, payload }: SessionEvent): Told {
  // Nobody has said anything that silence could be refused for.
  const clientId = custom.client_event_id ?? ''
  const isOurs = clientId.startsWith(prefix) && custom.voice_kind !== 'silence'
  const text = textOf(payload.message)
  if (!log.live || !isOurs || text === '' || textOf(payload.level).endsWith('_INFO')) return [log, []]
  const reply: Reply = { ...newReply(log, id, 'ai_agent'), text, complete: true }
  const [next, pieces] = speak(reply)
  // A turn that failed in mid-reply says no more of it.
  const broken = log.replies.filter(isUnfinished)
  return [
    { ...log, lost: null, replies: log.replies.filter(one => !isUnfinished(one)) },
    [
      { type: 'refused', clientId, message: text },
      ...broken.map(({ messageId }): SessionFact => ({ type: 'reply dropped', messageId })),
      { type: 'reply', reply: next, pieces },
    ],
  ]
}

/**
 * History ends here. Returns what of it is to be spoken: for a call that goes on what the visitor has not heard, for a
 * new one nothing that was complete.
 *
 * @param call the call's id
 * @param mark the newest mark of the visitor's client; null if it has heard nothing of the call
 */
export function goLive(
  before: SessionLog,
  call: string,
  mark: { readonly id: string; readonly played_ms: number; readonly done?: boolean | undefined } | null,
): Told {
  const since = before.call === null ? before.sequence : (callSince(call) ?? before.sequence)
  const place = mark === null ? null : placeOf(mark.id)
  const known =
    mark === null || place === null ? null : { place, playedMs: mark.played_ms, done: mark.done === true }
  // No reply repeats one that was cut.
  const heard = known !== null && before.cut.includes(known.place.messageId) ? null : known
  const rest =
    before.call === null
      ? before.replies.filter(one => !one.complete)
      : unheard(before, heard === null && known !== null ? known.place.since : since, heard)
  const spoken = rest.map(speak)
  const log = {
    ...before,
    call,
    live: true,
    lost: rest.length === 0 ? heard : null,
    replies: spoken.map(([reply]) => reply).filter(({ complete }) => !complete),
  }
  const facts: readonly SessionFact[] = [
    ...spoken.map(([reply, pieces]): SessionFact => ({ type: 'reply', reply, pieces })),
    ...(before.call !== null && before.leftFor !== null
      ? [{ type: 'leaves', destination: before.leftFor } as const]
      : []),
    ...(before.ended ? [{ type: 'session ended' } as const] : []),
  ]
  return [log, facts]
}

/** The replies that a visitor has not heard to their end. */
function unheard(log: SessionLog, since: number, heard: HeardUntil | null): readonly Reply[] {
  // Only the newest one can be incomplete: an older one was made again.
  const replies = log.replies.filter((one, index) => one.complete || index === log.replies.length - 1)
  if (heard === null) return replies.filter(one => one.since >= since)
  const at = replies.findIndex(({ messageId }) => messageId === heard.place.messageId)
  const later = at >= 0 ? replies.slice(at) : replies.filter(one => one.since >= heard.place.since)
  return later.map((one, index) => (index === 0 ? { ...one, heard } : one))
}
