import { isBusy, nextWait } from './lock-waits.ts'

/** A call that waits until its store is open. */
interface WaitingCall {
  /** It commits something, and is waited for when the store is closed. */
  readonly writes: boolean
  /** Deadline, as a value of `performance.now()`. */
  readonly until: number
  resolve(): void
  reject(error: unknown): void
}

/** The way into a database that another process may have locked when it was opened. */
export interface Opening {
  /** True once the database can be used. */
  isOpen(): boolean
  /**
   * Resolves when the database can be used; rejects with the reason why it cannot, of a lock after `busyTimeout`
   * milliseconds.
   */
  wait(writes: boolean): Promise<void>
  /** Waiting readers are no longer served: resolves when every waiting writer was admitted or refused. */
  close(reason: Error): Promise<void>
}

/**
 * Tries again to prepare a database that was locked, while calls wait for it: in one short try at a time, between which
 * the process goes on. Calls are admitted in order. When no call waits any more, the next try is made for the next
 * call.
 *
 * @param prepare throws SQLite's refusal while the database is locked; null for one that can be used
 */
export function createOpening(prepare: (() => void) | null, busyTimeout: number): Opening {
  let missing = prepare
  let waiting: readonly WaitingCall[] = []
  let scheduled = false

  const refuse = (error: unknown): void => {
    const now = performance.now()
    const calls = waiting
    waiting = isBusy(error) ? calls.filter(({ until }) => until > now) : []
    for (const call of calls) if (!waiting.includes(call)) call.reject(error)
    later()
  }

  const look = (): void => {
    scheduled = false
    if (waiting.length === 0) return
    try {
      missing?.()
    } catch (error) {
      refuse(error)
      return
    }
    missing = null
    for (const call of waiting) call.resolve()
    waiting = []
  }

  function later(): void {
    if (scheduled || waiting.length === 0) return
    scheduled = true
    setTimeout(look, nextWait())
  }

  const wait = (writes: boolean, until: number): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting = [...waiting, { writes, until, resolve, reject }]
      later()
    })

  return {
    isOpen: () => missing === null,
    wait: writes => wait(writes, performance.now() + busyTimeout),
    async close(reason) {
      const calls = waiting
      waiting = calls.filter(({ writes }) => writes)
      for (const call of calls) if (!call.writes) call.reject(reason)
      const last = waiting.at(-1)
      if (last !== undefined) await wait(true, last.until).catch(() => undefined)
    },
  }
}
