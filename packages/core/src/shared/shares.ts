/** Places of a process that are shared by holders who do not trust each other, such as accounts. */
export interface Shares {
  /** Reports whether a holder may take a place now. */
  hasRoom(holder: string): boolean
  /** Takes a place. Returns what gives it back, once; null if there is none for the holder. */
  take(holder: string): (() => void) | null
  /** Reports whether every place is taken. */
  readonly isFull: boolean
}

/** Creates places of which no holder takes all: who has one gets none of the last quarter. */
export function createShares(most: number): Shares {
  const held = new Map<string, number>()
  const kept = Math.ceil(most / 4)
  let left = most
  const hasRoom = (holder: string): boolean => left > (held.has(holder) ? kept : 0)

  function release(holder: string): void {
    const others = (held.get(holder) ?? 1) - 1
    if (others === 0) held.delete(holder)
    else held.set(holder, others)
    left++
  }

  return {
    hasRoom,
    take(holder) {
      if (!hasRoom(holder)) return null
      held.set(holder, (held.get(holder) ?? 0) + 1)
      left--
      let isHeld = true
      return () => {
        if (isHeld) release(holder)
        isHeld = false
      }
    },
    get isFull() {
      return left === 0
    },
  }
}
