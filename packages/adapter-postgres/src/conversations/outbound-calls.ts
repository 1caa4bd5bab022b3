import type { AgentId, OutboundCall } from '@colloquy/core'
import type { OutboundCallStore } from '@colloquy/core/store'
import { sql } from 'kysely'
import { fromJson } from '../database/json.ts'
import type { Define } from '../database/statements.ts'

/** A call's row. */
export type OutboundCallRow = {
  id: string
  agent_id: AgentId
  due_at: number
  version: number
  /** JSON of the whole call. */
  call: string
}

type CallOnly = Pick<OutboundCallRow, 'call'>

export const toCall = ({ call }: CallOnly): OutboundCall => fromJson(call)

export const fromCall = (call: OutboundCall): OutboundCallRow => ({
  id: call.id,
  agent_id: call.agentId,
  due_at: call.dueAt,
  version: call.version,
  call: JSON.stringify(call),
})

const outboundCallStatements = (define: Define) => ({
  find: define<{ id: string }>('read an outbound call')<CallOnly>(
    (t, p) => sql`select call from ${t('outbound_call')} where id = ${p('id')}`,
  ),
  insert: define<OutboundCallRow>('save an outbound call')<{ readonly done: true }>(
    (t, p) => sql`
    insert into ${t('outbound_call')} (id, agent_id, due_at, version, call)
    values (${p('id')}, ${p('agent_id')}, ${p('due_at')}::bigint, ${p('version')}::int, ${p('call')})
    on conflict (id) do nothing returning true as done`,
  ),
  update: define<OutboundCallRow & { expectedVersion: number }>('save an outbound call')<{
    readonly done: true
  }>(
    (t, p) => sql`
    update ${t('outbound_call')} set agent_id = ${p('agent_id')}, due_at = ${p('due_at')}::bigint,
      version = ${p('version')}::int, call = ${p('call')}
    where id = ${p('id')} and version = ${p('expectedVersion')}::int
    returning true as done`,
  ),
  due: define<{ now: number; limit: number }>('list outbound calls that are due')<CallOnly>(
    (t, p) => sql`
    select call from ${t('outbound_call')} where due_at <= ${p('now')}::bigint
    order by due_at limit ${p('limit')}::bigint`,
  ),
  remove: define<{ id: string; version: number }>('remove an outbound call')<{ readonly done: true }>(
    (t, p) => sql`
    delete from ${t('outbound_call')} where id = ${p('id')} and version = ${p('version')}::int
    returning true as done`,
  ),
})

/** Calls that agents make, in PostgreSQL. */
export function outboundCallMethods(define: Define): OutboundCallStore {
  const run = outboundCallStatements(define)
  return {
    async find(id) {
      const row = await run.find.get({ id })
      return row === undefined ? null : toCall(row)
    },
    async save(call, expectedVersion) {
      const row = fromCall(call)
      const done =
        expectedVersion === 0 ? await run.insert.get(row) : await run.update.get({ ...row, expectedVersion })
      return done === undefined ? 'stale' : 'saved'
    },
    due: async (now, limit) => (await run.due.all({ now, limit })).map(toCall),
    remove: async (id, version) => (await run.remove.get({ id, version })) !== undefined,
  }
}
