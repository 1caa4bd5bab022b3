import type { ConversationId } from '@colloquy/core'
import type { TimerStore } from '@colloquy/core/store'
import { sql } from 'kysely'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'

/** A power of two of this many claims is beyond any pause. */
const MOST_DOUBLINGS = 40

/** The statements about timers. What another transaction has locked is left to the next look. */
const timerStatements = (define: Define) => ({
  claimDue: define<{ now: number; limit: number; pause: number; longest: number }>(
    'claim due conversations',
  )<{
    readonly id: ConversationId
  }>(
    (t, p) => sql`
    with due as (
      select conversation, wake_at from ${t('conversation_timer')}
      where wake_at <= ${p('now')}::bigint order by wake_at limit ${p('limit')}::bigint for update skip locked
    ), claimed as (
      update ${t('conversation_timer')} as timer set
        wake_at = ${p('now')}::bigint + least(
          ${p('pause')}::numeric * 2::numeric ^ least(timer.claims, ${sql.lit(MOST_DOUBLINGS)}), ${p('longest')}::numeric)::bigint,
        claims = timer.claims + 1
      from due where timer.conversation = due.conversation
      returning timer.conversation, due.wake_at as was
    )
    select h.id from claimed join ${t('conversation_head')} as h on h.row = claimed.conversation
    order by claimed.was, h.id`,
  ),
  nextDue: define<Record<never, never>>('look for the next conversation')<{ readonly at: number | null }>(
    t => sql`select min(wake_at) as at from ${t('conversation_timer')}`,
  ),
  hasten: define<{ after: number; to: number; limit: number }>('hasten wakes of conversations')(
    (t, p) => sql`
    with late as (
      select conversation from ${t('conversation_timer')} where wake_at > ${p('after')}::bigint
      order by wake_at desc limit ${p('limit')}::bigint for update skip locked
    )
    update ${t('conversation_timer')} as timer set wake_at = ${p('to')}::bigint
    from late where timer.conversation = late.conversation returning 1`,
  ),
})

/** When conversations must be woken, in PostgreSQL. */
export function timerMethods({ define }: Session): TimerStore {
  const run = timerStatements(define)
  return {
    async claimDue(now, limit, until, longest = until - now) {
      const pause = until - now
      return (await run.claimDue.all({ now, limit, pause, longest: Math.max(longest, pause) })).map(
        ({ id }) => id,
      )
    },
    nextDue: async () => (await run.nextDue.get({}))?.at ?? null,
    hasten: async (after, to, limit) => (await run.hasten.all({ after, to, limit })).length,
  }
}
