/** The number of newest message numbers remembered per process. Older ones count as received. */
const REMEMBERED = 256

/** Processes whose numbers are remembered on one topic; restarts make new names. */
const PROCESSES = 64

/** The numbers of one process that have come. */
interface Numbers {
  readonly seen: Set<number>
  /** All sequences up to this one count as received. */
  floor: number
}

/**
 * Recognises repeated notices on one topic (NT37). Late notices are new as long as they are not older than hundreds of
 * later ones.
 */
export interface SeenBefore {
  /** Notes the number. False if it came before. */
  isNew(from: string, number: number): boolean
}

/** Drops the lower half. */
function forget(numbers: Numbers): void {
  const sorted = [...numbers.seen].sort((a, b) => a - b)
  const dropped = sorted.slice(0, sorted.length / 2)
  for (const number of dropped) numbers.seen.delete(number)
  numbers.floor = dropped.at(-1) ?? numbers.floor
}

/** Returns a memory without numbers. */
export function createSeenBefore(): SeenBefore {
  const processes = new Map<string, Numbers>()
  return {
    isNew(from, number) {
      const numbers = processes.get(from) ?? { seen: new Set(), floor: -1 }
      if (number <= numbers.floor || numbers.seen.has(number)) return false
      numbers.seen.add(number)
      if (numbers.seen.size > REMEMBERED) forget(numbers)
      // The one that spoke last is the last to be forgotten.
      processes.delete(from)
      processes.set(from, numbers)
      const [oldest] = processes.keys()
      if (processes.size > PROCESSES && oldest !== undefined) processes.delete(oldest)
      return true
    },
  }
}
