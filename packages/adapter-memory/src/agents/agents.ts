import type { AccountId, AgentId, ConversationId } from '@colloquy/core'
import type { AgentStore, DeletedAgent } from '@colloquy/core/store'
import { oldestFirst } from '../order.ts'
import type { OutboxKeeper } from '../outbox.ts'
import { branchMethods } from './branches.ts'
import { deploymentMethods } from './deployments.ts'
import { appendRevision, type HeldAgent } from './held-agent.ts'
import { realTimeConfigMethods } from './real-time-configs.ts'
import { revisionMethods } from './revisions.ts'
import { testRunMethods } from './test-runs.ts'

/**
 * Agents by id. Every method runs to its end without a pause: at one instant.
 *
 * @param forgetAgent removes what other parts keep of an agent
 */
export function createAgentStore(
  keeper: OutboxKeeper,
  forgetAgent: (id: AgentId) => void,
): {
  readonly store: AgentStore
  /** Removes what replays hold of a conversation. */
  forgetConversation(id: ConversationId): void
} {
  const agents = new Map<AgentId, HeldAgent>()
  const deleted = new Map<AgentId, DeletedAgent>()
  const deletedFrom = (accountId: AccountId, id: AgentId): DeletedAgent | null => {
    const known = deleted.get(id)
    return known?.accountId === accountId ? known : null
  }

  const store: AgentStore = {
    async create({ agent, main, revision, changes }, outbox) {
      const owner = deleted.get(agent.id)?.accountId ?? agent.accountId
      if (agents.has(agent.id) || owner !== agent.accountId) return 'taken'
      const branches = new Map([[main.id, { branch: main, changes: new Map() }]])
      const held = {
        ...{ agent, branches, revisions: [], versions: new Map(), deployments: [] },
        realTimeConfigs: new Map(),
        testRuns: new Map(),
      }
      appendRevision(held, revision, changes)
      agents.set(agent.id, held)
      keeper.keep(outbox)
      return 'created'
    },
    find: async id => agents.get(id)?.agent ?? null,
    async findRecord(id) {
      const held = agents.get(id)
      if (held === undefined) return null
      const { agent, branches, revisions } = held
      const written = [...branches.values()].map(({ branch }) => branch.updatedAt)
      const updatedAt = Math.max(agent.updatedAt, revisions.at(-1)?.createdAt ?? 0, ...written)
      return { ...agent, updatedAt, branchCount: branches.size }
    },
    async list(accountId) {
      const all = oldestFirst([...agents.values()].map(({ agent }) => agent))
      return all.filter(agent => agent.accountId === accountId)
    },
    async rename(id, { before, after }, updatedAt, outbox) {
      const held = agents.get(id)
      if (held?.agent.name !== before) return false
      held.agent = { ...held.agent, name: after, updatedAt }
      keeper.keep(outbox)
      return true
    },
    async delete(id, deletedAt, outbox) {
      const held = agents.get(id)
      if (held === undefined) return false
      const { accountId } = held.agent
      deleted.set(id, { id, accountId, deletedAt })
      forgetAgent(id)
      keeper.keep(outbox)
      return agents.delete(id)
    },
    findDeleted: async (accountId, id) => deletedFrom(accountId, id),
    branches: branchMethods(agents, keeper),
    revisions: revisionMethods(agents, keeper),
    deployments: deploymentMethods(agents, keeper),
    realTimeConfigs: realTimeConfigMethods(agents, keeper),
    testRuns: testRunMethods(agents),
  }
  return {
    store,
    forgetConversation(id) {
      for (const { testRuns } of agents.values())
        for (const { results } of testRuns.values()) results.delete(id)
    },
  }
}
