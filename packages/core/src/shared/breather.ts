/** Yields to other work in the process between two pieces of work, once they have taken long. */
export interface Breather {
  /**
   * Null while the present turn of the event loop is short: the caller goes on at once. Otherwise resolves in a later
   * turn, in the order of asking.
   */
  breathe(): Promise<void> | null
  /**
   * Resolves in a later turn of the event loop, in the order of asking: between pieces of work for which nobody waits.
   * Of those that rest at once, one goes on in each turn, and others while the turn is still young.
   */
  rest(): Promise<void>
}

/** The clock of a breather, and the event that it waits for. */
export interface Breathing {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** Resolves after everything else that is ready has had its turn. */
  readonly othersTurn: () => Promise<void>
}

/** Milliseconds of work in one turn of the event loop. The last piece may take longer. */
const SLICE = 20

/** Milliseconds of work in one turn after which no other one that rests goes on. */
const REST_SLICE = 2

/** Most pieces that go on in one turn. */
const MOST = 256

/**
 * Makes a breather, which lets other work run between pieces of work.
 * Stores and runtimes that answer in microtasks never end a turn of the event loop. With hundreds of conversations,
 * sockets, timers and other requests would wait for seconds. In each turn, as many pieces continue as take
 * about a slice, estimated from earlier turns. So writes of one turn still share a commit.
 */
export function createBreather({ now, othersTurn }: Breathing): Breather {
  const waiting: (() => void)[] = []
  /** The time at which work began in this turn of the event loop. Null before there is any. */
  let began: number | null = null
  let atOnce = 1

  async function untilTurnEnds(): Promise<void> {
    for (let released = 0; ; ) {
      await othersTurn()
      const took = now() - (began ?? now())
      if (released > 0) atOnce = took > SLICE ? Math.max(1, atOnce >> 1) : Math.min(MOST, atOnce * 2)
      if (waiting.length === 0) break
      began = now()
      const next = waiting.splice(0, atOnce)
      released = next.length
      for (const goOn of next) goOn()
    }
    began = null
  }

  const resting: (() => void)[] = []
  /** The time at which the first that rested went on in this turn. Null before that. */
  let restBegan: number | null = null

  async function untilRested(): Promise<void> {
    do await othersTurn()
    while (restBegan !== null && now() - restBegan >= REST_SLICE)
    if (restBegan === null) {
      restBegan = now()
      void othersTurn().then(() => {
        restBegan = null
      })
    }
    resting.shift()?.()
  }

  return {
    breathe() {
      if (began === null) {
        began = now()
        void untilTurnEnds()
        return null
      }
      if (waiting.length === 0 && now() - began < SLICE) return null
      return new Promise(resolve => {
        waiting.push(resolve)
      })
    },
    rest: () =>
      new Promise(resolve => {
        resting.push(resolve)
        void untilRested()
      }),
  }
}
