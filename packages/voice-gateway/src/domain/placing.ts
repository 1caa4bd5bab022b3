import type { Mark } from './frames.ts'

/** Late sound is put where it belongs so far back, milliseconds. What is later stands there. */
export const HELD_MS = 10_000

/** Time after the first arrival until the place of position 0 is known, milliseconds: a burst may have begun. */
export const SETTLED_MS = 200

/** A player that stood still for so long within a piece has made a pause, milliseconds. */
const PAUSE_MS = 1_000

/** The most by which marks may run ahead of the clock, milliseconds: they come in bursts. */
const AHEAD_MS = 1_000

/**
 * The moment of a recording at which a visitor's position 0 was, milliseconds. Null while that is not known: before the
 * first sound, and after the microphone was off, when positions stood still.
 */
export type Anchor = number | null

/** Sound of the visitor that has arrived: where it ends, and its moment of the recording. */
export interface ArrivedSound {
  readonly toMs: number
  readonly ms: number
  readonly now: number
}

/**
 * Returns the anchor after an arrival. Nothing arrives before it was said, so the earliest arrival tells best when
 * position 0 was: what a stalled network brings in a burst is placed when it was said, and not when it came.
 */
export function anchorAfter(anchor: Anchor, { ms, now, toMs }: ArrivedSound): number {
  const arrival = now - toMs
  const known = anchor === null ? arrival : Math.min(anchor, arrival)
  return known + toMs - ms < now - HELD_MS ? arrival : known
}

/** Sound of a piece that was sent, milliseconds from the piece's beginning. */
export interface SentSound {
  readonly id: string
  readonly sentMs: number
  readonly playedMs: number
}

/** A part of a piece that was heard. */
export interface HeardPart {
  readonly id: string
  readonly from: number
  readonly to: number
  /** It is the beginning of what was sent of the piece. */
  readonly isFirst: boolean
}

/**
 * Returns what a mark says was heard since the last one, in the order in which it was played: pieces before the marked
 * one to their end, and of it no more than was sent. Nothing for a piece that is not known.
 */
export function heardSince(
  sent: readonly (SentSound & { readonly fromMs: number })[],
  { done = false, id, played_ms }: Mark,
): readonly HeardPart[] {
  const marked = sent.findIndex(one => one.id === id)
  return sent.flatMap((one, index): readonly HeardPart[] => {
    if (index > marked) return []
    const to = index < marked || done ? one.sentMs : Math.min(played_ms, one.sentMs)
    if (to <= one.playedMs) return []
    return [{ id: one.id, from: one.playedMs, to, isFirst: one.playedMs === one.fromMs }]
  })
}

/** The place of heard sound in a recording, and the part of its beginning without room there, milliseconds. */
export interface AgentPlace {
  readonly at: number
  readonly skip: number
}

/**
 * Places sound of the agent of which a mark came now. It ended now. A piece goes on where its last sound ended, unless
 * the player stood still. A player cannot have played faster than time passes: what has no room is left out.
 *
 * @param cursor the end of the sound of the agent before
 */
export function placeAgent(
  cursor: number,
  { isFirst, ms, now }: { readonly ms: number; readonly isFirst: boolean; readonly now: number },
): AgentPlace {
  const began = now - ms
  const isNew = isFirst || began - cursor > PAUSE_MS
  const wanted = isNew ? Math.max(cursor, began) : cursor
  const skip = Math.max(0, wanted + ms - now - AHEAD_MS)
  return { at: wanted - skip, skip }
}
