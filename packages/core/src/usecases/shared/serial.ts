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

/** {@link Locks} that forget a key when nobody holds its lock. */
export function createLocks<Key>(): Locks<Key> {
  /** Every key whose lock is held; null while no other task waits for it. */
  const keys = new Map<Key, Start[] | null>()
  return {
    acquire(key) {
      const waiting = keys.get(key)
      if (waiting === undefined) {
        keys.set(key, null)
        return null
      }
      return new Promise(resolve => {
        if (waiting === null) keys.set(key, [resolve])
        else waiting.push(resolve)
      })
    },
    release(key) {
      const start = keys.get(key)?.shift()
      if (start === undefined) keys.delete(key)
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
