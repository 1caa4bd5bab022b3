import type { AgentId, Branch } from '@colloquy/core'
import type { BranchStore } from '@colloquy/core/store'
import { mapped } from '../database/mapped.ts'
import { outboxOf } from '../outbox/outbox-keeper.ts'
import { type AgentStatements, type BranchRow, branchParameters } from './agent-statements.ts'
import { encodeChanges, toChange } from './resources.ts'

export const toBranch = (row: BranchRow, agentId: AgentId): Branch => ({
  id: row.id,
  agentId,
  name: row.name,
  baseRevision: row.base_revision,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Branches in PostgreSQL. */
export function branchMethods(run: AgentStatements): BranchStore {
  return {
    async create(branch) {
      const found = await run.insertBranch.get({ agentId: branch.agentId, ...branchParameters(branch) })
      if (!found?.there) return 'missing'
      return found.added ? 'created' : 'taken'
    },
    find: async (agentId, branchId) =>
      mapped(await run.branch.get({ agentId, branchId }), row => toBranch(row, agentId)),
    list: async agentId => (await run.branches.all({ agentId })).map(row => toBranch(row, agentId)),
    async delete(agentId, branchId, outbox) {
      return (await run.deleteBranch.get({ agentId, branchId, ...outboxOf(outbox) }))?.done ?? false
    },
    async edit(expectedVersion, next, changes) {
      const branch = { agentId: next.agentId, ...branchParameters(next) }
      const edited = await run.editBranch.get({ ...branch, expectedVersion, ...encodeChanges(changes) })
      return edited?.done ? 'written' : 'stale'
    },
    changes: async (agentId, branchId) => (await run.changes.all({ agentId, branchId })).map(toChange),
  }
}
