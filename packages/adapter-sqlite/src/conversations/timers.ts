import type { TimerStore } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import type { Flag } from '../database/tables.ts'
import type { ConversationStatements } from './conversation-statements.ts'

/** The most conversations that one write finds anew by the moment at which they must be woken. */
const SETTLED_AT_ONCE = 500

/** By which moment a conversation is found for waking. */
export interface Due {
  readonly dueAt: number | null
  readonly postponed: Flag
}

/** What a write that sets the moment of waking has to change of {@link Due}; null for nothing. */
export function dueAfter(
  { due_at: dueAt, postponed }: { readonly due_at: number | null; readonly postponed: Flag },
  wakeAt: number | null,
): Due | null {
  if (wakeAt === dueAt) return null
  if (wakeAt === null || dueAt === null || wakeAt < dueAt) return { dueAt: wakeAt, postponed: 0 }
  return postponed === 1 ? null : { dueAt, postponed: 1 }
}

/**
 * When conversations must be woken, in SQLite. A write that puts the moment off leaves the index as it is, since most
 * are followed by others before that moment: the conversation is found too early then, and stays asleep (SQ38).
 */
export function timerMethods({ read, write }: Session, run: ConversationStatements): TimerStore {
  /** Runs in a write, after others in which everything is settled that it depends on. */
  async function settled<Result>(
    operation: string,
    settle: () => number,
    then: () => Result,
  ): Promise<Result> {
    for (;;) {
      const done = await write(operation, () => (settle() < SETTLED_AT_ONCE ? { result: then() } : null))
      if (done !== null) return done.result
    }
  }

  return {
    async claimDue(now, limit, until, longest = until - now) {
      const operation = 'claim due conversations'
      // Most looks find nothing, and need not wait for the lock that writes need.
      const some = await read(operation, () => run.due.get({ now, limit: 1 }) !== undefined)
      if (!some) return []
      const settle = () => run.settleDue.all({ now, limit: SETTLED_AT_ONCE }).length
      return settled(operation, settle, () => {
        const due = run.due.all({ now, limit })
        for (const { row, claims } of due) {
          const pause = Math.min((until - now) * 2 ** claims, Math.max(longest, until - now))
          run.claim.run({ row, wakeAt: now + pause })
        }
        return due.map(({ id }) => id)
      })
    },
    nextDue: () => read('look for the next conversation', () => run.nextDue.get({})?.at ?? null),
    async hasten(after, to, limit) {
      const operation = 'hasten wakes of conversations'
      const isLate = () =>
        run.late.get({ after, limit: 1 }) !== undefined || run.postponedAfter.get({ after }) !== undefined
      const some = await read(operation, isLate)
      if (!some) return 0
      const settle = () => run.settleLate.all({ after, limit: SETTLED_AT_ONCE }).length
      return settled(operation, settle, () => {
        const late = run.late.all({ after, limit })
        for (const { row } of late) run.setWake.run({ row, wakeAt: to })
        return late.length
      })
    },
  }
}
