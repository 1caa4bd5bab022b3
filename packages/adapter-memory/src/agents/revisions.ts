import { type Resource, type ResourceChange, resourceKey } from '@colloquy/core/domain'
import type { ResourceFilter, RevisionStore } from '@colloquy/core/store'
import type { OutboxKeeper } from '../outbox.ts'
import { appendRevision, type HeldAgents, newestChanges } from './held-agent.ts'
import { holdTestRun } from './test-runs.ts'

const isThere = (change: ResourceChange): change is Resource => change.value !== null

const matches = (resource: Resource, { kinds, keys, names }: ResourceFilter): boolean =>
  (kinds?.includes(resource.kind) ?? true) &&
  (keys?.includes(resourceKey(resource)) ?? true) &&
  (names === undefined || ('name' in resource.value && names.includes(resource.value.name)))

/** Main of the agents that are held. */
export function revisionMethods(agents: HeldAgents, keeper: OutboxKeeper): RevisionStore {
  return {
    head: async agentId => agents.get(agentId)?.revisions.at(-1) ?? null,
    find: async (agentId, number) => agents.get(agentId)?.revisions[number - 1] ?? null,
    async resourcesAt(agentId, revision, filter = {}) {
      const resources = newestChanges(agents.get(agentId), 0, revision).filter(isThere)
      return resources.filter(resource => matches(resource, filter))
    },
    changesBetween: async (agentId, after, through) => newestChanges(agents.get(agentId), after, through),
    async commit(commit, outbox) {
      const { agentId, expectedRevision, expectedDeployment, revision, changes, branch } = commit
      const held = agents.get(agentId)
      const merged = held?.branches.get(branch.next.id)
      if (held === undefined || merged?.branch.version !== branch.expectedVersion) return 'stale'
      if (held.revisions.length !== expectedRevision) return 'stale'
      if (held.deployments.length !== expectedDeployment) return 'stale'
      appendRevision(held, revision, changes)
      merged.branch = branch.next
      merged.changes.clear()
      held.deployments.push(commit.deployment)
      if (commit.testRun !== null) holdTestRun(held.testRuns, commit.testRun)
      keeper.keep(outbox)
      return 'committed'
    },
  }
}
