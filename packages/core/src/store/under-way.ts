import { copied } from './copied.ts'

/** What is under way in a store, for which its `close` waits. */
export interface UnderWay {
  /** The group with copies of what its methods are given. They reject once the store is closed. */
  watched<Group extends object>(group: Group): Group
  /** The same for methods that take what they need at once, or copy it themselves. */
  watchedAsGiven<Group extends object>(group: Group): Group
  /** Refuses what comes from now on. Null when nothing is under way, else a promise that resolves when nothing is. */
  close(): Promise<void> | null
}

/** Watches the groups of one store. */
export function createUnderWay(): UnderWay {
  const pending = new Set<Promise<unknown>>()
  let closed = false

  async function run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (closed) throw new Error('The store is closed.')
    const result = work()
    pending.add(result)
    try {
      return await result
    } finally {
      pending.delete(result)
    }
  }

  async function settled(): Promise<void> {
    while (pending.size > 0) await Promise.allSettled(pending)
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
      return pending.size === 0 ? null : settled()
    },
  }
}
