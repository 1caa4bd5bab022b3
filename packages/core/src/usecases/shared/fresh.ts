/**
 * A task of which one run is under way at a time. The returned function resolves with a run that began after the call; calls that come
 * while one is under way share the next one.
 */
export function createFresh<Result>(task: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | null = null
  return () => {
    next ??= last.then(() => {
      next = null
      const run = task()
      last = run.catch(() => undefined)
      return run
    })
    return next
  }
}
