/** Runs tasks of one key one after the other, and of different keys side by side. */
export type Serial<Key> = <Result>(key: Key, task: () => Promise<Result>) => Promise<Result>

/** A {@link Serial} that forgets a key when nothing of it is left to do. */
export function createSerial<Key>(): Serial<Key> {
  const tails = new Map<Key, Promise<unknown>>()
  return (key, task) => {
    const before = tails.get(key)
    const run = before === undefined ? task() : before.then(task, task)
    const settled = run.then(
      () => undefined,
      () => undefined,
    )
    tails.set(key, settled)
    void settled.then(() => {
      if (tails.get(key) === settled) tails.delete(key)
    })
    return run
  }
}
