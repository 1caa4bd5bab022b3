import { DOWN_BYTES } from '../audio/pcm.ts'

/** Milliseconds of a packet to the visitor. */
export const FRAME_MS = 20
const FRAME_BYTES = FRAME_MS * DOWN_BYTES

/** Silence behind the last sound, packets: it brings out what the codec holds back. */
const TAIL = 5

/** Sound between two marks, milliseconds. */
const MARK_MS = 500

/** A part of what is to be played. */
type Part =
  | { readonly type: 'begin'; readonly id: string; readonly at: number }
  | { readonly type: 'sound'; readonly bytes: Uint8Array }
  | { readonly type: 'end' }

/** The part of a piece that was sent. */
export interface SentMark {
  readonly id: string
  readonly played_ms: number
  readonly done: boolean
}

/** The sound that waits to be sent at the pace at which it is heard. */
export interface Playout {
  readonly parts: readonly Part[]
  /** The piece whose sound is sent, and how much of it was. */
  readonly id: string
  readonly at: number
  readonly marked: number
  /** The newest sound that was sent. */
  readonly newest: SentMark | null
  /** Packets of silence that are still to be sent. */
  readonly tail: number
}

export const NOTHING_TO_PLAY: Playout = {
  ...{ parts: [], id: '', at: 0, marked: 0, newest: null, tail: 0 },
}

const add = (playout: Playout, part: Part): Playout => ({ ...playout, parts: [...playout.parts, part] })

/** A piece begins at that millisecond of it. */
export const beginPlaying = (playout: Playout, id: string, at: number): Playout =>
  add(playout, { type: 'begin', id, at })

export const play = (playout: Playout, bytes: Uint8Array): Playout =>
  bytes.byteLength === 0 ? playout : add(playout, { type: 'sound', bytes })

/** The piece is complete. */
export const endPlaying = (playout: Playout): Playout => add(playout, { type: 'end' })

/** Drops all that waits. */
export const stopPlaying = (playout: Playout): Playout => ({ ...playout, parts: [], marked: playout.at })

/** The next packet's sound, null if there is nothing to send, and what has been heard with it. */
export interface PlayedFrame {
  readonly sound: Uint8Array | null
  readonly marks: readonly SentMark[]
}

/** Takes the sound of one packet. */
export function nextFrame(playout: Playout): readonly [Playout, PlayedFrame] {
  const sound = new Uint8Array(FRAME_BYTES)
  const marks: SentMark[] = []
  let { at, id, marked, newest } = playout
  let filled = 0
  let index = 0
  let rest: Part | null = null
  while (index < playout.parts.length && rest === null) {
    const part = playout.parts[index]
    if (part === undefined || (part.type === 'sound' && filled === FRAME_BYTES)) break
    index++
    if (part.type === 'begin') {
      id = part.id
      at = part.at
      marked = part.at
    } else if (part.type === 'end') {
      newest = { id, played_ms: at, done: true }
      marks.push(newest)
    } else {
      const taken = part.bytes.subarray(0, FRAME_BYTES - filled)
      sound.set(taken, filled)
      filled += taken.byteLength
      at += taken.byteLength / DOWN_BYTES
      newest = { id, played_ms: at, done: false }
      if (at - marked >= MARK_MS) {
        marked = at
        marks.push(newest)
      }
      if (taken.byteLength < part.bytes.byteLength)
        rest = { type: 'sound', bytes: part.bytes.subarray(taken.byteLength) }
    }
  }
  // A speaker that pauses does not make a caller who has heard everything one who plays nothing.
  if (filled === 0 && newest?.id === id && !newest.done && at > marked) {
    marked = at
    marks.push(newest)
  }
  const left = playout.parts.slice(index)
  const parts = rest === null ? left : [rest, ...left]
  const tail = filled > 0 ? TAIL : Math.max(0, playout.tail - 1)
  const isSent = filled > 0 || playout.tail > 0
  return [
    { parts, id, at, marked, newest, tail },
    { sound: isSent ? sound : null, marks },
  ]
}
