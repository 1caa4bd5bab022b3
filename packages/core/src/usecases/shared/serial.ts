/** Runs tasks of one key one after the other, and of different keys side by side. */
export type Serial<Key> = <Result>(key: Key, task: () => Promise<Result>) => Promise<Result>

/** Starts a task that waits. */
type Start = () => void

/** A {@link Serial} that forgets a key when nothing of it is left to do. */
export function createSerial<Key>(): Serial<Key> {
  /** Every key with a task under way; null while no other one waits for it. */
  const keys = new Map<Key, Start[] | null>()

  function turnOf(key: Key): Promise<void> | null {
    const waiting = keys.get(key)
    if (waiting === undefined) {
      keys.set(key, null)
      return null
    }
    return new Promise(resolve => {
      if (waiting === null) keys.set(key, [resolve])
      else waiting.push(resolve)
    })
  }

  function leave(key: Key): void {
    const start = keys.get(key)?.shift()
    if (start === undefined) keys.delete(key)
    else start()
  }

  return async (key, task) => {
    const turn = turnOf(key)
    if (turn !== null) await turn
    try {
      return await task()
    } finally {
      leave(key)
    }
  }
}
