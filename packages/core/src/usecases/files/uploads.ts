import type { AccountId } from '../../domain/ids.ts'
import { createShares } from '../../shared/shares.ts'
import { tooOften } from '../access/limiters.ts'

/** Lets work on a file of an account in, unless as many are received already. @throws RATE_LIMITED */
export type Uploads = <Result>(accountId: AccountId, work: () => Promise<Result>) => Promise<Result>

/** The wait before the next attempt, seconds. */
const WAIT = 2

/** Bounds the files that a process has in memory at a time. */
export function createUploads(most: number): Uploads {
  const places = createShares(most)
  return async (accountId, work) => {
    const leave = places.take(accountId)
    if (leave === null) throw tooOften(WAIT, 'files at once')
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
