import type { SpokenBy } from './frames.ts'
import { sentencesOf, speakable } from './sentences.ts'

/** A sentence of a reply that is to be spoken. */
export interface Piece {
  /** Names the sentence and its place, so that any process can go on behind it (PROTOCOL.md, Loss and resume). */
  readonly id: string
  readonly messageId: string
  /** `reply.slice(start, start + text.length)`. */
  readonly text: string
  readonly start: number
  readonly by: SpokenBy
  /** Milliseconds of its audio that were heard before, and are left out. */
  readonly fromMs: number
}

/** The place of a sentence, as its id says. */
export interface Place {
  readonly messageId: string
  /** Its number in the reply, from 1. */
  readonly number: number
  /** The session's newest event when the reply began. */
  readonly since: number
  /** The end of the sentence in the reply. */
  readonly end: number
  /** A digest of the reply up to there. */
  readonly digest: string
}

/** FNV-1a: tells whether a reply that was made again begins with the same words. Nothing secret depends on it. */
export function digestOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16)
}

const PLACE = /^([\w-]{1,100})\.(\d{1,6})\.(\d{1,12})\.(\d{1,9})\.([0-9a-f]{1,8})$/

/** Returns the place that an id names. Null for what is no id of a piece. */
export function placeOf(id: string): Place | null {
  const [, messageId, number, since, end, digest] = PLACE.exec(id) ?? []
  if (messageId === undefined || digest === undefined) return null
  return { messageId, number: Number(number), since: Number(since), end: Number(end), digest }
}

/** A reply whose sentences are being taken from it. */
export interface SpokenReply {
  readonly messageId: string
  readonly by: SpokenBy
  readonly text: string
  readonly complete: boolean
  /** The session's newest event when it began. */
  readonly since: number
  /** How far sentences were taken, and how many. */
  readonly offset: number
  readonly taken: number
}

/** Takes the sentences that are certain by now. */
export function takePieces(reply: SpokenReply): readonly [SpokenReply, readonly Piece[]] {
  const { messageId, by, text, since } = reply
  const sentences = sentencesOf(text, reply.offset, reply.complete)
  const pieces = sentences.flatMap(({ start, end }, index): readonly Piece[] => {
    const words = text.slice(start, end)
    if (speakable(words) === '') return []
    const id = `${messageId}.${reply.taken + index + 1}.${since}.${end}.${digestOf(text.slice(0, end))}`
    return [{ id, messageId, text: words, start, by, fromMs: 0 }]
  })
  const offset = sentences.at(-1)?.end ?? reply.offset
  return [{ ...reply, offset, taken: reply.taken + sentences.length }, pieces]
}
