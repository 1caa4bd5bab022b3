/**
 * Reads that are asked for in one tick of the event loop, and are the same, share one. It begins after all of them were
 * asked for, so each sees whatever was written before it.
 *
 * @param read of a key; its result is shared and must not change
 */
export function inOneTick<Result>(read: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const asked = new Map<string, Promise<Result>>()
  return key => {
    const known = asked.get(key)
    if (known !== undefined) return known
    const reading = new Promise<Result>((resolve, reject) => {
      setImmediate(() => {
        asked.delete(key)
        read(key).then(resolve, reject)
      })
    })
    asked.set(key, reading)
    return reading
  }
}
