import type { Agent, AgentId, Branch, BranchId, Deployment } from '@colloquy/core'
import type { AgentStore, MainCommit, Revision } from '@colloquy/core/store'
import type { Selectable } from 'kysely'
import type { AuditTrail } from '../audit/audit-store.ts'
import type { Schema } from '../database/schema.ts'
import type { Session } from '../database/session.ts'
import { type EncodedTestRun, encodeTestRun, insertTestRun, testRunMethods } from '../test-runs/test-runs.ts'
import { type AgentStatements, allAgentStatements } from './agent-statements.ts'
import { realTimeConfigMethods } from './real-time-configs.ts'
import { type EncodedChange, encodeChange, readResources, toChange } from './resources.ts'

const toAgent = (row: Selectable<Schema['agent']>): Agent => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const toBranch = (row: Selectable<Schema['branch']>, agentId: AgentId): Branch => ({
  id: row.id,
  agentId,
  name: row.name,
  baseRevision: row.base_revision,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const toRevision = (row: Selectable<Schema['revision']> | undefined): Revision | null =>
  row === undefined
    ? null
    : {
        number: row.number,
        contentHash: row.content_hash,
        contentBytes: row.content_bytes,
        createdAt: row.created_at,
      }

const toDeployment = (row: Selectable<Schema['deployment']>, agentId: AgentId): Deployment => ({
  id: row.id,
  number: row.number,
  accountId: row.account_id,
  agentId,
  environment: row.environment,
  revision: row.revision,
  version: row.version,
  type: row.type,
  message: row.message,
  createdBy: row.created_by,
  createdAt: row.created_at,
})

type Run = AgentStatements

/** The branch's row if the branch is there at that version. */
function guardedBranch(run: Run, agentId: AgentId, id: BranchId, version: number): number | null {
  const branch = run.branch.get({ agentId, id })
  return branch?.version === version ? branch.row : null
}

function writeRevision(run: Run, agent: number, revision: Revision, changes: readonly EncodedChange[]): void {
  run.insertRevision.run({ agent, ...revision })
  for (const change of changes) run.insertResource.run({ agent, revision: revision.number, ...change })
}

function writeCommit(
  run: Run,
  commit: Omit<MainCommit, 'testRun'>,
  changes: readonly EncodedChange[],
  testRun: EncodedTestRun | null,
  keep: () => void,
): 'committed' | 'stale' {
  const { agentId, branch, revision, deployment } = commit
  const agent = run.agentRow.get({ id: agentId })?.row
  const row = guardedBranch(run, agentId, branch.next.id, branch.expectedVersion)
  if (
    agent === undefined ||
    row === null ||
    run.head.get({ agentId })?.number !== commit.expectedRevision ||
    lastNumber(run, agentId) !== commit.expectedDeployment
  ) {
    return 'stale'
  }
  writeRevision(run, agent, revision, changes)
  run.updateBranch.run({ ...branch.next, row })
  run.dropChanges.run({ branch: row })
  run.insertDeployment.run({ ...deployment, agent })
  if (testRun !== null) insertTestRun(run, testRun)
  keep()
  return 'committed'
}

const lastNumber = (run: Run, agentId: AgentId): number => run.lastDeployment.get({ agentId })?.number ?? 0

/** Agents, their branches and their content. */
function contentMethods({ read, snapshot, write }: Session, run: Run, trail: AuditTrail) {
  return {
    async createAgent({ agent, main, revision, changes }, entry) {
      const keep = trail.keeping(entry)
      const rows = changes.map(encodeChange)
      const [first, begun, trunk] = [{ ...agent }, { ...revision }, { ...main }]
      return write('create an agent', () => {
        if (run.deletedElsewhere.get(first) !== undefined) return 'taken'
        const { changes: written, row } = run.insertAgent.run(first)
        if (written === 0) return 'taken'
        run.insertBranch.run({ ...trunk, agent: row })
        writeRevision(run, row, begun, rows)
        keep()
        return 'created'
      })
    },
    agent: id =>
      read('read an agent', () => {
        const row = run.agent.get({ id })
        return row === undefined ? null : toAgent(row)
      }),
    agents: accountId => read('list agents', () => run.agentsOf.all({ accountId }).map(toAgent)),
    async deleteAgent(id, deletedAt, entry) {
      const keep = trail.keeping(entry)
      return write('delete an agent', () => {
        const accountId = run.agent.get({ id })?.account_id
        if (accountId === undefined) return false
        run.rememberAgent.run({ accountId, id, deletedAt })
        run.deleteAgent.run({ id })
        keep()
        return true
      })
    },
    deletedAgent: (accountId, id) =>
      read('read a deleted agent', () => {
        const row = run.deletedAgent.get({ accountId, id })
        return row === undefined ? null : { id: row.id, accountId: row.account_id, deletedAt: row.deleted_at }
      }),

    async createBranch(branch) {
      const given = { ...branch }
      return write('create a branch', () => {
        const agent = run.agentRow.get({ id: given.agentId })?.row
        if (agent === undefined) return 'missing'
        return run.insertBranch.run({ ...given, agent }).changes === 1 ? 'created' : 'taken'
      })
    },
    branch: (agentId, id) =>
      read('read a branch', () => {
        const row = run.branch.get({ agentId, id })
        return row === undefined ? null : toBranch(row, agentId)
      }),
    branches: agentId =>
      read('list branches', () => run.branches.all({ agentId }).map(row => toBranch(row, agentId))),
    async deleteBranch(agentId, id, entry) {
      const keep = trail.keeping(entry)
      return write('delete a branch', () => {
        const row = run.branch.get({ agentId, id })?.row
        if (row === undefined) return false
        run.deleteBranch.run({ row })
        keep()
        return true
      })
    },
    async editBranch(expectedVersion, next, changes) {
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
    branchChanges: (agentId, id) =>
      read('read the changes of a branch', () => run.changes.all({ agentId, id }).map(toChange)),

    head: agentId => read('read the newest revision', () => toRevision(run.head.get({ agentId }))),
    revision: (agentId, number) =>
      read('read a revision', () => toRevision(run.revision.get({ agentId, number }))),
    resourcesAt: (agentId, revision, filter = {}) =>
      snapshot('read the content of a revision', () => {
        const agent = run.agentRow.get({ id: agentId })?.row
        return agent === undefined ? [] : readResources(run, agent, revision, filter)
      }),
    changesBetween: (agentId, after, through) =>
      snapshot('read the changes of revisions', () => {
        const agent = run.agentRow.get({ id: agentId })?.row
        return agent === undefined ? [] : run.changedBetween.all({ agent, after, through }).map(toChange)
      }),
    async commit(commit, entry) {
      const keep = trail.keeping(entry)
      const rows = commit.changes.map(encodeChange)
      const { branch, revision, deployment } = commit
      const testRun = commit.testRun && encodeTestRun(commit.testRun)
      const given: Omit<MainCommit, 'testRun'> = {
        ...commit,
        branch: { ...branch, next: { ...branch.next } },
        revision: { ...revision },
        deployment: { ...deployment },
      }
      return write('commit to main', () => writeCommit(run, given, rows, testRun, keep))
    },
  } satisfies Partial<AgentStore>
}

/** What runs where. */
function deploymentMethods({ read, snapshot, write }: Session, run: Run, trail: AuditTrail) {
  const select = (agentId: AgentId, pick: (agent: number) => readonly Selectable<Schema['deployment']>[]) =>
    snapshot('read deployments', () => {
      const agent = run.agentRow.get({ id: agentId })?.row
      return agent === undefined ? [] : pick(agent).map(row => toDeployment(row, agentId))
    })
  return {
    async deploy(deployment, testRun, entry) {
      const keep = trail.keeping(entry)
      const given = { ...deployment }
      const tests = testRun && encodeTestRun(testRun)
      return write('deploy', () => {
        const agent = run.agentRow.get({ id: given.agentId })?.row
        if (agent === undefined || given.number !== lastNumber(run, given.agentId) + 1) return 'stale'
        run.insertDeployment.run({ ...given, agent })
        if (tests !== null) insertTestRun(run, tests)
        keep()
        return 'deployed'
      })
    },
    deployment: async (agentId, id) =>
      (await select(agentId, agent => run.deployment.all({ agent, id })))[0] ?? null,
    deployments: (agentId, environment, limit) =>
      select(agentId, agent => run.deployments.all({ agent, environment, limit })),
    activeDeployments: agentId => select(agentId, agent => run.activeDeployments.all({ agent })),
    lastDeploymentNumber: agentId => read('read the newest deployment', () => lastNumber(run, agentId)),
  } satisfies Partial<AgentStore>
}

/** Agents in SQLite. Arguments are read before a call returns, so later changes to them change nothing. */
export function createAgentStore(session: Session, trail: AuditTrail): AgentStore {
  const run = allAgentStatements(session.define)
  return {
    ...contentMethods(session, run, trail),
    ...deploymentMethods(session, run, trail),
    ...realTimeConfigMethods(session, run, trail),
    ...testRunMethods(session, run),
  }
}
