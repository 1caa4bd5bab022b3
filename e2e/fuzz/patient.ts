import { setImmediate } from 'node:timers/promises'
import type { Store } from '@colloquy/core/store'
import type { FakeClock } from '@colloquy/core/testing'
import { eachMethod, type Method } from '@colloquy/test-support/each-method'

/** A store, and the end of what was asked of it. */
export interface WatchedStore {
  readonly store: Store
  /** Resolves when no call is in progress, nor one that comes of it. */
  quiet(): Promise<void>
}

/**
 * Watches a store whose calls may wait for a socket, which a fake clock does not wait for. They are made one after the
 * other as they are asked for: of several conversations that one task moves on, a store with more than one connection
 * would else write now this and now that one first, and their events and ids would follow.
 */
export function watchedStore(store: Store, settle: () => Promise<void>): WatchedStore {
  const inProgress = new Set<unknown>()
  let last: Promise<unknown> = Promise.resolve()
  const watched =
    (call: Method): Method =>
    (...args) => {
      const result = last.then(() => call(...args))
      inProgress.add(result)
      const settled = (): void => {
        inProgress.delete(result)
      }
      last = result.then(settled, settled).then(() => setImmediate())
      return result
    }
  return {
    store: eachMethod(store, watched),
    async quiet() {
      await settle()
      while (inProgress.size > 0) {
        await Promise.allSettled([...inProgress])
        await settle()
      }
    },
  }
}

/** Something that waits for its moment. */
interface Task {
  readonly due: number
  readonly run: () => void
}

/**
 * A clock on which everything that a task brings about has come to its end before the next task runs, also where both
 * are due at one moment: whatever a store waits for, tasks see what those before them have stored.
 */
export function patientClock(clock: FakeClock, quiet: () => Promise<void>): FakeClock {
  const waiting = new Set<Task>()
  const due: Task[] = []

  async function runDue(): Promise<void> {
    for (let task = due.shift(); task !== undefined; task = due.shift()) {
      // One that was cancelled meanwhile is no longer there.
      if (waiting.delete(task)) task.run()
      await quiet()
    }
  }

  return {
    ...clock,
    schedule(delay, run) {
      const task = { due: clock.monotonic() + Math.max(0, delay), run }
      waiting.add(task)
      const cancel = clock.schedule(delay, () => due.push(task))
      return () => {
        waiting.delete(task)
        cancel()
      }
    },
    async advance(milliseconds) {
      const end = clock.monotonic() + milliseconds
      const next = (): number => Math.min(...[...waiting].map(task => task.due))
      await quiet()
      while (next() <= end) {
        await clock.advance(Math.max(0, next() - clock.monotonic()))
        await runDue()
      }
      await clock.advance(end - clock.monotonic())
    },
    settle: quiet,
    get pending() {
      return clock.pending
    },
  }
}
