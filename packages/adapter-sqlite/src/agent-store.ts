import type {
  Agent,
  AgentId,
  AgentStore,
  Branch,
  Deployment,
  Resource,
  ResourceChange,
  ResourceFilter,
  Revision,
} from '@colloquy/core'
import { asId } from '@colloquy/core'
import { type AgentStatements, prepareAgentStatements, type VersionRow } from './agent-statements.ts'
import type { Connection } from './connection.ts'
import { fromText, toText } from './rows.ts'

interface BranchRow {
  readonly agent_id: string
  readonly id: string
  readonly name: string
  readonly base_revision: number
  readonly version: number
  readonly created_at: number
  readonly updated_at: number
}

interface AgentRow {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly created_at: number
  readonly updated_at: number
}

const agentOf = (row: AgentRow): Agent => ({
  id: asId(row.id),
  accountId: asId(row.account_id),
  name: row.name,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const branchOf = (row: BranchRow): Branch => ({
  id: asId(row.id),
  agentId: asId(row.agent_id),
  name: row.name,
  baseRevision: row.base_revision,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const revisionOf = (row: { number: number; content_hash: string; created_at: number }): Revision => ({
  number: row.number,
  contentHash: row.content_hash,
  createdAt: row.created_at,
})

// Kind and value were written together, so they belong together: the one place where a row becomes a resource.
const changeOf = ({ kind, resource_id: id, value }: VersionRow): ResourceChange =>
  ({ kind, id, value: value === null ? null : fromText(value) }) as ResourceChange

const deploymentOf = (row: { readonly value: string }): Deployment => fromText(row.value)

const nameOf = ({ value }: ResourceChange): string | null =>
  value !== null && 'name' in value ? value.name : null

function present(changes: readonly ResourceChange[]): readonly Resource[] {
  return changes.filter((change): change is Resource => change.value !== null)
}

/** Agents in SQLite: an edit costs one row, a commit what it changed, a deployment one pointer. */
export function createAgentStore(connection: Connection): AgentStore {
  const statements = prepareAgentStatements(connection)
  const lastDeployment = (agentId: AgentId): number => statements.lastDeployment.one({ agentId })?.number ?? 0

  return {
    createAgent: given => {
      const { agent, main, revision, changes } = structuredClone(given)
      return connection.write('create an agent', () => {
        if (statements.agent.one({ id: agent.id }) !== null) return 'taken'
        statements.addAgent.run({ ...agent })
        statements.addBranch.run({ ...main })
        addRevision(statements, agent.id, revision, changes)
        return 'created'
      })
    },
    async agent(id) {
      const row = statements.agent.one({ id })
      return row === null ? null : agentOf(row)
    },
    async agents(accountId) {
      return statements.agents.all({ accountId }).map(agentOf)
    },
    deleteAgent: id =>
      connection.write('delete an agent', () => {
        for (const statement of statements.deleteParts) statement.run({ agentId: id })
        return statements.deleteAgent.run({ id }).changes > 0
      }),

    createBranch: given => {
      const branch = { ...given }
      return connection.write('create a branch', () => {
        if (statements.agent.one({ id: branch.agentId }) === null) return 'missing'
        return statements.addBranch.run(branch).changes === 0 ? 'taken' : 'created'
      })
    },
    async branch(agentId, id) {
      const row = statements.branch.one({ agentId, id })
      return row === null ? null : branchOf(row)
    },
    async branches(agentId) {
      return statements.branches.all({ agentId }).map(branchOf)
    },
    deleteBranch: (agentId, branchId) =>
      connection.write('delete a branch', () => {
        statements.deleteChanges.run({ agentId, branchId })
        return statements.deleteBranch.run({ agentId, id: branchId }).changes > 0
      }),
    editBranch: (expectedVersion, branch, given) => {
      const [next, changes] = structuredClone([branch, given] as const)
      return connection.write('edit a branch', () => {
        if (statements.updateBranch.run({ ...next, expectedVersion }).changes === 0) return 'stale'
        for (const change of changes) {
          statements.putChange.run({
            agentId: next.agentId,
            branchId: next.id,
            kind: change.kind,
            resourceId: change.id,
            value: change.value === null ? null : toText(change.value),
          })
        }
        return 'written'
      })
    },
    async branchChanges(agentId, branchId) {
      return statements.changes.all({ agentId, branchId }).map(changeOf)
    },

    async head(agentId) {
      const row = statements.head.one({ agentId })
      return row === null ? null : revisionOf(row)
    },
    async revision(agentId, number) {
      const row = statements.revision.one({ agentId, number })
      return row === null ? null : revisionOf(row)
    },
    async resourcesAt(agentId, revision, filter = {}) {
      return present(versionsAt(statements, agentId, revision, filter))
    },
    async changesBetween(agentId, after, through) {
      return statements.versionsBetween.all({ agentId, after, through }).map(changeOf)
    },
    commit: given => {
      const commit = structuredClone(given)
      return connection.write('commit to main', () => {
        const { agentId, branch, changes, deployment, revision } = commit
        const current = statements.head.one({ agentId })?.number
        if (current !== commit.expectedRevision) return 'stale'
        if (lastDeployment(agentId) !== commit.expectedDeployment) return 'stale'
        const { expectedVersion, next } = branch
        if (statements.updateBranch.run({ ...next, expectedVersion }).changes === 0) return 'stale'
        addRevision(statements, agentId, revision, changes)
        statements.deleteChanges.run({ agentId, branchId: next.id })
        addDeployment(statements, deployment)
        return 'committed'
      })
    },

    deploy: given => {
      const deployment = { ...given }
      return connection.write('deploy', () => {
        const { agentId } = deployment
        if (statements.agent.one({ id: agentId }) === null) return 'stale'
        if (lastDeployment(agentId) + 1 !== deployment.number) return 'stale'
        addDeployment(statements, deployment)
        return 'deployed'
      })
    },
    async deployment(agentId, id) {
      const row = statements.deployment.one({ agentId, id })
      return row === null ? null : deploymentOf(row)
    },
    async deployments(agentId, environment, limit) {
      return statements.deployments.all({ agentId, environment, limit }).map(deploymentOf)
    },
    async activeDeployments(agentId) {
      return statements.activeDeployments.all({ agentId }).map(deploymentOf)
    },
    async lastDeploymentNumber(agentId) {
      return lastDeployment(agentId)
    },
  }
}

function addRevision(
  statements: AgentStatements,
  agentId: AgentId,
  revision: Revision,
  changes: readonly ResourceChange[],
): void {
  statements.addRevision.run({ agentId, ...revision })
  for (const change of changes) {
    statements.addVersion.run({
      agentId,
      kind: change.kind,
      resourceId: change.id,
      revision: revision.number,
      name: nameOf(change),
      value: change.value === null ? null : toText(change.value),
    })
  }
}

const addDeployment = (statements: AgentStatements, deployment: Deployment): void => {
  statements.addDeployment.run({ ...deployment, value: toText(deployment) })
}

/** The newest versions not after a revision, by the narrowest way that the filter allows. Removed ones included. */
function versionsAt(
  statements: AgentStatements,
  agentId: AgentId,
  revision: number,
  { keys, kinds, names }: ResourceFilter,
): readonly ResourceChange[] {
  const ofKind = (change: ResourceChange) => kinds === undefined || kinds.includes(change.kind)
  const named = (change: ResourceChange) => names === undefined || names.includes(nameOf(change) ?? '')
  const wanted = (change: ResourceChange) => ofKind(change) && named(change)
  const newest = (kind: string, resourceId: string) =>
    statements.versionAt.all({ agentId, kind, resourceId, revision }).map(changeOf)
  if (keys !== undefined) {
    return [...new Set(keys)]
      .flatMap(key => newest(key.slice(0, key.indexOf('/')), key.slice(key.indexOf('/') + 1)))
      .filter(wanted)
  }
  if (names !== undefined) {
    const candidates = [...new Set(names)].flatMap(name => statements.everNamed.all({ agentId, name }))
    const resources = new Map(candidates.map(row => [`${row.kind}/${row.resource_id}`, row]))
    return [...resources.values()].flatMap(row => newest(row.kind, row.resource_id)).filter(wanted)
  }
  if (kinds !== undefined) {
    return [...new Set(kinds)].flatMap(kind =>
      statements.versionsOfKind.all({ agentId, kind, revision }).map(changeOf),
    )
  }
  return statements.allVersions.all({ agentId, revision }).map(changeOf)
}
