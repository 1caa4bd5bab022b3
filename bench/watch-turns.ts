/** The longest turns of the event loop, milliseconds. */
export interface LongestTurn {
  /** By the clock: it grows with what else the machine does. */
  readonly clock: number
  /** By the processor time of the thread, in which it also collects garbage. */
  readonly processor: number
}

/** Returns the processor time of this thread, milliseconds. */
function threadTime(): number {
  const { system, user } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Watches turns of the event loop: all of them, with the one in which the returned function is called. */
export function watchTurns(): () => Promise<LongestTurn> {
  let [clock, processor] = [0, 0]
  let start = performance.now()
  let begun = threadTime()
  let isOver = false
  const look = (): void => {
    const [now, used] = [performance.now(), threadTime()]
    clock = Math.max(clock, now - start)
    processor = Math.max(processor, used - begun)
    start = now
    begun = used
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  return async () => {
    isOver = true
    await new Promise(resolve => setImmediate(resolve))
    return { clock, processor }
  }
}
