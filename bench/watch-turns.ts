import { PerformanceObserver } from 'node:perf_hooks'

/** The longest turn of the event loop by the clock, milliseconds: it grows with what else the machine does. */
export interface LongestTurn {
  readonly clock: number
  /** The longest without the time in which V8 collected garbage. */
  readonly uncollected: number
}

interface Span {
  readonly start: number
  readonly duration: number
}

/** Shorter turns are not noted one by one, milliseconds. */
const SHORT = 1

/** Returns the time of a turn that is in none of the collections. */
function uncollected(turn: Span, collections: readonly Span[]): number {
  const end = turn.start + turn.duration
  return collections
    .filter(({ start }) => start >= turn.start && start < end)
    .reduce((left, { duration }) => left - duration, turn.duration)
}

/** Watches turns of the event loop: all of them, with the one in which the returned function is called. */
export function watchTurns(): () => Promise<LongestTurn> {
  const turns: Span[] = []
  const collections: Span[] = []
  const observer = new PerformanceObserver(list => {
    for (const { startTime: start, duration } of list.getEntries()) collections.push({ start, duration })
  })
  observer.observe({ entryTypes: ['gc'] })
  let isOver = false
  let start = performance.now()
  const look = (): void => {
    const now = performance.now()
    if (now - start > SHORT) turns.push({ start, duration: now - start })
    start = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  return async () => {
    isOver = true
    // The observer is told of what was collected a turn later.
    for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve))
    observer.disconnect()
    return {
      clock: Math.max(0, ...turns.map(({ duration }) => duration)),
      uncollected: Math.max(0, ...turns.map(turn => uncollected(turn, collections))),
    }
  }
}
