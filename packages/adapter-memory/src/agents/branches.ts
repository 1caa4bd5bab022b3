import { resourceKey } from '@colloquy/core/domain'
import type { BranchStore } from '@colloquy/core/store'
import { oldestFirst } from '../order.ts'
import type { OutboxKeeper } from '../outbox.ts'
import type { HeldAgents } from './held-agent.ts'

/** Branches of the agents that are held. */
export function branchMethods(agents: HeldAgents, keeper: OutboxKeeper): BranchStore {
  return {
    async create(branch) {
      const branches = agents.get(branch.agentId)?.branches
      if (branches === undefined) return 'missing'
      if (branches.has(branch.id)) return 'taken'
      branches.set(branch.id, { branch, changes: new Map() })
      return 'created'
    },
    find: async (agentId, branchId) => agents.get(agentId)?.branches.get(branchId)?.branch ?? null,
    async list(agentId) {
      return oldestFirst([...(agents.get(agentId)?.branches.values() ?? [])].map(({ branch }) => branch))
    },
    async delete(agentId, branchId, outbox) {
      const deleted = agents.get(agentId)?.branches.delete(branchId) ?? false
      if (deleted) keeper.keep(outbox)
      return deleted
    },
    async edit(expectedVersion, next, changes) {
      const held = agents.get(next.agentId)?.branches.get(next.id)
      if (held?.branch.version !== expectedVersion) return 'stale'
      held.branch = next
      for (const change of changes) held.changes.set(resourceKey(change), change)
      return 'written'
    },
    async changes(agentId, branchId) {
      return [...(agents.get(agentId)?.branches.get(branchId)?.changes.values() ?? [])]
    },
  }
}
