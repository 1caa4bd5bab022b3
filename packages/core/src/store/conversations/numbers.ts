import type { ProcessPorts } from './conversations.ts'

/** What tells writes and logs from all others. */
export interface Numbers {
  /** Greater than those before it. Two processes may come upon the same one. */
  readonly nextPlace: () => number
  /** A log: no two processes come upon the same one, and later ones come behind earlier ones. */
  readonly newLog: () => string
}

const TIME_DIGITS = 11
const RANDOM_DIGITS = 10

/** Numbers of a process. */
export const numbersOf = ({ nextSequence, random }: ProcessPorts): Numbers => ({
  nextPlace: nextSequence,
  newLog() {
    const time = nextSequence().toString(36).padStart(TIME_DIGITS, '0')
    const drawn = Math.floor(random() * 36 ** RANDOM_DIGITS)
    return time + drawn.toString(36).padStart(RANDOM_DIGITS, '0')
  },
})
