import type { Agent, Branch } from '../../domain/agent/agent.ts'
import type { AgentStore } from '../../ports/store/agents.ts'
import { absent, changed, type Guarded, plainOrNull, unchanged } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { AGENT, BRANCH, DELETED_AGENT, type HeldAgent, KINDS, REVISION } from '../kinds.ts'
import { resourcesOf } from './resources.ts'

type AgentGroup = Omit<
  AgentStore,
  'branches' | 'deployments' | 'realTimeConfigs' | 'revisions' | 'rollouts' | 'testRuns'
>

/** Returns an agent without how far its main is. */
export const toAgent = ({ id, accountId, name, createdAt, updatedAt }: HeldAgent): Agent => ({
  id,
  accountId,
  name,
  createdAt,
  updatedAt,
})

/** Returns the ranges of all documents that belong to an agent. */
const belongings = (agentId: string) =>
  KINDS.flatMap(kind =>
    kind.goesWith.agent === undefined ? [] : [{ kind, index: kind.goesWith.agent, prefix: [agentId] }],
  )

/** Agents. An id that one account has had is never another one's. */
export function agentsOver({ decided, one, scan }: Guarded): AgentGroup {
  return {
    create: ({ agent, main, revision, changes }, outbox) =>
      decided(async () => {
        const { accountId, id } = agent
        const known = await scan(DELETED_AGENT, 'agent', { prefix: [id] })
        if (known.some(one => one.accountId !== accountId)) return { result: 'taken' }
        const held = { ...agent, version: 1, head: revision, deployment: 0 }
        const first = { ...revision, agentId: id, version: 1 }
        return {
          when: [
            absent(AGENT, id),
            { kind: DELETED_AGENT, index: 'agent', prefix: [id], atMost: known.length },
          ],
          put: [
            { kind: AGENT, value: held },
            { kind: BRANCH, value: main },
            { kind: REVISION, value: first },
            ...resourcesOf(id, revision.number, changes),
          ],
          outbox,
          result: 'created',
          refused: place => (place === 0 ? 'taken' : undefined),
        }
      }),
    async find(id) {
      const agent = await one(AGENT, id)
      return agent === null ? null : toAgent(agent)
    },
    async findRecord(id) {
      const [agent, branches] = await Promise.all([
        one(AGENT, id),
        scan<Branch>(BRANCH, 'agent', { prefix: [id] }),
      ])
      if (agent === null) return null
      const written = branches.map(branch => branch.updatedAt)
      const updatedAt = Math.max(agent.updatedAt, agent.head.createdAt, ...written)
      return { ...toAgent(agent), updatedAt, branchCount: branches.length }
    },
    list: async accountId => (await scan(AGENT, 'account', { prefix: [accountId] })).map(toAgent),
    rename: (id, { before, after }, updatedAt, outbox) =>
      decided(async () => {
        const agent = await one(AGENT, id)
        if (agent?.name !== before) return { result: false }
        const value = changed<HeldAgent>(agent, { name: after, updatedAt })
        return { when: [unchanged(AGENT, agent)], put: [{ kind: AGENT, value }], outbox, result: true }
      }),
    delete: (id, deletedAt, outbox) =>
      decided(async () => {
        const agent = await one(AGENT, id)
        if (agent === null) return { result: false }
        const { accountId } = agent
        const earlier = await one(DELETED_AGENT, idOf(id, accountId))
        const value = { id, accountId, deletedAt, version: (earlier?.version ?? 0) + 1 }
        return {
          when: [unchanged(AGENT, agent)],
          clear: belongings(id),
          put: [{ kind: DELETED_AGENT, value }],
          remove: [{ kind: AGENT, id }],
          outbox,
          result: true,
        }
      }),
    findDeleted: async (accountId, id) => plainOrNull(await one(DELETED_AGENT, idOf(id, accountId))),
  }
}
