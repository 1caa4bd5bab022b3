/** Held by one task at a time; others have it after it, in the order of asking. */
export class Lock {
  #isHeld = false
  /** Null while nobody waits, which is mostly so. */
  #waiting: (() => void)[] | null = null

  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Acquires the lock. Returns null when it is the caller's at once, else a promise that resolves when it is. */
  acquire(): Promise<void> | null {
    if (this.#isHeld)
      return new Promise(resolve => {
        this.#waiting ??= []
        this.#waiting.push(resolve)
      })
    this.#isHeld = true
    return null
  }

  release(): void {
    const next = this.#waiting?.shift()
    if (next === undefined) this.#isHeld = false
    else next()
  }

  /** Runs a task while the lock is held. */
  async during<Result>(task: () => Promise<Result>): Promise<Result> {
    const free = this.acquire()
    if (free !== null) await free
    try {
      return await task()
    } finally {
      this.release()
    }
  }
}

/** Runs tasks of one key one after the other, and of different keys side by side. */
export type Serial<Key> = <Result>(key: Key, task: () => Promise<Result>) => Promise<Result>

/** Returns a {@link Serial} that forgets keys without a task in progress. */
export function createSerial<Key>(): Serial<Key> {
  const locks = new Map<Key, Lock>()
  return async (key, task) => {
    const lock = locks.get(key) ?? new Lock()
    locks.set(key, lock)
    try {
      return await lock.during(task)
    } finally {
      if (!lock.isHeld) locks.delete(key)
    }
  }
}
