import type { AccountId, Agent, AgentId, Branch, Deployment, Environment } from '@colloquy/core'
import { type Resource, type ResourceChange, resourceKey } from '@colloquy/core/domain'
import type { AgentStore, DeletedAgent, RealTimeConfig, ResourceFilter, Revision } from '@colloquy/core/store'
import type { AuditTrail } from './audit-store.ts'
import { oldestFirst } from './order.ts'
import { type HeldTestRuns, holdTestRun, testRunMethods } from './test-runs.ts'

/** A branch with its own changes, by resource key. */
interface HeldBranch {
  branch: Branch
  readonly changes: Map<string, ResourceChange>
}

/** An agent with all that belongs to it. Revision n stands at n - 1 of its list, and so does deployment n. */
interface HeldAgent {
  readonly agent: Agent
  readonly branches: Map<string, HeldBranch>
  readonly revisions: Revision[]
  /** What main's revisions did to each resource, by its key, oldest first. */
  readonly versions: Map<string, { readonly revision: number; readonly change: ResourceChange }[]>
  readonly deployments: Deployment[]
  readonly realTimeConfigs: Map<Environment, RealTimeConfig>
  readonly testRuns: HeldTestRuns
}

function appendRevision(held: HeldAgent, revision: Revision, changes: readonly ResourceChange[]): void {
  held.revisions.push(revision)
  for (const change of changes) {
    const key = resourceKey(change)
    const versions = held.versions.get(key) ?? []
    versions.push({ revision: revision.number, change })
    held.versions.set(key, versions)
  }
}

/** For each resource that a revision of `(after, through]` changed, the newest change there. */
const newestChanges = (held: HeldAgent | undefined, after: number, through: number): ResourceChange[] =>
  [...(held?.versions.values() ?? [])].flatMap(versions => {
    const newest = versions.findLast(({ revision }) => revision <= through)
    return newest === undefined || newest.revision <= after ? [] : [newest.change]
  })

const isThere = (change: ResourceChange): change is Resource => change.value !== null

const matches = (resource: Resource, { kinds, keys, names }: ResourceFilter): boolean =>
  (kinds?.includes(resource.kind) ?? true) &&
  (keys?.includes(resourceKey(resource)) ?? true) &&
  (names === undefined || ('name' in resource.value && names.includes(resource.value.name)))

const newestOf = (held: HeldAgent | undefined, environment: Environment): Deployment[] =>
  (held?.deployments ?? []).filter(deployment => deployment.environment === environment).reverse()

/** Agents by id. Every method runs to its end without a pause: at one instant. */
export function createAgentStore(trail: AuditTrail): AgentStore {
  const agents = new Map<AgentId, HeldAgent>()
  const deleted = new Map<AgentId, DeletedAgent>()
  const deletedFrom = (accountId: AccountId, id: AgentId): DeletedAgent | null => {
    const known = deleted.get(id)
    return known?.accountId === accountId ? known : null
  }

  return {
    ...testRunMethods(agents),
    async createAgent({ agent, main, revision, changes }, entry) {
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
      trail.keep(entry)
      return 'created'
    },
    agent: async id => agents.get(id)?.agent ?? null,
    async agents(accountId) {
      const all = oldestFirst([...agents.values()].map(({ agent }) => agent))
      return all.filter(agent => agent.accountId === accountId)
    },
    async deleteAgent(id, deletedAt, entry) {
      const held = agents.get(id)
      if (held === undefined) return false
      const { accountId } = held.agent
      deleted.set(id, { id, accountId, deletedAt })
      trail.keep(entry)
      return agents.delete(id)
    },
    deletedAgent: async (accountId, id) => deletedFrom(accountId, id),

    async createBranch(branch) {
      const branches = agents.get(branch.agentId)?.branches
      if (branches === undefined) return 'missing'
      if (branches.has(branch.id)) return 'taken'
      branches.set(branch.id, { branch, changes: new Map() })
      return 'created'
    },
    branch: async (agentId, branchId) => agents.get(agentId)?.branches.get(branchId)?.branch ?? null,
    async branches(agentId) {
      return oldestFirst([...(agents.get(agentId)?.branches.values() ?? [])].map(({ branch }) => branch))
    },
    async deleteBranch(agentId, branchId, entry) {
      const deleted = agents.get(agentId)?.branches.delete(branchId) ?? false
      if (deleted) trail.keep(entry)
      return deleted
    },
    async editBranch(expectedVersion, next, changes) {
      const held = agents.get(next.agentId)?.branches.get(next.id)
      if (held?.branch.version !== expectedVersion) return 'stale'
      held.branch = next
      for (const change of changes) held.changes.set(resourceKey(change), change)
      return 'written'
    },
    async branchChanges(agentId, branchId) {
      return [...(agents.get(agentId)?.branches.get(branchId)?.changes.values() ?? [])]
    },

    head: async agentId => agents.get(agentId)?.revisions.at(-1) ?? null,
    revision: async (agentId, number) => agents.get(agentId)?.revisions[number - 1] ?? null,
    async resourcesAt(agentId, revision, filter = {}) {
      const resources = newestChanges(agents.get(agentId), 0, revision).filter(isThere)
      return resources.filter(resource => matches(resource, filter))
    },
    changesBetween: async (agentId, after, through) => newestChanges(agents.get(agentId), after, through),
    async commit(commit, entry) {
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
      trail.keep(entry)
      return 'committed'
    },

    async deploy(deployment, testRun, entry) {
      const held = agents.get(deployment.agentId)
      if (held?.deployments.length !== deployment.number - 1) return 'stale'
      held.deployments.push(deployment)
      if (testRun !== null) holdTestRun(held.testRuns, testRun)
      trail.keep(entry)
      return 'deployed'
    },
    deployment: async (agentId, id) =>
      agents.get(agentId)?.deployments.find(deployment => deployment.id === id) ?? null,
    deployments: async (agentId, environment, limit) =>
      newestOf(agents.get(agentId), environment).slice(0, limit),
    async activeDeployments(agentId) {
      const newest = new Map(agents.get(agentId)?.deployments.map(one => [one.environment, one]))
      return [...newest.values()]
    },
    lastDeploymentNumber: async agentId => agents.get(agentId)?.deployments.length ?? 0,

    realTimeConfig: async (agentId, environment) =>
      agents.get(agentId)?.realTimeConfigs.get(environment) ?? null,
    realTimeConfigs: async agentId => [...(agents.get(agentId)?.realTimeConfigs.values() ?? [])],
    realTimeVariables: async (agentId, environment) =>
      agents.get(agentId)?.realTimeConfigs.get(environment)?.variables ?? null,
    async writeRealTimeConfig(expectedVersion, next, entry) {
      const configs = agents.get(next.agentId)?.realTimeConfigs
      if (configs === undefined || (configs.get(next.environment)?.version ?? 0) !== expectedVersion)
        return 'stale'
      configs.set(next.environment, next)
      trail.keep(entry)
      return 'written'
    },
  }
}
