import type { AccountId, AgentId, Branch, BranchId, Deployment } from '@colloquy/core'
import type { ResourceKind } from '@colloquy/core/domain'
import { type Selectable, sql } from 'kysely'
import type { Define, Placeholder } from '../database/statements.ts'
import type { Schema } from '../database/tables.ts'
import { realTimeConfigStatements } from './real-time-configs.ts'
import { resourceStatements, revisionStatements } from './revision-statements.ts'
import { testRunStatements } from './test-runs.ts'

/** An agent with what its branches and revisions come to. */
export interface AgentRecordRow extends Omit<Selectable<Schema['agent']>, 'row'> {
  readonly branch_count: number
  readonly branches_updated_at: number
  readonly revised_at: number
}

type DeploymentRow = Selectable<Schema['deployment']>

const agentStatements = (define: Define) => ({
  insertAgent: define<{
    id: AgentId
    accountId: AccountId
    name: string
    createdAt: number
    updatedAt: number
  }>()((db, p) =>
    db
      .insertInto('agent')
      .values({
        id: p('id'),
        account_id: p('accountId'),
        name: p('name'),
        created_at: p('createdAt'),
        updated_at: p('updatedAt'),
      })
      .onConflict(conflict => conflict.doNothing())
      .compile(),
  ),
  agent: define<{ id: AgentId }>()((db, p) =>
    db.selectFrom('agent').selectAll().where('id', '=', p('id')).compile(),
  ),
  agentRecord: define<{ id: AgentId }>()((db, p) =>
    sql<AgentRecordRow>`
      select id, account_id, name, created_at, updated_at,
        (select count(*) from branch where agent = agent.row) as branch_count,
        (select coalesce(max(updated_at), 0) from branch where agent = agent.row) as branches_updated_at,
        coalesce(
          (select created_at from revision where agent = agent.row order by number desc limit 1), 0
        ) as revised_at
      from agent where id = ${p('id')}`.compile(db),
  ),
  agentRow: define<{ id: AgentId }>()((db, p) =>
    db.selectFrom('agent').select('row').where('id', '=', p('id')).compile(),
  ),
  agentsOf: define<{ accountId: AccountId }>()((db, p) =>
    db
      .selectFrom('agent')
      .selectAll()
      .where('account_id', '=', p('accountId'))
      .orderBy('created_at')
      .orderBy('id')
      .compile(),
  ),
  renameAgent: define<{ id: AgentId; before: string; after: string; updatedAt: number }>()((db, p) =>
    db
      .updateTable('agent')
      .set({ name: p('after'), updated_at: p('updatedAt') })
      .where('id', '=', p('id'))
      .where('name', '=', p('before'))
      .compile(),
  ),
  deleteAgent: define<{ id: AgentId }>()((db, p) =>
    db.deleteFrom('agent').where('id', '=', p('id')).compile(),
  ),
  rememberAgent: define<{ accountId: AccountId; id: AgentId; deletedAt: number }>()((db, p) =>
    db
      .insertInto('deleted_agent')
      .values({ account_id: p('accountId'), id: p('id'), deleted_at: p('deletedAt') })
      .onConflict(conflict =>
        conflict
          .columns(['account_id', 'id'])
          .doUpdateSet(row => ({ deleted_at: row.ref('excluded.deleted_at') })),
      )
      .compile(),
  ),
  deletedElsewhere: define<{ accountId: AccountId; id: AgentId }>()((db, p) =>
    db
      .selectFrom('deleted_agent')
      .select('id')
      .where('id', '=', p('id'))
      .where('account_id', '<>', p('accountId'))
      .limit(1)
      .compile(),
  ),
  deletedAgent: define<{ accountId: AccountId; id: AgentId }>()((db, p) =>
    db
      .selectFrom('deleted_agent')
      .selectAll()
      .where('account_id', '=', p('accountId'))
      .where('id', '=', p('id'))
      .compile(),
  ),
})

const branchStatements = (define: Define) => ({
  insertBranch: define<{
    agent: number
    id: BranchId
    name: string
    baseRevision: number
    version: number
    createdAt: number
    updatedAt: number
  }>()((db, p) =>
    db
      .insertInto('branch')
      .values({
        agent: p('agent'),
        id: p('id'),
        name: p('name'),
        base_revision: p('baseRevision'),
        version: p('version'),
        created_at: p('createdAt'),
        updated_at: p('updatedAt'),
      })
      .onConflict(conflict => conflict.doNothing())
      .compile(),
  ),
  branch: define<{ agentId: AgentId; id: BranchId }>()((db, p) =>
    db
      .selectFrom('branch')
      .innerJoin('agent', 'agent.row', 'branch.agent')
      .selectAll('branch')
      .where('agent.id', '=', p('agentId'))
      .where('branch.id', '=', p('id'))
      .compile(),
  ),
  branches: define<{ agentId: AgentId }>()((db, p) =>
    db
      .selectFrom('branch')
      .innerJoin('agent', 'agent.row', 'branch.agent')
      .selectAll('branch')
      .where('agent.id', '=', p('agentId'))
      .orderBy('branch.created_at')
      .orderBy('branch.id')
      .compile(),
  ),
  updateBranch: define<{
    row: number
    name: Branch['name']
    baseRevision: number
    version: number
    createdAt: number
    updatedAt: number
  }>()((db, p) =>
    db
      .updateTable('branch')
      .set({
        name: p('name'),
        base_revision: p('baseRevision'),
        version: p('version'),
        created_at: p('createdAt'),
        updated_at: p('updatedAt'),
      })
      .where('row', '=', p('row'))
      .compile(),
  ),
  deleteBranch: define<{ row: number }>()((db, p) =>
    db.deleteFrom('branch').where('row', '=', p('row')).compile(),
  ),
  writeChange: define<{ branch: number; kind: ResourceKind; id: string; value: string | null }>()((db, p) =>
    db
      .insertInto('branch_change')
      .values({ branch: p('branch'), kind: p('kind'), id: p('id'), value: p('value') })
      .onConflict(conflict =>
        conflict.columns(['branch', 'kind', 'id']).doUpdateSet(row => ({ value: row.ref('excluded.value') })),
      )
      .compile(),
  ),
  dropChanges: define<{ branch: number }>()((db, p) =>
    db.deleteFrom('branch_change').where('branch', '=', p('branch')).compile(),
  ),
  changes: define<{ agentId: AgentId; id: BranchId }>()((db, p) =>
    db
      .selectFrom('branch_change')
      .innerJoin('branch', 'branch.row', 'branch_change.branch')
      .innerJoin('agent', 'agent.row', 'branch.agent')
      .select(['branch_change.kind', 'branch_change.id', 'branch_change.value'])
      .where('agent.id', '=', p('agentId'))
      .where('branch.id', '=', p('id'))
      .compile(),
  ),
})

/** The row of the agent that has the id now. */
const rowOf = (p: Placeholder<{ agentId: AgentId }>) =>
  sql<number>`(select row from agent where id = ${p('agentId')})`

const deploymentStatements = (define: Define) => ({
  insertDeployment: define<{
    agent: number
    number: number
    id: Deployment['id']
    accountId: AccountId
    environment: Deployment['environment']
    revision: number
    version: string
    type: Deployment['type']
    message: string
    createdBy: string
    createdAt: number
  }>()((db, p) =>
    db
      .insertInto('deployment')
      .values({
        agent: p('agent'),
        number: p('number'),
        id: p('id'),
        account_id: p('accountId'),
        environment: p('environment'),
        revision: p('revision'),
        version: p('version'),
        type: p('type'),
        message: p('message'),
        created_by: p('createdBy'),
        created_at: p('createdAt'),
      })
      .compile(),
  ),
  deployment: define<{ agentId: AgentId; id: Deployment['id'] }>()((db, p) =>
    sql<DeploymentRow>`select * from deployment where agent = ${rowOf(p)} and id = ${p('id')}`.compile(db),
  ),
  deployments: define<{ agentId: AgentId; environment: Deployment['environment']; limit: number }>()(
    (db, p) =>
      db
        .selectFrom('deployment')
        .selectAll()
        .where('agent', '=', rowOf(p))
        .where('environment', '=', p('environment'))
        .orderBy('number', 'desc')
        .limit(p('limit'))
        .compile(),
  ),
  activeDeployments: define<{ agentId: AgentId }>()((db, p) =>
    db
      .selectFrom('deployment')
      .selectAll()
      .where('agent', '=', rowOf(p))
      .where('number', 'in', inner =>
        inner
          .selectFrom('deployment')
          .select(group => group.fn.max('number').as('number'))
          .where('agent', '=', rowOf(p))
          .groupBy('environment'),
      )
      .compile(),
  ),
  lastDeployment: define<{ agentId: AgentId }>()((db, p) =>
    db
      .selectFrom('deployment')
      .innerJoin('agent', 'agent.row', 'deployment.agent')
      .select('deployment.number')
      .where('agent.id', '=', p('agentId'))
      .orderBy('deployment.number', 'desc')
      .limit(sql.lit(1))
      .compile(),
  ),
})

/** The statements of the agent store, prepared. */
export const allAgentStatements = (define: Define) => ({
  ...agentStatements(define),
  ...branchStatements(define),
  ...revisionStatements(define),
  ...resourceStatements(define),
  ...deploymentStatements(define),
  ...realTimeConfigStatements(define),
  ...testRunStatements(define),
})

/** The prepared statements of the agent store. */
export type AgentStatements = ReturnType<typeof allAgentStatements>
