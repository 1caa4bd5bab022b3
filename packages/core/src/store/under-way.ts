import { copied } from './copied.ts'

/** The calls in progress in a store, for which its `close` waits. */
export interface UnderWay {
  /** Returns the group with methods that copy their arguments. They reject once the store is closed. */
  watched<Group extends object>(group: Group): Group
  /** Wraps methods that read their arguments at once, or copy them themselves. */
  watchedAsGiven<Group extends object>(group: Group): Group
  /** Refuses later calls. Returns null if none is in progress, else a promise that resolves when none is. */
  close(): Promise<void> | null
}

/** Watches the groups of one store. */
export function createUnderWay(): UnderWay {
  let pending = 0
  let closed = false
  let waiting: (() => void)[] = []

  const ended = (): void => {
    pending--
    if (pending > 0) return
    for (const resolve of waiting) resolve()
    waiting = []
  }
  /** Hands the answer on as it is: every call of the store comes through here. */
  function run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (closed) return Promise.reject(new Error('The store is closed.'))
    pending++
    try {
      const answer = work()
      answer.then(ended, ended)
      return answer
    } catch (error) {
      ended()
      return Promise.reject(error)
    }
  }

  const watching =
    (taken: (given: unknown[]) => unknown[]) =>
    <Group extends object>(group: Group): Group => {
      const methods = Object.entries(group).map(([name, method]) => [
        name,
        (...given: unknown[]) => {
          const own = taken(given)
          return run(() => method(...own))
        },
      ])
      return Object.fromEntries(methods)
    }

  return {
    watched: watching(copied),
    watchedAsGiven: watching(given => given),
    close() {
      closed = true
      if (pending === 0) return null
      return new Promise(resolve => {
        waiting.push(resolve)
      })
    },
  }
}
