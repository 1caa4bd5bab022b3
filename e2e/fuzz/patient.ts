import type { Store } from '@colloquy/core/store'
import type { FakeClock } from '@colloquy/core/testing'
import { eachMethod, type Method } from '@colloquy/test-support/each-method'

/** A store, and the end of what was asked of it. */
export interface WatchedStore {
  readonly store: Store
  /** Resolves when no call is in progress, nor one that comes of it. */
  quiet(): Promise<void>
}

/** Watches a store whose calls may wait for a socket, which a fake clock does not wait for. */
export function watchedStore(store: Store, settle: () => Promise<void>): WatchedStore {
  const inProgress = new Set<unknown>()
  const watched =
    (call: Method): Method =>
    (...args) => {
      const result = Promise.resolve(call(...args))
      inProgress.add(result)
      const settled = (): void => {
        inProgress.delete(result)
      }
      result.then(settled, settled)
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

/** A clock on which everything that a moment brings about has come to its end before the next moment comes. */
export function patientClock(clock: FakeClock, quiet: () => Promise<void>): FakeClock {
  const waiting = new Set<{ readonly due: number }>()
  return {
    ...clock,
    schedule(delay, run) {
      const task = { due: clock.monotonic() + Math.max(0, delay) }
      waiting.add(task)
      const cancel = clock.schedule(delay, () => {
        waiting.delete(task)
        run()
      })
      return () => {
        waiting.delete(task)
        cancel()
      }
    },
    async advance(milliseconds) {
      const end = clock.monotonic() + milliseconds
      const next = (): number => Math.min(...[...waiting].map(({ due }) => due))
      await quiet()
      while (next() <= end) {
        await clock.advance(Math.max(0, next() - clock.monotonic()))
        await quiet()
      }
      await clock.advance(end - clock.monotonic())
    },
    settle: quiet,
    get pending() {
      return clock.pending
    },
  }
}
