/** A queue for long work: all other work gets its turn between any two entries. */
export interface Line {
  /** Resolves when it is the caller's turn: one caller for each turn of the event loop, in the order of arrival. */
  turn(): Promise<void>
}

/** @param othersTurn resolves after everything else that is ready has had its turn */
export function createLine(othersTurn: () => Promise<void>): Line {
  const waiting: (() => void)[] = []
  let moving = false

  async function move(): Promise<void> {
    moving = true
    while (waiting.length > 0) {
      await othersTurn()
      waiting.shift()?.()
    }
    moving = false
  }

  return {
    turn: () =>
      new Promise(resolve => {
        waiting.push(resolve)
        if (!moving) void move()
      }),
  }
}
