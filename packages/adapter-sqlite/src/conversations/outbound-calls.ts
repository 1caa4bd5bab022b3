import type { AgentId, OutboundCall } from '@colloquy/core'
import type { OutboundCallStore } from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'

/** A call's row. */
export type OutboundCallRow = {
  id: string
  agent_id: AgentId
  due_at: number
  version: number
  call: string
}

export const toCall = ({ call }: Pick<OutboundCallRow, 'call'>): OutboundCall => fromJson(call)

export const fromCall = (call: OutboundCall): OutboundCallRow => ({
  id: call.id,
  agent_id: call.agentId,
  due_at: call.dueAt,
  version: call.version,
  call: JSON.stringify(call),
})

const outboundCallStatements = (define: Define) => ({
  find: define<{ id: string }>()((db, p) =>
    db.selectFrom('outbound_call').select(['call', 'version']).where('id', '=', p('id')).compile(),
  ),
  insert: define<OutboundCallRow>()((db, p) =>
    db
      .insertInto('outbound_call')
      .values({
        id: p('id'),
        agent_id: p('agent_id'),
        due_at: p('due_at'),
        version: p('version'),
        call: p('call'),
      })
      .compile(),
  ),
  update: define<OutboundCallRow>()((db, p) =>
    db
      .updateTable('outbound_call')
      .set({ agent_id: p('agent_id'), due_at: p('due_at'), version: p('version'), call: p('call') })
      .where('id', '=', p('id'))
      .compile(),
  ),
  due: define<{ now: number; limit: number }>()((db, p) =>
    db
      .selectFrom('outbound_call')
      .select('call')
      .where('due_at', '<=', p('now'))
      .orderBy('due_at')
      .limit(p('limit'))
      .compile(),
  ),
  remove: define<{ id: string; version: number }>()((db, p) =>
    db.deleteFrom('outbound_call').where('id', '=', p('id')).where('version', '=', p('version')).compile(),
  ),
})

/** What is removed with an agent, and with a conversation. */
export const ownedCallStatements = (define: Define) => ({
  dropCallsOf: define<{ id: AgentId }>()((db, p) =>
    db.deleteFrom('outbound_call').where('agent_id', '=', p('id')).compile(),
  ),
  dropCall: define<{ id: string }>()((db, p) =>
    db.deleteFrom('outbound_call').where('id', '=', p('id')).compile(),
  ),
})

/** Calls that agents make, in SQLite. */
export function outboundCallMethods({ define, read, write }: Session): OutboundCallStore {
  const run = outboundCallStatements(define)
  return {
    find: id =>
      read('read an outbound call', () => {
        const row = run.find.get({ id })
        return row === undefined ? null : toCall(row)
      }),
    async save(call, expectedVersion) {
      const row = fromCall(call)
      return write('save an outbound call', () => {
        const known = run.find.get({ id: row.id })
        if ((known?.version ?? 0) !== expectedVersion) return 'stale'
        if (known === undefined) run.insert.run(row)
        else run.update.run(row)
        return 'saved'
      })
    },
    due: (now, limit) =>
      read('list outbound calls that are due', () => run.due.all({ now, limit }).map(toCall)),
    remove: (id, version) =>
      write('remove an outbound call', () => run.remove.run({ id, version }).changes > 0),
  }
}
