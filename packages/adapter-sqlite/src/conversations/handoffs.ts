import type { AccountId } from '@colloquy/core'
import type { HandoffStore, HandoffWait, JoinedWait } from '@colloquy/core/store'
import { claimReach } from '@colloquy/core/store'
import { sql } from 'kysely'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'
import type { ConversationStatements } from './conversation-statements.ts'

/** The statements about waiting lines, prepared. */
export const lineStatements = (define: Define) => ({
  insertWait: define<{ accountId: string; queueName: string; joinedAt: number; waited: number }>()((db, p) =>
    db
      .insertInto('handoff_wait')
      .values({
        account_id: p('accountId'),
        queue_name: p('queueName'),
        joined_at: p('joinedAt'),
        waited: p('waited'),
      })
      .compile(),
  ),
  dropWaits: define<{ accountId: string; queueName: string; keepSince: number }>()((db, p) =>
    db
      .deleteFrom('handoff_wait')
      .where('account_id', '=', p('accountId'))
      .where('queue_name', '=', p('queueName'))
      .where('joined_at', '<', p('keepSince'))
      .compile(),
  ),
  waits: define<{ accountId: string; queueName: string; since: number; limit: number }>()((db, p) =>
    sql<JoinedWait>`
      select joined_at as joinedAt, waited from handoff_wait
      where account_id = ${p('accountId')} and queue_name = ${p('queueName')} and joined_at >= ${p('since')}
      order by joined_at desc limit ${p('limit')}`.compile(db),
  ),
  nextLine: define<Record<never, never>>()(db =>
    sql<{ readonly at: number | null }>`
      select min(coalesce(held_until, 0)) as at
      from (select distinct account_id from handoff where status = 'waiting') as waiting
        left join waiting_line on waiting_line.account_id = waiting.account_id`.compile(db),
  ),
  freeLines: define<{ now: number; reach: number }>()((db, p) =>
    sql<{ readonly accountId: AccountId }>`
      select distinct account_id as accountId from handoff where status = 'waiting' and not exists (
        select 1 from waiting_line
        where waiting_line.account_id = handoff.account_id and held_until > ${p('now')}
          and held_until <= ${p('reach')}
      )`.compile(db),
  ),
  holdLine: define<{ accountId: string; until: number }>()((db, p) =>
    sql<never>`
      insert into waiting_line (account_id, held_until) values (${p('accountId')}, ${p('until')})
      on conflict (account_id) do update set held_until = excluded.held_until`.compile(db),
  ),
})

/** Handoffs in SQLite, and what an append needs to keep a wait. */
export function handoffs({ define, read, write }: Session, conversations: ConversationStatements) {
  const run = lineStatements(define)
  const methods: HandoffStore = {
    list: (accountId, status) =>
      read('list handoffs', () => conversations.handoffs.all({ accountId, status })),
    findShared: (accountId, agentId, sharedId) =>
      read(
        'find a conversation by a shared id',
        () => conversations.shared.get({ accountId, agentId, sharedId })?.id ?? null,
      ),
    joinedWaits: (accountId, queueName, since, limit) =>
      read('read the waits of a queue', () => run.waits.all({ accountId, queueName, since, limit })),
    nextLine: () => read('look for the next line', () => run.nextLine.get({})?.at ?? null),
    async claimLines(now, until) {
      const operation = 'claim waiting lines'
      // Most looks find nothing, and need not wait for the lock that writes need.
      const reach = claimReach(now, until)
      const some = await read(operation, () => run.freeLines.get({ now, reach }) !== undefined)
      if (!some) return []
      return write(operation, () => {
        const free = run.freeLines.all({ now, reach }).map(({ accountId }) => accountId)
        for (const accountId of free) run.holdLine.run({ accountId, until })
        return free
      })
    },
  }
  return {
    methods,
    /** A live agent has joined, within a write. */
    joined({ accountId, queueName, joinedAt, waited, keepSince }: HandoffWait): void {
      run.dropWaits.run({ accountId, queueName, keepSince })
      run.insertWait.run({ accountId, queueName, joinedAt, waited })
    },
  }
}
