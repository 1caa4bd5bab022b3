import type { BranchStore } from '../../ports/store/branches.ts'
import { absent, type Guarded, unchanged } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { AGENT, BRANCH, BRANCH_CHANGE } from '../kinds.ts'
import { byKey } from './resources.ts'

/** Returns the range of a branch's changes. */
export const changesOf = (agentId: string, branchId: string) => ({
  kind: BRANCH_CHANGE,
  index: 'agent',
  prefix: [agentId, branchId],
})

/** Branches of agents. */
export function branchesOver({ decided, one, scan, write }: Guarded): BranchStore {
  return {
    create: branch =>
      decided(async () => {
        const { agentId, id } = branch
        const agent = await one(AGENT, agentId)
        if (agent === null) return { result: 'missing' }
        return {
          when: [absent(BRANCH, idOf(agentId, id)), unchanged(AGENT, agent)],
          put: [{ kind: BRANCH, value: branch }],
          result: 'created',
          refused: place => (place === 0 ? 'taken' : undefined),
        }
      }),
    find: (agentId, branchId) => one(BRANCH, idOf(agentId, branchId)),
    list: agentId => scan(BRANCH, 'agent', { prefix: [agentId] }),
    delete: (agentId, branchId, outbox) =>
      decided(async () => {
        const branch = await one(BRANCH, idOf(agentId, branchId))
        if (branch === null) return { result: false }
        return {
          when: [unchanged(BRANCH, branch)],
          clear: [changesOf(agentId, branchId)],
          remove: [{ kind: BRANCH, id: BRANCH.id(branch) }],
          outbox,
          result: true,
        }
      }),
    async edit(expectedVersion, next, changes) {
      const { agentId, id: branchId, version } = next
      const refused = await write({
        when: [{ kind: BRANCH, id: BRANCH.id(next), version: expectedVersion }],
        put: [
          { kind: BRANCH, value: next },
          ...changes.map(change => ({ kind: BRANCH_CHANGE, value: { agentId, branchId, change, version } })),
        ],
      })
      return refused === null ? 'written' : 'stale'
    },
    async changes(agentId, branchId) {
      const { index, prefix } = changesOf(agentId, branchId)
      return byKey((await scan(BRANCH_CHANGE, index, { prefix })).map(({ change }) => change))
    },
  }
}
