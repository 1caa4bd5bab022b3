/** Runs tasks of one key one after the other, and of different keys side by side. */
export type Serial<Key> = <Result>(key: Key, task: () => Promise<Result>) => Promise<Result>

/** Locks of keys, each held by one task at a time. */
export interface Locks<Key> {
  /** Null when the lock is the caller's at once, else a promise that resolves when it is, in the order of asking. */
  acquire(key: Key): Promise<void> | null
  release(key: Key): void
}

/** Starts a task that waits. */
type Start = () => void

/**
 * Up to so many keys are kept, held or not: the table of a map is made anew each time that as many keys have come and
 * gone as it has room for.
 */
const KEPT = 4_096

/** A lock that nobody holds. */
const FREE = Symbol('free')

/** {@link Locks} that forget keys whose locks nobody holds once there are many of them. */
export function createLocks<Key>(): Locks<Key> {
  /** Null for a lock that is held and that no other task waits for. */
  const keys = new Map<Key, Start[] | null | typeof FREE>()
  let room = KEPT

  function makeRoom(): void {
    for (const [key, lock] of keys) if (lock === FREE) keys.delete(key)
    // Where most are held, the next look comes no sooner than it pays.
    room = Math.max(KEPT, 2 * keys.size)
  }

  return {
    acquire(key) {
      const lock = keys.get(key)
      if (lock === undefined || lock === FREE) {
        if (lock === undefined && keys.size >= room) makeRoom()
        keys.set(key, null)
        return null
      }
      return new Promise(resolve => {
        if (lock === null) keys.set(key, [resolve])
        else lock.push(resolve)
      })
    },
    release(key) {
      const lock = keys.get(key)
      const start = Array.isArray(lock) ? lock.shift() : undefined
      if (start === undefined) keys.set(key, FREE)
      else start()
    },
  }
}

/** A {@link Serial} with locks of its own. */
export function createSerial<Key>(): Serial<Key> {
  const locks = createLocks<Key>()
  return async (key, task) => {
    const held = locks.acquire(key)
    if (held !== null) await held
    try {
      return await task()
    } finally {
      locks.release(key)
    }
  }
}
