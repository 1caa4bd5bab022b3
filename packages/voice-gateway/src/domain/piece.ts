import type { SpokenBy } from './frames.ts'
import { sentencesOf, speakable } from './sentences.ts'

/** The message of the question for consent, which is none of the session. */
export const QUESTION = 'recording'

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
  /** A hash of the reply up to there. */
  readonly hash: number
}

/** FNV-1a of what comes behind a text with the hash `of`. */
function hashOn(text: string, of: number): number {
  let hash = of
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

/** The hash of an empty text. */
export const NO_TEXT = 0x811c9dc5

/** Tells whether a reply that was made again begins with the same words. Nothing secret depends on it. */
export const hashOf = (text: string): number => hashOn(text, NO_TEXT)

const PLACE = /^([\w-]{1,100})\.(\d{1,6})\.(\d{1,12})\.(\d{1,9})\.(\d{1,10})$/

/** Returns the place that an id names. Null for what is no id of a piece. */
export function placeOf(id: string): Place | null {
  const [, messageId, number, since, end, hash] = PLACE.exec(id) ?? []
  if (messageId === undefined || hash === undefined) return null
  return { messageId, number: Number(number), since: Number(since), end: Number(end), hash: Number(hash) }
}

/** A reply whose sentences are being taken from it. */
export interface SpokenReply {
  readonly messageId: string
  readonly by: SpokenBy
  readonly text: string
  readonly complete: boolean
  /** The session's newest event when it began. */
  readonly since: number
  /** The end, number and hash of the sentences that were taken. */
  readonly offset: number
  readonly taken: number
  readonly hash: number
}

/** Takes the sentences that are certain by now. */
export function takePieces(reply: SpokenReply): readonly [SpokenReply, readonly Piece[]] {
  const { messageId, by, text, since } = reply
  const sentences = sentencesOf(text, reply.offset, reply.complete)
  let { hash } = reply
  const pieces = sentences.flatMap(({ start, end }, index): readonly Piece[] => {
    const words = text.slice(start, end)
    hash = hashOn(words, hash)
    if (speakable(words) === '') return []
    const id = [messageId, reply.taken + index + 1, since, end, hash].join('.')
    return [{ id, messageId, text: words, start, by, fromMs: 0 }]
  })
  const offset = sentences.at(-1)?.end ?? reply.offset
  return [{ ...reply, offset, hash, taken: reply.taken + sentences.length }, pieces]
}
