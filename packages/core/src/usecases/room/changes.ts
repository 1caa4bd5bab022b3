import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { ConversationNotice } from '../../ports/notices.ts'
import type { Context } from '../context.ts'

/** The longest delay of a waiting caller by a lost notice, milliseconds. */
const LONGEST_WAIT = 1000

/** Waits for a conversation to change. For callers that read its state, not its log. */
export interface Changes {
  /**
   * Resolves when something has happened since the last time, and after a second or `atMost` milliseconds in case a
   * notice got lost. True if this process alone has changed it, as far as it was told.
   */
  next(atMost?: number): Promise<boolean>
  close(): void
}

/** Listens at once: no later change is missed. `recorded` is called with each turn that this process records. */
export function watchChanges(
  { clock, rooms }: Pick<Context, 'clock' | 'rooms'>,
  id: ConversationId,
  recorded: (turn: StoredTurn) => void = () => undefined,
): Changes {
  let changed = false
  let wake: (() => void) | null = null
  let cancel = (): void => undefined
  const raise = (): void => {
    changed = true
    wake?.()
  }
  const room = rooms.of(id)
  const notice = ({ turns = [] }: ConversationNotice): void => {
    for (const turn of turns) recorded(turn)
    raise()
  }
  const listener = { notice, gap: raise }
  room.listen(listener)
  let { heard } = room
  return {
    close() {
      room.leave(listener)
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
      const isOwn = changed && room.heard === heard
      changed = false
      heard = room.heard
      return isOwn
    },
  }
}
