/** A gate for what comes in crowds: so many pass, then everything else that is ready has its turn. */
export interface Gate {
  /** Null: the caller may go on at once. Else it resolves when the caller may, in the order of arrival. */
  pass(): Promise<void> | null
}

/**
 * How many events of visitors are taken in one turn of the event loop. All of them at once would keep everything else
 * waiting, and those who wrote last for two rounds (MS51).
 */
export const EVENTS_AT_ONCE = 64

/**
 * @param most how many pass in one turn of the event loop
 * @param othersTurn resolves after everything else that is ready has had its turn
 */
export function createGate(most: number, othersTurn: () => Promise<void>): Gate {
  const waiting: (() => void)[] = []
  /** In this turn of the event loop. */
  let passed = 0
  let counting = false

  async function count(): Promise<void> {
    counting = true
    while (passed > 0) {
      await othersTurn()
      const next = waiting.splice(0, most)
      passed = next.length
      for (const go of next) go()
    }
    counting = false
  }

  return {
    pass() {
      if (passed === most) return new Promise(resolve => void waiting.push(resolve))
      passed++
      if (!counting) void count()
      return null
    },
  }
}
