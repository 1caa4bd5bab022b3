import type { Mark } from './frames.ts'
import { type Piece, QUESTION } from './piece.ts'
import { speakable } from './sentences.ts'

/** A piece whose audio is on its way to the visitor. Milliseconds count from its beginning. */
export interface SentPiece {
  readonly piece: Piece
  readonly sentMs: number
  readonly playedMs: number
  /** All of its audio was sent. */
  readonly complete: boolean
}

/** The audio that was not heard yet when playback was stopped. */
export interface Cut {
  readonly sent: readonly SentPiece[]
  readonly waiting: readonly Piece[]
  /** A reply of which more will come, and how much of it was heard if all its pieces were. */
  readonly open: OpenReply | null
  /** The visitor's client may say until then what it has played. */
  readonly until: number
  readonly settled: boolean
  /** It is not spoken again, whatever the visitor says. */
  readonly final: boolean
}

/** A reply that streams: how far its pieces go. */
export interface OpenReply {
  readonly messageId: string
  readonly end: number
}

/** The spoken side of a call. */
export interface Playback {
  readonly waiting: readonly Piece[]
  /** Not heard to their end yet, oldest first. The last one may be incomplete. */
  readonly sent: readonly SentPiece[]
  readonly open: OpenReply | null
  readonly cut: Cut | null
  /** Replies of which nothing more is spoken, newest last. */
  readonly silenced: readonly string[]
  /** The time of the newest progress of the visitor's player. */
  readonly heardAt: number
}

export const SILENT: Playback = { waiting: [], sent: [], open: null, cut: null, silenced: [], heardAt: 0 }

/** As many silenced replies are remembered: only the newest can still get pieces. */
const SILENCED = 32

/** The duration of a character, if that of its piece is not known yet. */
const CHARACTER_MS = 60

const isHeard = ({ complete, playedMs, sentMs }: SentPiece): boolean => complete && playedMs >= sentMs

const withoutHeard = (sent: readonly SentPiece[]): readonly SentPiece[] => sent.filter(one => !isHeard(one))

/** Reports whether something is played, or is about to be. */
export const isAudible = ({ sent, waiting }: Playback): boolean => sent.length > 0 || waiting.length > 0

/** Reports whether the agent has the floor: something is played, or a reply of which more will come was begun. */
export const isPlaying = (playback: Playback): boolean => isAudible(playback) || playback.open !== null

/** Milliseconds of audio that the visitor has and has not heard. */
export const unheardMs = ({ sent }: Playback): number =>
  sent.reduce((sum, { playedMs, sentMs }) => sum + sentMs - playedMs, 0)

/** Replies of which something was cut. */
const messagesOf = ({ open, sent, waiting }: Cut): readonly string[] => [
  ...new Set([
    ...sent.map(({ piece }) => piece.messageId),
    ...waiting.map(({ messageId }) => messageId),
    ...(open === null ? [] : [open.messageId]),
  ]),
]

/** Adds pieces. Those of a silenced reply are dropped, and those of one that was cut wait with the rest of it. */
export function enqueue(
  playback: Playback,
  reply: OpenReply & { readonly complete: boolean },
  pieces: readonly Piece[],
): Playback {
  const { cut } = playback
  if (playback.silenced.includes(reply.messageId)) return playback
  if (cut !== null && messagesOf(cut).includes(reply.messageId))
    return {
      ...playback,
      cut: { ...cut, open: openAfter(cut.open, reply), waiting: [...cut.waiting, ...pieces] },
    }
  return {
    ...playback,
    open: openAfter(playback.open, reply),
    waiting: [...playback.waiting, ...pieces],
  }
}

/** A reply is open from its first piece on, until it is complete. */
function openAfter(
  open: OpenReply | null,
  { complete, end, messageId }: OpenReply & { readonly complete: boolean },
): OpenReply | null {
  if (complete) return open?.messageId === messageId ? null : open
  return end > 0 ? { messageId, end } : open
}

/** A reply is not continued: another one is made in its place. */
export const dropOpen = (playback: Playback, messageId: string): Playback => {
  const { cut, open } = playback
  return {
    ...playback,
    open: open?.messageId === messageId ? null : open,
    cut: cut?.open?.messageId === messageId ? { ...cut, open: null } : cut,
  }
}

/** Takes the next piece to speak, if there is one and none is being spoken. */
export function beginPiece(playback: Playback, now: number): readonly [Playback, Piece | null] {
  const [piece, ...waiting] = playback.waiting
  const isBusy = playback.cut !== null || playback.sent.at(-1)?.complete === false
  if (piece === undefined || isBusy) return [playback, null]
  const next = { piece, sentMs: piece.fromMs, playedMs: piece.fromMs, complete: false }
  const heardAt = playback.sent.length === 0 ? now : playback.heardAt
  return [{ ...playback, waiting, sent: [...playback.sent, next], heardAt }, piece]
}

const change = (
  sent: readonly SentPiece[],
  id: string,
  to: (one: SentPiece) => SentPiece,
): readonly SentPiece[] => sent.map(one => (one.piece.id === id ? to(one) : one))

/** Audio of a piece was sent. */
export const sounded = (playback: Playback, id: string, ms: number, now: number): Playback => ({
  ...playback,
  heardAt: unheardMs(playback) === 0 ? now : playback.heardAt,
  sent: change(playback.sent, id, one => (one.complete ? one : { ...one, sentMs: one.sentMs + ms })),
})

/** All audio of a piece was sent, or no more will come. */
export const completed = (playback: Playback, id: string): Playback => ({
  ...playback,
  sent: withoutHeard(change(playback.sent, id, one => ({ ...one, complete: true }))),
})

/** The pieces with what a mark says: those before the marked one were heard to their end. */
function withMark(sent: readonly SentPiece[], { done = false, id, played_ms }: Mark): readonly SentPiece[] {
  const at = sent.findIndex(({ piece }) => piece.id === id)
  return sent.map((one, index) => {
    if (index > at) return one
    const played = index < at || done ? one.sentMs : Math.min(played_ms, one.sentMs)
    return { ...one, playedMs: Math.max(one.playedMs, played) }
  })
}

const heardMs = (sent: readonly SentPiece[]): number => sent.reduce((sum, { playedMs }) => sum + playedMs, 0)

/** Notes what the visitor's client has played. A mark never counts more than was sent, and never less than before. */
export function marked(playback: Playback, mark: Mark, now: number): Playback {
  const { cut } = playback
  const isOf = (sent: readonly SentPiece[]): boolean => sent.some(({ piece }) => piece.id === mark.id)
  if (cut !== null && !cut.settled && (mark.cleared === true || isOf(cut.sent))) {
    const sent = isOf(cut.sent) ? withMark(cut.sent, mark) : cut.sent
    return { ...playback, cut: { ...cut, sent, settled: mark.cleared === true } }
  }
  if (!isOf(playback.sent)) return playback
  const sent = withMark(playback.sent, mark)
  const progress = heardMs(sent) > heardMs(playback.sent)
  return { ...playback, sent: withoutHeard(sent), heardAt: progress ? now : playback.heardAt }
}

/** Stops playback. What was not heard is kept until it is known whether the visitor has said something. */
export function cutPlayback(playback: Playback, until: number, final = false): Playback {
  const { open, sent, waiting } = playback
  const cut = { sent, waiting, open, until, settled: sent.length === 0, final }
  return { ...playback, sent: [], waiting: [], open: null, cut }
}

/** The visitor has said nothing: goes on where playback was cut. */
export function restore(playback: Playback): Playback {
  const { cut } = playback
  if (cut === null) return playback
  const rest = withoutHeard(cut.sent).map(({ piece, playedMs }) => ({ ...piece, fromMs: playedMs }))
  return {
    ...playback,
    cut: null,
    open: cut.open ?? playback.open,
    waiting: [...rest, ...cut.waiting, ...playback.waiting],
  }
}

/** Returns the heard characters of a reply whose piece was cut. Whole words only. */
function heardCharacters({ complete, piece, playedMs, sentMs }: SentPiece): number {
  const { start, text } = piece
  const duration = complete ? sentMs : Math.max(sentMs, speakable(text).length * CHARACTER_MS)
  if (duration === 0) return start
  const reached = Math.floor((text.length * Math.min(playedMs, duration)) / duration)
  if (reached >= text.length) return start + text.length
  return start + Math.min(reached, text.lastIndexOf(' ', reached) + 1)
}

/** Returns the heard characters of each reply that was cut, by message id. */
export function heardOf(cut: Cut): ReadonlyMap<string, number> {
  const heard = new Map<string, number>()
  const note = (messageId: string, characters: number): void => {
    if (!heard.has(messageId) && messageId !== QUESTION) heard.set(messageId, characters)
  }
  for (const one of withoutHeard(cut.sent)) note(one.piece.messageId, heardCharacters(one))
  for (const { messageId, start } of cut.waiting) note(messageId, start)
  if (cut.open !== null) note(cut.open.messageId, cut.open.end)
  return heard
}

/** The visitor has said something else: what was cut is not spoken any more. */
export function silence(playback: Playback): Playback {
  const { cut } = playback
  if (cut === null) return playback
  return { ...playback, cut: null, silenced: [...playback.silenced, ...messagesOf(cut)].slice(-SILENCED) }
}
