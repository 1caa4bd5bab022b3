import type { AgentId, PooledNumber } from '@colloquy/core'
import type { NumberPoolStore } from '@colloquy/core/store'
import type { Selectable } from 'kysely'
import { fromJsonOrNull } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'
import type { Schema } from '../database/tables.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'

type Row = { [Name in keyof Selectable<Schema['pooled_number']>]: Selectable<Schema['pooled_number']>[Name] }

export const toPooled = (row: Row): PooledNumber => ({
  number: row.number,
  accountId: row.account_id,
  agentId: row.agent_id,
  createdAt: row.created_at,
  freeFrom: row.free_from,
  attributes: fromJsonOrNull(row.attributes),
})

export const fromPooled = ({ attributes, ...pooled }: PooledNumber): Row => ({
  number: pooled.number,
  account_id: pooled.accountId,
  agent_id: pooled.agentId,
  created_at: pooled.createdAt,
  free_from: pooled.freeFrom,
  attributes: attributes === null ? null : JSON.stringify(attributes),
})

/** The statements about pools, prepared. */
const poolStatements = (define: Define) => ({
  insert: define<Row>()((db, p) =>
    db
      .insertInto('pooled_number')
      .values({
        number: p('number'),
        account_id: p('account_id'),
        agent_id: p('agent_id'),
        created_at: p('created_at'),
        free_from: p('free_from'),
        attributes: p('attributes'),
      })
      .compile(),
  ),
  number: define<{ number: string }>()((db, p) =>
    db.selectFrom('pooled_number').selectAll().where('number', '=', p('number')).compile(),
  ),
  countOf: define<{ agentId: AgentId }>()((db, p) =>
    db
      .selectFrom('pooled_number')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('agent_id', '=', p('agentId'))
      .compile(),
  ),
  ofAgent: define<{ agentId: AgentId; after: string; limit: number }>()((db, p) =>
    db
      .selectFrom('pooled_number')
      .selectAll()
      .where('agent_id', '=', p('agentId'))
      .where('number', '>', p('after'))
      .orderBy('number')
      .limit(p('limit'))
      .compile(),
  ),
  longestFree: define<{ agentId: AgentId; at: number }>()((db, p) =>
    db
      .selectFrom('pooled_number')
      .selectAll()
      .where('agent_id', '=', p('agentId'))
      .where('free_from', '<=', p('at'))
      .orderBy('free_from')
      .orderBy('number')
      .limit(1)
      .compile(),
  ),
  forget: define<{ agentId: AgentId; at: number }>()((db, p) =>
    db
      .updateTable('pooled_number')
      .set({ attributes: null })
      .where('agent_id', '=', p('agentId'))
      .where('free_from', '<=', p('at'))
      .where('attributes', 'is not', null)
      .compile(),
  ),
  reserve: define<{ number: string; attributes: string; until: number }>()((db, p) =>
    db
      .updateTable('pooled_number')
      .set({ attributes: p('attributes'), free_from: p('until') })
      .where('number', '=', p('number'))
      .compile(),
  ),
  remove: define<{ agentId: AgentId; number: string }>()((db, p) =>
    db
      .deleteFrom('pooled_number')
      .where('number', '=', p('number'))
      .where('agent_id', '=', p('agentId'))
      .compile(),
  ),
})

/** What becomes of a pool with its agent. */
export const poolBesideStatements = (define: Define) => ({
  dropPoolOf: define<{ id: AgentId }>()((db, p) =>
    db.deleteFrom('pooled_number').where('agent_id', '=', p('id')).compile(),
  ),
})

/** Pools of numbers in SQLite. */
export function numberPoolMethods({ define, read, write }: Session, keeper: OutboxKeeper): NumberPoolStore {
  const run = poolStatements(define)
  return {
    async add(numbers, limit, outbox) {
      const rows = numbers.map(fromPooled)
      const keep = keeper.keeping(outbox)
      return write('add numbers to a pool', () => {
        const taken = rows.filter(({ number }) => run.number.get({ number }) !== undefined)
        if (taken.length > 0) return { outcome: 'taken', numbers: taken.map(({ number }) => number) }
        const agentId = rows[0]?.agent_id ?? ''
        if ((run.countOf.get({ agentId })?.count ?? 0) + rows.length > limit) return { outcome: 'full' }
        for (const row of rows) run.insert.run(row)
        keep()
        return { outcome: 'added' }
      })
    },
    find: number =>
      read('read a number of a pool', () => {
        const row = run.number.get({ number })
        return row === undefined ? null : toPooled(row)
      }),
    list: (agentId, { after = '' }, limit) =>
      read('list the numbers of a pool', () => run.ofAgent.all({ agentId, after, limit }).map(toPooled)),
    async reserve(agentId, { at, until, ...reservation }) {
      const attributes = JSON.stringify(reservation.attributes)
      return write('reserve a number', () => {
        const free = run.longestFree.get({ agentId, at })
        run.forget.run({ agentId, at })
        if (free === undefined) return null
        run.reserve.run({ number: free.number, attributes, until })
        return toPooled({ ...free, attributes, free_from: until })
      })
    },
    async remove(agentId, number, outbox) {
      const keep = keeper.keeping(outbox)
      return write('remove a number of a pool', () => {
        if (run.remove.run({ agentId, number }).changes !== 1) return false
        keep()
        return true
      })
    },
  }
}
