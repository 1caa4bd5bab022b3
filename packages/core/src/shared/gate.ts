/** The one who passes a {@link Gate}. It is an existing object: nothing is made for those that wait. */
export interface Passer {
  /** Its turn has come. */
  pass(): void
}

/** A gate for crowds: lets so many pass, then other ready work gets its turn. */
export interface Gate {
  /** Lets it pass: within this call if it may, else in the order of arrival. */
  enter(passer: Passer): void
}

/**
 * The number of visitors' events that are accepted in one turn of the event loop. Accepting all at once would delay
 * everything else, and those who wrote last by two rounds.
 */
export const EVENTS_AT_ONCE = 64

/**
 * @param most how many pass in one turn of the event loop
 * @param othersTurn resolves after everything else that is ready has had its turn
 */
export function createGate(most: number, othersTurn: () => Promise<void>): Gate {
  const waiting: Passer[] = []
  /** In this turn of the event loop. */
  let passed = 0
  let counting = false

  async function count(): Promise<void> {
    counting = true
    while (passed > 0) {
      await othersTurn()
      const next = waiting.splice(0, most)
      passed = next.length
      for (const passer of next) passer.pass()
    }
    counting = false
  }

  return {
    enter(passer) {
      if (passed === most) {
        waiting.push(passer)
        return
      }
      passed++
      if (!counting) void count()
      passer.pass()
    },
  }
}
