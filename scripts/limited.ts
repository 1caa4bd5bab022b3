import { availableParallelism } from 'node:os'

/** Lets as much work begin at a time as there are cores; what is more waits for its turn, in order. */
export function perCore(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = availableParallelism()
  return async work => {
    if (free > 0) free -= 1
    else await new Promise<void>(go => waiting.push(go))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
