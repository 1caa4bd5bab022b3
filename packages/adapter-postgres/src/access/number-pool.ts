import type { AgentId, PooledNumber } from '@colloquy/core'
import type { NumberPoolStore } from '@colloquy/core/store'
import { sql } from 'kysely'
import { isViolated } from '../database/failure.ts'
import { fromJsonOrNull } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'
import { ANSWER, type Done, keeping, type OutboxParameters, outboxOf } from '../outbox/outbox-keeper.ts'

/** The row of a number of a pool. */
export type PooledNumberRow = {
  number: string
  account_id: string
  agent_id: AgentId
  created_at: number
  free_from: number
  /** JSON. */
  attributes: string | null
}

export const toPooled = (row: PooledNumberRow): PooledNumber => ({
  number: row.number,
  accountId: row.account_id,
  agentId: row.agent_id,
  createdAt: row.created_at,
  freeFrom: row.free_from,
  attributes: fromJsonOrNull(row.attributes),
})

export const fromPooled = ({ attributes, ...pooled }: PooledNumber): PooledNumberRow => ({
  number: pooled.number,
  account_id: pooled.accountId,
  agent_id: pooled.agentId,
  created_at: pooled.createdAt,
  free_from: pooled.freeFrom,
  attributes: attributes === null ? null : JSON.stringify(attributes),
})

/** Numbers as lists, one value for each. */
type PoolColumns = {
  numbers: readonly string[]
  accounts: readonly string[]
  agents: readonly string[]
  times: readonly number[]
  free: readonly number[]
  attributes: readonly (string | null)[]
}

const poolStatements = (define: Define) => ({
  /** Calls that change one agent's pool come one after the other: each sees what the one before has written. */
  lockAgent: define<{ agentId: string }>('change a pool of numbers')(
    (_, p) => sql`
    select pg_advisory_xact_lock(hashtextextended('number pool of ' || ${p('agentId')}::text, 0))`,
  ),
  state: define<{ agentId: string; numbers: readonly string[] }>('add numbers to a pool')<{
    readonly count: number
    readonly taken: readonly string[]
  }>(
    (t, p) => sql`
    select (select count(*)::int from ${t('pooled_number')} where agent_id = ${p('agentId')}) as count,
      array(select number from ${t('pooled_number')} where number = any (${p('numbers')}::text[])) as taken`,
  ),
  insert: define<PoolColumns & OutboxParameters>('add numbers to a pool')<Done>(
    (t, p) => sql`
    with added as (
      insert into ${t('pooled_number')} (number, account_id, agent_id, created_at, free_from, attributes)
      select * from unnest(${p('numbers')}::text[], ${p('accounts')}::text[], ${p('agents')}::text[],
        ${p('times')}::bigint[], ${p('free')}::bigint[], ${p('attributes')}::text[])
      returning 1
    ), done (write) as (select distinct 1 from added), ${keeping(t, p)} ${ANSWER}`,
  ),
  among: define<{ numbers: readonly string[] }>('read a number of a pool')<PooledNumberRow>(
    (t, p) => sql`
    select * from ${t('pooled_number')} where number = any (${p('numbers')}::text[]) order by number`,
  ),
  ofAgent: define<{ agentId: string; after: string; limit: number }>(
    'list the numbers of a pool',
  )<PooledNumberRow>(
    (t, p) => sql`
    select * from ${t('pooled_number')} where agent_id = ${p('agentId')} and number > ${p('after')}
    order by number limit ${p('limit')}::bigint`,
  ),
  // Both updates see the pool as it was: none touches the other's row.
  reserve: define<{ agentId: string; at: number; until: number; attributes: string }>(
    'reserve a number',
  )<PooledNumberRow>(
    (t, p) => sql`
    with chosen as (
      select number from ${t('pooled_number')}
      where agent_id = ${p('agentId')} and free_from <= ${p('at')}::bigint
      order by free_from, number limit 1
    ), forgotten as (
      update ${t('pooled_number')} set attributes = null
      where agent_id = ${p('agentId')} and free_from <= ${p('at')}::bigint and attributes is not null
        and number not in (select number from chosen)
    )
    update ${t('pooled_number')} set attributes = ${p('attributes')}, free_from = ${p('until')}::bigint
    where number in (select number from chosen)
    returning *`,
  ),
  remove: define<{ agentId: string; number: string } & OutboxParameters>('remove a number of a pool')<Done>(
    (t, p) => sql`
    with removed as (
      delete from ${t('pooled_number')} where number = ${p('number')} and agent_id = ${p('agentId')} returning 1
    ), done (write) as (select 1 from removed), ${keeping(t, p)} ${ANSWER}`,
  ),
})

const columnsOf = (rows: readonly PooledNumberRow[]): PoolColumns => ({
  numbers: rows.map(row => row.number),
  accounts: rows.map(row => row.account_id),
  agents: rows.map(row => row.agent_id),
  times: rows.map(row => row.created_at),
  free: rows.map(row => row.free_from),
  attributes: rows.map(row => row.attributes),
})

/** Pools of numbers in PostgreSQL. */
export function numberPoolMethods({ define, transaction }: Session): NumberPoolStore {
  const run = poolStatements(define)
  const takenAmong = async (numbers: readonly string[]) =>
    (await run.among.all({ numbers })).map(({ number }) => number)
  return {
    async add(added, limit, outbox) {
      const rows = columnsOf(added.map(fromPooled))
      const kept = outboxOf(outbox)
      const { numbers } = rows
      const agentId = rows.agents[0] ?? ''
      try {
        return await transaction('add numbers to a pool', async on => {
          await run.lockAgent.all({ agentId }, on)
          const state = await run.state.get({ agentId, numbers }, on)
          const taken = numbers.filter(number => state?.taken.includes(number))
          if (taken.length > 0) return { outcome: 'taken', numbers: taken }
          if ((state?.count ?? 0) + numbers.length > limit) return { outcome: 'full' }
          await run.insert.all({ ...rows, ...kept }, on)
          return { outcome: 'added' }
        })
      } catch (error) {
        // The pool of another agent took one in between.
        if (isViolated(error, '23505')) return { outcome: 'taken', numbers: await takenAmong(numbers) }
        throw error
      }
    },
    async find(number) {
      const [row] = await run.among.all({ numbers: [number] })
      return row === undefined ? null : toPooled(row)
    },
    list: async (agentId, { after = '' }, limit) =>
      (await run.ofAgent.all({ agentId, after, limit })).map(toPooled),
    async reserve(agentId, { at, until, ...reservation }) {
      const attributes = JSON.stringify(reservation.attributes)
      return transaction('reserve a number', async on => {
        await run.lockAgent.all({ agentId }, on)
        const row = await run.reserve.get({ agentId, at, until, attributes }, on)
        return row === undefined ? null : toPooled(row)
      })
    },
    async remove(agentId, number, outbox) {
      const kept = outboxOf(outbox)
      return transaction('remove a number of a pool', async on => {
        // One that is being reserved is removed behind it, so that the reservation does not end up with nothing.
        await run.lockAgent.all({ agentId }, on)
        return (await run.remove.get({ agentId, number, ...kept }, on))?.done ?? false
      })
    },
  }
}
