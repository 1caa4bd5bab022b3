/**
 * Runs a task one at a time. The returned function resolves with the result of a run that began after the call; calls
 * during a run share the next one.
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
