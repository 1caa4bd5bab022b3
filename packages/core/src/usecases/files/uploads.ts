import { tooOften } from '../access/limiters.ts'

/** Lets work on a file in, unless as many are received already. @throws RATE_LIMITED */
export type Uploads = <Result>(work: () => Promise<Result>) => Promise<Result>

/** The wait before the next attempt, seconds. */
const WAIT = 2

/** Bounds the files that a process has in memory at a time. */
export function createUploads(most: number): Uploads {
  let count = 0
  return async work => {
    if (count >= most) throw tooOften(WAIT, 'files at once')
    count++
    try {
      return await work()
    } finally {
      count--
    }
  }
}
