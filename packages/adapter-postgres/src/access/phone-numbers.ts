import type { AgentId, ConnectorId, PhoneNumber } from '@colloquy/core'
import type { PhoneNumberStore } from '@colloquy/core/store'
import { sql } from 'kysely'
import { isViolated } from '../database/failure.ts'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'
import { ANSWER, type Done, keeping, type OutboxParameters, outboxOf } from '../outbox/outbox-keeper.ts'

/** A number's row. */
export type PhoneNumberRow = {
  number: string
  account_id: string
  agent_id: AgentId
  environment: PhoneNumber['environment']
  connector_id: ConnectorId | null
  created_at: number
}

export const toNumber = (row: PhoneNumberRow): PhoneNumber => ({
  number: row.number,
  accountId: row.account_id,
  agentId: row.agent_id,
  environment: row.environment,
  connectorId: row.connector_id,
  createdAt: row.created_at,
})

export const fromNumber = (number: PhoneNumber): PhoneNumberRow => ({
  number: number.number,
  account_id: number.accountId,
  agent_id: number.agentId,
  environment: number.environment,
  connector_id: number.connectorId,
  created_at: number.createdAt,
})

/** Numbers as lists, one value for each. */
type NumberColumns = {
  numbers: readonly string[]
  accounts: readonly string[]
  agents: readonly string[]
  environments: readonly string[]
  connectors: readonly (string | null)[]
  times: readonly number[]
}

type Before = {
  was_account_id: string
  was_agent_id: string
  was_environment: string
  was_connector_id: string | null
}

const numberStatements = (define: Define) => ({
  /** Two that add numbers to one agent come one after the other, so that the second counts the first. */
  lockAgent: define<{ agentId: string }>('add phone numbers')(
    (_, p) => sql`
    select pg_advisory_xact_lock(hashtextextended('phone numbers of ' || ${p('agentId')}::text, 0))`,
  ),
  state: define<{ agentId: string; numbers: readonly string[] }>('add phone numbers')<{
    readonly count: number
    readonly taken: readonly string[]
  }>(
    (t, p) => sql`
    select (select count(*)::int from ${t('phone_number')} where agent_id = ${p('agentId')}) as count,
      array(select number from ${t('phone_number')} where number = any (${p('numbers')}::text[])) as taken`,
  ),
  insert: define<NumberColumns & OutboxParameters>('add phone numbers')<Done>(
    (t, p) => sql`
    with added as (
      insert into ${t('phone_number')} (number, account_id, agent_id, environment, connector_id, created_at)
      select * from unnest(${p('numbers')}::text[], ${p('accounts')}::text[], ${p('agents')}::text[],
        ${p('environments')}::text[], ${p('connectors')}::text[], ${p('times')}::bigint[])
      returning 1
    ), done (write) as (select distinct 1 from added), ${keeping(t, p)} ${ANSWER}`,
  ),
  numbers: define<{ numbers: readonly string[] }>('read phone numbers')<PhoneNumberRow>(
    (t, p) => sql`
    select * from ${t('phone_number')} where number = any (${p('numbers')}::text[]) order by number`,
  ),
  ofAgent: define<{ agentId: string; after: string; limit: number }>('list phone numbers')<PhoneNumberRow>(
    (t, p) => sql`
    select * from ${t('phone_number')} where agent_id = ${p('agentId')} and number > ${p('after')}
    order by number limit ${p('limit')}::bigint`,
  ),
  ofConnector: define<{ agentId: string; connectorId: string; after: string; limit: number }>(
    'list phone numbers',
  )<PhoneNumberRow>(
    (t, p) => sql`
    select * from ${t('phone_number')}
    where connector_id = ${p('connectorId')} and agent_id = ${p('agentId')} and number > ${p('after')}
    order by number limit ${p('limit')}::bigint`,
  ),
  // A connector that is moved or revoked meanwhile is waited for, or waits for this: each locks the connector first.
  update: define<PhoneNumberRow & Before & OutboxParameters>('update a phone number')<Done>(
    (t, p) => sql`
    with answering as (
      select id from ${t('connector')} where id = ${p('connector_id')}::text and kind = 'telephony'
        and agent_id = ${p('agent_id')} and environment = ${p('environment')} and revoked_at is null
      for share
    ), changed as (
      update ${t('phone_number')} set account_id = ${p('account_id')}, agent_id = ${p('agent_id')},
        environment = ${p('environment')}, connector_id = ${p('connector_id')}::text, created_at = ${p('created_at')}::bigint
      where number = ${p('number')} and account_id = ${p('was_account_id')} and agent_id = ${p('was_agent_id')}
        and environment = ${p('was_environment')} and connector_id is not distinct from ${p('was_connector_id')}::text
        and (${p('connector_id')}::text is null or exists (select from answering))
      returning 1
    ), done (write) as (select 1 from changed), ${keeping(t, p)} ${ANSWER}`,
  ),
  remove: define<{ agentId: string; number: string } & OutboxParameters>('remove a phone number')<Done>(
    (t, p) => sql`
    with removed as (
      delete from ${t('phone_number')} where number = ${p('number')} and agent_id = ${p('agentId')} returning 1
    ), done (write) as (select 1 from removed), ${keeping(t, p)} ${ANSWER}`,
  ),
})

/** What becomes of numbers with their connector. */
export const numbersBesideStatements = (define: Define) => ({
  dropNumbers: define<{ connectorId: string }>('revoke a connector')<{ readonly number: string }>(
    (t, p) => sql`
    delete from ${t('phone_number')} where connector_id = ${p('connectorId')} returning number`,
  ),
  moveNumbers: define<{ connectorId: string; account_id: string; agent_id: string; environment: string }>(
    'update a connector',
  )(
    (t, p) => sql`
    update ${t('phone_number')} set account_id = ${p('account_id')}, agent_id = ${p('agent_id')},
      environment = ${p('environment')}
    where connector_id = ${p('connectorId')}`,
  ),
})

const columnsOf = (rows: readonly PhoneNumberRow[]): NumberColumns => ({
  numbers: rows.map(row => row.number),
  accounts: rows.map(row => row.account_id),
  agents: rows.map(row => row.agent_id),
  environments: rows.map(row => row.environment),
  connectors: rows.map(row => row.connector_id),
  times: rows.map(row => row.created_at),
})

/** Phone numbers in PostgreSQL. */
export function phoneNumberMethods({ define, transaction }: Session): PhoneNumberStore {
  const run = numberStatements(define)
  const takenAmong = async (numbers: readonly string[]) =>
    (await run.numbers.all({ numbers })).map(({ number }) => number)
  return {
    async add(added, limit, outbox) {
      const rows = columnsOf(added.map(fromNumber))
      const kept = outboxOf(outbox)
      const { numbers } = rows
      const agentId = rows.agents[0] ?? ''
      try {
        return await transaction('add phone numbers', async on => {
          await run.lockAgent.all({ agentId }, on)
          const state = await run.state.get({ agentId, numbers }, on)
          const taken = numbers.filter(number => state?.taken.includes(number))
          if (taken.length > 0) return { outcome: 'taken', numbers: taken }
          if ((state?.count ?? 0) + numbers.length > limit) return { outcome: 'full' }
          await run.insert.all({ ...rows, ...kept }, on)
          return { outcome: 'added' }
        })
      } catch (error) {
        // Another agent took one in between.
        if (isViolated(error, '23505')) return { outcome: 'taken', numbers: await takenAmong(numbers) }
        throw error
      }
    },
    find: async numbers => (await run.numbers.all({ numbers })).map(toNumber),
    async list(agentId, { connectorId, after = '' }, limit) {
      const rows =
        connectorId === undefined
          ? await run.ofAgent.all({ agentId, after, limit })
          : await run.ofConnector.all({ agentId, connectorId, after, limit })
      return rows.map(toNumber)
    },
    async update(before, next, outbox) {
      const was = fromNumber(before)
      const row = {
        ...fromNumber(next),
        number: was.number,
        ...{ was_account_id: was.account_id, was_agent_id: was.agent_id },
        ...{ was_environment: was.environment, was_connector_id: was.connector_id },
      }
      return (await run.update.get({ ...row, ...outboxOf(outbox) }))?.done ? 'written' : 'stale'
    },
    async remove(agentId, number, outbox) {
      return (await run.remove.get({ agentId, number, ...outboxOf(outbox) }))?.done ?? false
    },
  }
}
