import { createHash } from 'node:crypto'
import type { NoticeTopic } from '@colloquy/core'

/** Subjects are part of a line of the protocol, of which a server takes 4,096 bytes by default. */
const LONGEST = 1_000

/**
 * Characters that a subject cannot hold as they are: all but letters, digits and three signs without a meaning there.
 */
const PLAIN = /[^A-Za-z0-9_:-]/g

const hex = (unit: string): string => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Returns the subject of a topic, below a prefix. What a subject cannot hold is written as the number of its UTF-16
 * unit, and what is too long as its hash, so that no two topics share a subject.
 */
export function subjectOf(prefix: string, topic: NoticeTopic): string {
  const plain = topic.replace(PLAIN, hex)
  const name = plain.length <= LONGEST ? plain : `%sha256:${createHash('sha256').update(plain).digest('hex')}`
  return `${prefix}.${name}`
}
