/**
 * Reads of single things that are asked for in one tick of the event loop share one. It begins after all of them were
 * asked for, so each sees whatever was written before it.
 *
 * @param read answers with what it has found, by key
 */
export function inOneTick<Result>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Result>>,
): (keys: readonly string[]) => Promise<ReadonlyMap<string, Result>> {
  let asked: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, Result>> } | null =
    null
  return keys => {
    if (asked === null) {
      const wanted = new Set<string>()
      const found = new Promise<ReadonlyMap<string, Result>>((resolve, reject) => {
        setImmediate(() => {
          asked = null
          read([...wanted]).then(resolve, reject)
        })
      })
      asked = { keys: wanted, found }
    }
    for (const key of keys) asked.keys.add(key)
    return asked.found
  }
}
