import type { AgentId, Branch } from '@colloquy/core'
import type { BranchStore } from '@colloquy/core/store'
import type { Selectable } from 'kysely'
import type { Session } from '../database/session.ts'
import type { Schema } from '../database/tables.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import type { AgentStatements } from './agent-statements.ts'
import { guardedBranch } from './guarded-branch.ts'
import { encodeChange, toChange } from './resources.ts'

export const toBranch = (row: Selectable<Schema['branch']>, agentId: AgentId): Branch => ({
  id: row.id,
  agentId,
  name: row.name,
  baseRevision: row.base_revision,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Branches in SQLite. */
export function branchMethods(
  { read, write }: Session,
  run: AgentStatements,
  keeper: OutboxKeeper,
): BranchStore {
  return {
    async create(branch) {
      const given = { ...branch }
      return write('create a branch', () => {
        const agent = run.agentRow.get({ id: given.agentId })?.row
        if (agent === undefined) return 'missing'
        return run.insertBranch.run({ ...given, agent }).changes === 1 ? 'created' : 'taken'
      })
    },
    find: (agentId, id) =>
      read('read a branch', () => {
        const row = run.branch.get({ agentId, id })
        return row === undefined ? null : toBranch(row, agentId)
      }),
    list: agentId =>
      read('list branches', () => run.branches.all({ agentId }).map(row => toBranch(row, agentId))),
    async delete(agentId, id, outbox) {
      const keep = keeper.keeping(outbox)
      return write('delete a branch', () => {
        const row = run.branch.get({ agentId, id })?.row
        if (row === undefined) return false
        run.deleteBranch.run({ row })
        keep()
        return true
      })
    },
    async edit(expectedVersion, next, changes) {
      const rows = changes.map(encodeChange)
      const branch = { ...next }
      return write('edit a branch', () => {
        const row = guardedBranch(run, branch.agentId, branch.id, expectedVersion)
        if (row === null) return 'stale'
        run.updateBranch.run({ ...branch, row })
        for (const change of rows) run.writeChange.run({ ...change, branch: row })
        return 'written'
      })
    },
    changes: (agentId, id) =>
      read('read the changes of a branch', () => run.changes.all({ agentId, id }).map(toChange)),
  }
}
