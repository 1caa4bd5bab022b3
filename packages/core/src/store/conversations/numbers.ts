import type { Clock } from '../../ports/clock.ts'

/** The ports of its process that a store of documents needs. */
export interface ProcessPorts {
  /** Numbers of which each is greater than those before it, of all processes: `createSequence`. */
  readonly nextSequence: () => number
  /** From 0 to 1, without 1. */
  readonly random: () => number
  /** The number of finished conversations that figures keep together. Tests make it small. @default 500 */
  readonly inChunk?: number
  /** The clock of the process, for stores that add columns and indexes after their documents. @default none */
  readonly clock?: Clock
}

/** The unique numbers of writes and logs, and the source of randomness. */
export interface Numbers extends Pick<ProcessPorts, 'random'> {
  /** Greater than those before it. Two processes may come upon the same one. */
  readonly nextPlace: () => number
  /** A log: no two processes come upon the same one, and later ones come behind earlier ones. */
  readonly newLog: () => string
}

/** In the order of their code points. */
const DIGITS = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
const TIME_DIGITS = 9
const RANDOM_DIGITS = 6

/** Returns a whole number in so many digits, each of them worth 64 of the one behind it. */
function inDigits(value: number, length: number): string {
  let text = ''
  for (let left = value; text.length < length; left = Math.floor(left / DIGITS.length))
    text = DIGITS.charAt(left % DIGITS.length) + text
  return text
}

/** Numbers of a process. */
export const numbersOf = ({ nextSequence, random }: ProcessPorts): Numbers => ({
  random,
  nextPlace: nextSequence,
  newLog() {
    const drawn = Math.floor(random() * DIGITS.length ** RANDOM_DIGITS)
    return inDigits(nextSequence(), TIME_DIGITS) + inDigits(drawn, RANDOM_DIGITS)
  },
})
