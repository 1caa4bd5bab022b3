import type { Clock } from '@colloquy/core'

/** Work that is due again and again. */
interface Beat {
  due: number
  /** Does what is due. Returns the moment at which more is. */
  readonly run: () => number
}

/** Work that is due at moments of the clock, for all calls of a gateway. */
export interface Beats {
  /** Runs work now, and whenever it is due. Returns a function that ends it. */
  begin(run: () => number): () => void
  /** Runs all that is due: for those who do much before the timer has its turn. */
  catchUp(): void
}

/** One timer for all calls. What is late is done in the order in which it was due. */
export function createBeats(clock: Pick<Clock, 'monotonic' | 'schedule'>): Beats {
  /** The soonest first. */
  const beats: Beat[] = []
  const ended = new WeakSet<Beat>()
  let armedFor = Number.POSITIVE_INFINITY
  let stopClock = (): void => {}

  function insert(beat: Beat): void {
    // It mostly belongs to the end: all have the same pace.
    beats.splice(beats.findLastIndex(({ due }) => due <= beat.due) + 1, 0, beat)
  }

  function arm(): void {
    const due = beats[0]?.due ?? Number.POSITIVE_INFINITY
    if (due === armedFor) return
    stopClock()
    armedFor = due
    if (due < Number.POSITIVE_INFINITY) stopClock = clock.schedule(due - clock.monotonic(), fire)
  }

  function fire(): void {
    armedFor = Number.POSITIVE_INFINITY
    catchUp()
  }

  function catchUp(): void {
    // Work that becomes due meanwhile has its turn after everything else.
    const now = clock.monotonic()
    try {
      for (let [first] = beats; first !== undefined && first.due <= now; [first] = beats) {
        beats.shift()
        first.due = first.run()
        if (!ended.has(first)) insert(first)
      }
    } finally {
      arm()
    }
  }

  return {
    begin(run) {
      const beat = { due: clock.monotonic(), run }
      insert(beat)
      catchUp()
      return () => {
        ended.add(beat)
        const at = beats.indexOf(beat)
        if (at >= 0) beats.splice(at, 1)
        arm()
      }
    },
    catchUp,
  }
}
