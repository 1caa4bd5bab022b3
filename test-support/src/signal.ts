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
      for (const check of waiting) check()
    },
    until: condition =>
      new Promise(resolve => {
        const check = (): void => {
          if (!condition()) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
  }
}
