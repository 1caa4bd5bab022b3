import type { TimerStore } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import type { ConversationStatements } from './conversation-statements.ts'

/** When conversations must be woken, in SQLite. */
export function timerMethods({ read, write }: Session, run: ConversationStatements): TimerStore {
  return {
    async claimDue(now, limit, until, longest = until - now) {
      const operation = 'claim due conversations'
      // Most looks find nothing, and need not wait for the lock that writes need.
      const some = await read(operation, () => run.due.get({ now, limit: 1 }) !== undefined)
      if (!some) return []
      return write(operation, () => {
        const due = run.due.all({ now, limit })
        for (const { row, claims } of due) {
          const pause = Math.min((until - now) * 2 ** claims, Math.max(longest, until - now))
          run.claim.run({ row, wakeAt: now + pause })
        }
        return due.map(({ id }) => id)
      })
    },
    async hasten(after, to, limit) {
      const operation = 'hasten wakes of conversations'
      const some = await read(operation, () => run.late.get({ after, limit: 1 }) !== undefined)
      if (!some) return 0
      return write(operation, () => {
        const late = run.late.all({ after, limit })
        for (const { row } of late) run.setWake.run({ row, wakeAt: to })
        return late.length
      })
    },
  }
}
