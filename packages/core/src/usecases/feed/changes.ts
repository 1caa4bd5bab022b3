import type { ConversationId } from '../../domain/ids.ts'
import { topics } from '../../ports/notices.ts'
import type { Context } from '../context.ts'

/** How long a lost notice can delay a waiting caller, milliseconds. */
const LONGEST_WAIT = 1000

/** Waits for a conversation to change. For callers that read its state, not its log. */
export interface Changes {
  /**
   * Resolves when something has happened since the last time, and after a second or `atMost` milliseconds in case a
   * notice got lost.
   */
  next(atMost?: number): Promise<void>
  close(): void
}

/** Subscribes at once: no later change is missed. */
export function watchChanges(
  { clock, notices }: Pick<Context, 'clock' | 'notices'>,
  id: ConversationId,
): Changes {
  let changed = false
  let wake: (() => void) | null = null
  let cancel = (): void => undefined
  const raise = (): void => {
    changed = true
    wake?.()
  }
  const subscription = notices.subscribe(topics.conversation(id), { notice: raise, gap: raise })
  return {
    close() {
      subscription.end()
      cancel()
    },
    async next(atMost = LONGEST_WAIT) {
      if (!changed) {
        await new Promise<void>(resolve => {
          wake = resolve
          cancel = clock.schedule(Math.min(atMost, LONGEST_WAIT), resolve, { keepAlive: true })
        })
        cancel()
        wake = null
      }
      changed = false
    },
  }
}
