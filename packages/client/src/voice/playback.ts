/** Delay before audio is played that comes into silence, milliseconds: later frames may be late by as much. */
const JITTER = 80

/** Bytes of a millisecond that comes down: 24 samples of two bytes. */
const BYTES_PER_MS = 48

/** Audio without a gap: when it plays, milliseconds of the speaker's clock. */
interface Span {
  readonly from: number
  readonly to: number
}

/** A piece of a reply, a sentence as a rule. */
export interface Piece {
  readonly id: string
  readonly text: string
  readonly by: 'agent' | 'live agent'
  /** Audio of it that was heard over an earlier connection, milliseconds. */
  readonly before: number
  readonly spans: readonly Span[]
  /** All of its audio has come. */
  readonly complete: boolean
}

/** Audio that plays or waits. Plain data, by the clock of the speaker, milliseconds. */
export interface Playback {
  /** The pieces that are not played yet, in their order. */
  readonly pieces: readonly Piece[]
  /** The time at which all audio so far has been played. */
  readonly end: number
}

/** The part of a piece that was heard, as the server is told. */
export interface Mark {
  readonly id: string
  readonly played_ms: number
  readonly done?: true
}

export const EMPTY_PLAYBACK: Playback = { pieces: [], end: 0 }

/** A piece begins. */
export const beginPiece = (
  { end, pieces }: Playback,
  { before, by, id, text }: Pick<Piece, 'before' | 'by' | 'id' | 'text'>,
): Playback => ({ end, pieces: [...pieces, { id, text, by, before, spans: [], complete: false }] })

/** Audio of the newest piece has come. Returns when to play it as well; null if it belongs to none. */
export function addAudio(
  { end, pieces }: Playback,
  now: number,
  bytes: number,
): { readonly playback: Playback; readonly at: number } | null {
  const piece = pieces.at(-1)
  if (piece === undefined || piece.complete) return null
  const at = end > now ? end : now + JITTER
  const to = at + bytes / BYTES_PER_MS
  const last = piece.spans.at(-1)
  const spans =
    last?.to === at
      ? [...piece.spans.slice(0, -1), { from: last.from, to }]
      : [...piece.spans, { from: at, to }]
  return { at, playback: { end: to, pieces: [...pieces.slice(0, -1), { ...piece, spans }] } }
}

/** The newest piece has come whole. */
export const endPiece = ({ end, pieces }: Playback, id: string): Playback => ({
  end,
  pieces: pieces.map(piece => (piece.id === id ? { ...piece, complete: true } : piece)),
})

const isDone = ({ complete, spans }: Piece, now: number): boolean =>
  complete && (spans.at(-1)?.to ?? 0) <= now

function markOf(piece: Piece, now: number): Mark {
  const heard = piece.spans.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(now, to) - from), 0)
  const played_ms = Math.floor(piece.before + heard)
  return { id: piece.id, played_ms, ...(isDone(piece, now) && { done: true }) }
}

const isBegun = ({ before, spans }: Piece, now: number): boolean =>
  before > 0 || spans.some(({ from }) => from < now)

/** Takes out the pieces that were played. Returns the marks of these, and of the one that plays. */
export function playedUntil(
  { end, pieces }: Playback,
  now: number,
): { readonly playback: Playback; readonly marks: readonly Mark[] } {
  const at = pieces.findIndex(piece => !isDone(piece, now))
  const left = at === -1 ? [] : pieces.slice(at)
  const played = pieces.slice(0, pieces.length - left.length)
  const marked = [...played, ...left.slice(0, 1).filter(piece => isBegun(piece, now))]
  return { playback: { end, pieces: left }, marks: marked.map(piece => markOf(piece, now)) }
}

/** The piece that plays, or comes next; null for none. */
export const playing = ({ pieces }: Playback): Piece | null => pieces[0] ?? null

/** Milliseconds until a piece that is whole has been played; null if the playing one is not whole yet. */
export function untilDone({ pieces }: Playback, now: number): number | null {
  const [piece] = pieces
  return piece?.complete ? Math.max(0, (piece.spans.at(-1)?.to ?? now) - now) : null
}
