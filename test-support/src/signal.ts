/** Something that waits for conditions about other things, which say when they have changed. */
export interface Signal {
  changed(): void
  /** Resolves as soon as the condition holds. */
  until(condition: () => boolean): Promise<void>
}

export function createSignal(): Signal {
  const waiting = new Set<() => void>()
  return {
    changed() {
      for (const look of waiting) look()
    },
    until: condition =>
      new Promise(resolve => {
        const look = (): void => {
          if (!condition()) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}
