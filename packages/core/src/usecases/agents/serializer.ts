/** Runs the tasks of one key one after another, those of different keys side by side. */
export type Serializer = <T>(key: string, task: () => Promise<T>) => Promise<T>

/**
 * A serializer for one process. It keeps a node's own writers out of each other's way; writers on other nodes are met by
 * the store's guarded writes.
 */
export function createSerializer(): Serializer {
  const tails = new Map<string, Promise<unknown>>()
  return async (key, task) => {
    const run = (tails.get(key) ?? Promise.resolve()).then(task)
    const tail = run.catch(() => undefined)
    tails.set(key, tail)
    try {
      return await run
    } finally {
      if (tails.get(key) === tail) tails.delete(key)
    }
  }
}
