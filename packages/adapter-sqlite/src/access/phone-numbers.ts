import type { AgentId, ConnectorId, PhoneNumber } from '@colloquy/core'
import type { PhoneNumberStore } from '@colloquy/core/store'
import { type Selectable, sql } from 'kysely'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'
import type { Schema } from '../database/tables.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'

type Row = { [Name in keyof Selectable<Schema['phone_number']>]: Selectable<Schema['phone_number']>[Name] }

export const toNumber = (row: Row): PhoneNumber => ({
  number: row.number,
  accountId: row.account_id,
  agentId: row.agent_id,
  environment: row.environment,
  connectorId: row.connector_id,
  createdAt: row.created_at,
})

export const fromNumber = (number: PhoneNumber): Row => ({
  number: number.number,
  account_id: number.accountId,
  agent_id: number.agentId,
  environment: number.environment,
  connector_id: number.connectorId,
  created_at: number.createdAt,
})

/** A number as the condition of an update. */
type Before = {
  was_account_id: string
  was_agent_id: string
  was_environment: PhoneNumber['environment']
  was_connector_id: string | null
}

/** The statements about phone numbers, prepared. */
const numberStatements = (define: Define) => ({
  insert: define<Row>()((db, p) =>
    db
      .insertInto('phone_number')
      .values({
        number: p('number'),
        account_id: p('account_id'),
        agent_id: p('agent_id'),
        environment: p('environment'),
        connector_id: p('connector_id'),
        created_at: p('created_at'),
      })
      .compile(),
  ),
  number: define<{ number: string }>()((db, p) =>
    db.selectFrom('phone_number').selectAll().where('number', '=', p('number')).compile(),
  ),
  countOf: define<{ agentId: AgentId }>()((db, p) =>
    db
      .selectFrom('phone_number')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('agent_id', '=', p('agentId'))
      .compile(),
  ),
  ofAgent: define<{ agentId: AgentId; after: string; limit: number }>()((db, p) =>
    db
      .selectFrom('phone_number')
      .selectAll()
      .where('agent_id', '=', p('agentId'))
      .where('number', '>', p('after'))
      .orderBy('number')
      .limit(p('limit'))
      .compile(),
  ),
  ofConnector: define<{ agentId: AgentId; connectorId: ConnectorId; after: string; limit: number }>()(
    (db, p) =>
      db
        .selectFrom('phone_number')
        .selectAll()
        .where('connector_id', '=', p('connectorId'))
        .where('agent_id', '=', p('agentId'))
        .where('number', '>', p('after'))
        .orderBy('number')
        .limit(p('limit'))
        .compile(),
  ),
  update: define<Row & Before>()((db, p) =>
    db
      .updateTable('phone_number')
      .set({
        account_id: p('account_id'),
        agent_id: p('agent_id'),
        environment: p('environment'),
        connector_id: p('connector_id'),
        created_at: p('created_at'),
      })
      .where('number', '=', p('number'))
      .where('account_id', '=', p('was_account_id'))
      .where('agent_id', '=', p('was_agent_id'))
      .where('environment', '=', p('was_environment'))
      .where('connector_id', 'is', p('was_connector_id'))
      .compile(),
  ),
  answering: define<{ id: string; agentId: string; environment: string }>()((db, p) =>
    sql<{ readonly id: string }>`
      select id from connector where id = ${p('id')} and kind = 'telephony' and agent_id = ${p('agentId')}
        and environment = ${p('environment')} and revoked_at is null`.compile(db),
  ),
  remove: define<{ agentId: AgentId; number: string }>()((db, p) =>
    db
      .deleteFrom('phone_number')
      .where('number', '=', p('number'))
      .where('agent_id', '=', p('agentId'))
      .compile(),
  ),
})

/** What becomes of numbers with their connector or agent. */
export const numbersBesideStatements = (define: Define) => ({
  numbersOfConnector: define<{ connectorId: ConnectorId }>()((db, p) =>
    db
      .selectFrom('phone_number')
      .select('number')
      .where('connector_id', '=', p('connectorId'))
      .orderBy('number')
      .compile(),
  ),
  dropNumbersOfConnector: define<{ connectorId: ConnectorId }>()((db, p) =>
    db.deleteFrom('phone_number').where('connector_id', '=', p('connectorId')).compile(),
  ),
  moveNumbers: define<{
    connectorId: ConnectorId
    account_id: string
    agent_id: string
    environment: PhoneNumber['environment']
  }>()((db, p) =>
    db
      .updateTable('phone_number')
      .set({ account_id: p('account_id'), agent_id: p('agent_id'), environment: p('environment') })
      .where('connector_id', '=', p('connectorId'))
      .compile(),
  ),
  dropNumbersOf: define<{ id: AgentId }>()((db, p) =>
    db.deleteFrom('phone_number').where('agent_id', '=', p('id')).compile(),
  ),
})

/** Phone numbers in SQLite. */
export function phoneNumberMethods({ define, read, write }: Session, keeper: OutboxKeeper): PhoneNumberStore {
  const run = numberStatements(define)
  const mayAnswer = ({ connectorId, agentId, environment }: PhoneNumber): boolean =>
    connectorId === null || run.answering.get({ id: connectorId, agentId, environment }) !== undefined
  return {
    async add(numbers, limit, outbox) {
      const rows = numbers.map(fromNumber)
      const keep = keeper.keeping(outbox)
      return write('add phone numbers', () => {
        const taken = rows.filter(({ number }) => run.number.get({ number }) !== undefined)
        if (taken.length > 0) return { outcome: 'taken', numbers: taken.map(({ number }) => number) }
        const agentId = rows[0]?.agent_id ?? ''
        if ((run.countOf.get({ agentId })?.count ?? 0) + rows.length > limit) return { outcome: 'full' }
        for (const row of rows) run.insert.run(row)
        keep()
        return { outcome: 'added' }
      })
    },
    async find(numbers) {
      const wanted = [...new Set(numbers)].sort()
      return read('read phone numbers', () =>
        wanted.flatMap(number => run.number.get({ number }) ?? []).map(toNumber),
      )
    },
    async list(agentId, { connectorId, after = '' }, limit) {
      return read('list phone numbers', () =>
        (connectorId === undefined
          ? run.ofAgent.all({ agentId, after, limit })
          : run.ofConnector.all({ agentId, connectorId, after, limit })
        ).map(toNumber),
      )
    },
    async update(before, next, outbox) {
      const was = fromNumber(before)
      const row = {
        ...fromNumber(next),
        number: was.number,
        ...{ was_account_id: was.account_id, was_agent_id: was.agent_id },
        ...{ was_environment: was.environment, was_connector_id: was.connector_id },
      }
      const copy = { ...next }
      const keep = keeper.keeping(outbox)
      return write('update a phone number', () => {
        if (!mayAnswer(copy) || run.update.run(row).changes !== 1) return 'stale'
        keep()
        return 'written'
      })
    },
    async remove(agentId, number, outbox) {
      const keep = keeper.keeping(outbox)
      return write('remove a phone number', () => {
        if (run.remove.run({ agentId, number }).changes !== 1) return false
        keep()
        return true
      })
    },
  }
}
