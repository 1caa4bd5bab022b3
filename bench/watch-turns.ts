/** The longest turn of the event loop, milliseconds. */
export interface LongestTurn {
  /** By the clock: it grows with what else the machine does. */
  readonly clock: number
  /** The most that this thread can have worked in one turn: no longer than the turn. */
  readonly work: number
}

/** Systems count the time of a thread in steps of 4 ms: a turn may have taken that much more than they say. */
const STEP = 4

/** Watches turns of the event loop: all of them, with the one in which the returned function is called. */
export function watchTurns(): () => Promise<LongestTurn> {
  let longest: LongestTurn = { clock: 0, work: 0 }
  let isOver = false
  let [began, before] = [performance.now(), process.threadCpuUsage()]
  const look = (): void => {
    const [now, used] = [performance.now(), process.threadCpuUsage()]
    const clock = now - began
    const counted = (used.user + used.system - before.user - before.system) / 1_000
    longest = {
      clock: Math.max(longest.clock, clock),
      work: Math.max(longest.work, Math.min(clock, counted + STEP)),
    }
    ;[began, before] = [now, used]
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  return async () => {
    isOver = true
    await new Promise(resolve => setImmediate(resolve))
    return longest
  }
}
