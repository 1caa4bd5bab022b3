import type { Context } from '../context.ts'

/** How long a lost notice can go unnoticed, milliseconds. */
const LONGEST_WAIT = 1000

/** Something that one waiter waits for. */
export interface Signal {
  raise(): void
  /** Resolves when it was raised since the last time, and after a second or `atMost` milliseconds in case a notice got lost. */
  next(atMost?: number): Promise<void>
  close(): void
}

/** A signal that nobody has raised. */
export function createSignal({ clock }: Pick<Context, 'clock'>): Signal {
  let raised = false
  let wake: (() => void) | null = null
  let cancel = (): void => undefined
  return {
    raise() {
      raised = true
      wake?.()
    },
    close: () => cancel(),
    async next(atMost = LONGEST_WAIT) {
      if (!raised) {
        await new Promise<void>(resolve => {
          wake = resolve
          cancel = clock.schedule(Math.min(atMost, LONGEST_WAIT), resolve, { keepAlive: true })
        })
        cancel()
        wake = null
      }
      raised = false
    },
  }
}
