/** What a store of documents needs of its process. */
export interface ProcessPorts {
  /** Numbers of which each is greater than those before it, of all processes: `createSequence`. */
  readonly nextSequence: () => number
  /** From 0 to 1, without 1. */
  readonly random: () => number
  /** How many finished conversations figures keep together. Tests make it small. @default 500 */
  readonly inChunk?: number
}

/** What tells writes and logs from all others, and what draws. */
export interface Numbers extends Pick<ProcessPorts, 'random'> {
  /** Greater than those before it. Two processes may come upon the same one. */
  readonly nextPlace: () => number
  /** A log: no two processes come upon the same one, and later ones come behind earlier ones. */
  readonly newLog: () => string
}

const TIME_DIGITS = 11
const RANDOM_DIGITS = 10

/** Numbers of a process. */
export const numbersOf = ({ nextSequence, random }: ProcessPorts): Numbers => ({
  random,
  nextPlace: nextSequence,
  newLog() {
    const time = nextSequence().toString(36).padStart(TIME_DIGITS, '0')
    const drawn = Math.floor(random() * 36 ** RANDOM_DIGITS)
    return time + drawn.toString(36).padStart(RANDOM_DIGITS, '0')
  },
})
