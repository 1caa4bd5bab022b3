import type { AccountId } from '../../domain/ids.ts'
import { tooOften } from '../access/limiters.ts'
import { createSerial } from '../shared/serial.ts'

/** Tasks of an account that wait for the one in progress. */
const MOST_WAITING = 4

/** The wait before the next attempt, seconds. */
const WAIT = 2

/**
 * Runs tasks of an account one after the other. One that has waited begins in a later turn of the event loop.
 *
 * @throws RATE_LIMITED while several wait already
 */
export type WholeContents = <Result>(
  accountId: AccountId,
  rest: () => Promise<void>,
  task: () => Promise<Result>,
) => Promise<Result>

/** Bounds what comparisons and copies of whole contents hold in memory for an account. */
export function createWholeContents(): WholeContents {
  const serial = createSerial<AccountId>()
  const asked = new Map<AccountId, number>()
  return async (accountId, rest, task) => {
    const others = asked.get(accountId) ?? 0
    if (others > MOST_WAITING) throw tooOften(WAIT, 'comparisons or copies of contents at once')
    asked.set(accountId, others + 1)
    try {
      return await serial(accountId, async () => {
        // Others have their turn between two of them.
        if (others > 0) await rest()
        return task()
      })
    } finally {
      const left = (asked.get(accountId) ?? 1) - 1
      if (left === 0) asked.delete(accountId)
      else asked.set(accountId, left)
    }
  }
}
