import type { AccountId, AgentId, Branch, BranchId, Deployment } from '@colloquy/core'
import { sql } from 'kysely'
import type { Define } from '../database/statements.ts'
import { droppedOf } from '../documents/owned.ts'
import { ANSWER, type Done, keeping, type OutboxParameters } from '../outbox/outbox-keeper.ts'
import { realTimeConfigStatements } from './real-time-configs.ts'
import {
  agentRow,
  type ChangeParameters,
  changeRows,
  type ResourceRow,
  revisionStatements,
} from './revision-statements.ts'
import { type RunParameters, testRunInsert, testRunStatements } from './test-runs.ts'

/** An agent's row. */
export interface AgentRow {
  readonly id: AgentId
  readonly account_id: AccountId
  readonly name: string
  readonly created_at: number
  readonly updated_at: number
}

/** An agent with what its branches and revisions come to. */
export interface AgentRecordRow extends AgentRow {
  readonly branch_count: number
  readonly branches_updated_at: number
  readonly revised_at: number
}

/** A branch's row. */
export interface BranchRow {
  readonly id: BranchId
  readonly name: string
  readonly base_revision: number
  readonly version: number
  readonly created_at: number
  readonly updated_at: number
}

/** A deployment's row. */
export interface DeploymentRow {
  readonly id: Deployment['id']
  readonly number: number
  readonly account_id: AccountId
  readonly environment: Deployment['environment']
  readonly revision: number
  readonly version: string
  readonly type: Deployment['type']
  readonly message: string
  readonly created_by: string
  readonly created_at: number
}

/** A revision as parameters. */
type RevisionParameters = { number: number; contentHash: string; contentBytes: number; revisedAt: number }

/** A branch as parameters. */
type BranchParameters = {
  branchId: BranchId
  branchName: Branch['name']
  baseRevision: number
  branchVersion: number
  branchCreatedAt: number
  branchUpdatedAt: number
}

/** A deployment as parameters. */
type DeploymentParameters = {
  deploymentNumber: number
  deploymentId: Deployment['id']
  deploymentAccount: AccountId
  deploymentEnvironment: Deployment['environment']
  deploymentRevision: number
  deploymentVersion: string
  deploymentType: Deployment['type']
  deploymentMessage: string
  deploymentBy: string
  deployedAt: number
}

type RenameParameters = { agentId: AgentId; before: string; after: string; updatedAt: number }

type NewAgentParameters = {
  agentId: AgentId
  accountId: AccountId
  name: string
  createdAt: number
  updatedAt: number
} & BranchParameters &
  RevisionParameters &
  ChangeParameters &
  OutboxParameters

const agentStatements = (define: Define) => ({
  // The id's row is what two wait for that create or delete an agent of that id at once.
  createAgent: define<NewAgentParameters>('create an agent')<Done>(
    (t, p) => sql`
    with owned as (
      insert into ${t('agent_id')} as known (id, account_id) values (${p('agentId')}, ${p('accountId')})
      on conflict (id) do update set account_id = known.account_id where known.account_id = excluded.account_id
      returning 1
    ), added as (
      insert into ${t('agent')} (id, account_id, name, created_at, updated_at, revision, deployment)
      select ${p('agentId')}::text, ${p('accountId')}::text, ${p('name')}::text, ${p('createdAt')}::bigint,
        ${p('updatedAt')}::bigint, ${p('number')}::int, 0 from owned
      on conflict do nothing returning row
    ), main as (
      insert into ${t('branch')} (agent, id, name, base_revision, version, created_at, updated_at)
      select row, ${p('branchId')}::text, ${p('branchName')}::text, ${p('baseRevision')}::int, ${p('branchVersion')}::int,
        ${p('branchCreatedAt')}::bigint, ${p('branchUpdatedAt')}::bigint from added
    ), revised as (
      insert into ${t('revision')} (agent, number, content_hash, content_bytes, created_at)
      select row, ${p('number')}::int, ${p('contentHash')}::text, ${p('contentBytes')}::bigint, ${p('revisedAt')}::bigint
      from added
    ), filled as (
      insert into ${t('resource')} (agent, kind, id, revision, name, value)
      select added.row, c.kind, c.id, ${p('number')}::int, c.name, c.value from added, ${changeRows(p)}
    ), done (write) as (select 1 from added), ${keeping(t, p)} ${ANSWER}`,
  ),
  agent: define<{ agentId: AgentId }>('read an agent')<AgentRow>(
    (t, p) => sql`
    select id, account_id, name, created_at, updated_at from ${t('agent')} where id = ${p('agentId')}`,
  ),
  agentRecord: define<{ agentId: AgentId }>('read an agent and its branches')<AgentRecordRow>(
    (t, p) => sql`
    select id, account_id, name, created_at, updated_at,
      (select count(*) from ${t('branch')} where agent = agent_.row) as branch_count,
      (select coalesce(max(updated_at), 0) from ${t('branch')} where agent = agent_.row) as branches_updated_at,
      coalesce((select created_at from ${t('revision')} as r where r.agent = agent_.row and r.number = agent_.revision), 0) as revised_at
    from ${t('agent')} as agent_ where id = ${p('agentId')}`,
  ),
  agentsOf: define<{ accountId: AccountId }>('list agents')<AgentRow>(
    (t, p) => sql`
    select id, account_id, name, created_at, updated_at from ${t('agent')} where account_id = ${p('accountId')}
    order by created_at, id`,
  ),
  renameAgent: define<RenameParameters & OutboxParameters>('rename an agent')<Done>(
    (t, p) => sql`
    with renamed as (
      update ${t('agent')} set name = ${p('after')}::text, updated_at = ${p('updatedAt')}::bigint
      where id = ${p('agentId')} and name = ${p('before')} returning 1
    ), done (write) as (select 1 from renamed), ${keeping(t, p)} ${ANSWER}`,
  ),
  deleteAgent: define<{ agentId: AgentId; deletedAt: number } & OutboxParameters>('delete an agent')<Done>(
    (t, p) => sql`
    with remembered as (
      update ${t('agent_id')} set deleted_at = ${p('deletedAt')}::bigint
      where id = ${p('agentId')} and exists (select from ${t('agent')} where id = ${p('agentId')}) returning id
    ), deleted as (
      delete from ${t('agent')} where id = (select id from remembered) returning account_id
    ), uncounted as (
      delete from ${t('counter')} where account_id = (select account_id from deleted)
        and agent_id = (select id from remembered)
    ), unheard as (
      delete from ${t('cached_audio')} where agent_id = (select id from remembered)
    ), ${droppedOf(t, sql`select id from remembered`)}, done (write) as (select 1 from deleted), ${keeping(t, p)} ${ANSWER}`,
  ),
  deletedAgent: define<{ accountId: AccountId; agentId: AgentId }>('read a deleted agent')<{
    readonly id: AgentId
    readonly account_id: AccountId
    readonly deleted_at: number
  }>(
    (t, p) => sql`
    select id, account_id, deleted_at from ${t('agent_id')}
    where id = ${p('agentId')} and account_id = ${p('accountId')} and deleted_at is not null`,
  ),
})

const branchColumns = sql`branch.id, branch.name, branch.base_revision, branch.version, branch.created_at, branch.updated_at`

const branchStatements = (define: Define) => ({
  insertBranch: define<{ agentId: AgentId } & BranchParameters>('create a branch')<{
    readonly there: boolean
    readonly added: boolean
  }>(
    (t, p) => sql`
    with agent as (
      select row from ${t('agent')} where id = ${p('agentId')} for key share
    ), added as (
      insert into ${t('branch')} (agent, id, name, base_revision, version, created_at, updated_at)
      select row, ${p('branchId')}::text, ${p('branchName')}::text, ${p('baseRevision')}::int, ${p('branchVersion')}::int,
        ${p('branchCreatedAt')}::bigint, ${p('branchUpdatedAt')}::bigint from agent
      on conflict do nothing returning 1
    )
    select exists (select from agent) as there, exists (select from added) as added`,
  ),
  branch: define<{ agentId: AgentId; branchId: BranchId }>('read a branch')<BranchRow>(
    (t, p) => sql`
    select ${branchColumns} from ${t('branch')} as branch where agent = ${agentRow(t, p)} and id = ${p('branchId')}`,
  ),
  branches: define<{ agentId: AgentId }>('list branches')<BranchRow>(
    (t, p) => sql`
    select ${branchColumns} from ${t('branch')} as branch where agent = ${agentRow(t, p)} order by created_at, id`,
  ),
  deleteBranch: define<{ agentId: AgentId; branchId: BranchId } & OutboxParameters>('delete a branch')<Done>(
    (t, p) => sql`
    with deleted as (
      delete from ${t('branch')} where agent = ${agentRow(t, p)} and id = ${p('branchId')} returning 1
    ), done (write) as (select 1 from deleted), ${keeping(t, p)} ${ANSWER}`,
  ),
  editBranch: define<{ agentId: AgentId; expectedVersion: number } & BranchParameters & ChangeParameters>(
    'edit a branch',
  )<Done>(
    (t, p) => sql`
    with done as (
      update ${t('branch')} set name = ${p('branchName')}, base_revision = ${p('baseRevision')}, version = ${p('branchVersion')},
        created_at = ${p('branchCreatedAt')}, updated_at = ${p('branchUpdatedAt')}
      where agent = ${agentRow(t, p)} and id = ${p('branchId')} and version = ${p('expectedVersion')}::bigint returning row
    ), written as (
      insert into ${t('branch_change')} (branch, kind, id, value)
      select done.row, c.kind, c.id, c.value from done, ${changeRows(p)}
      on conflict (branch, kind, id) do update set value = excluded.value
    ) ${ANSWER}`,
  ),
  changes: define<{ agentId: AgentId; branchId: BranchId }>('read the changes of a branch')<ResourceRow>(
    (t, p) => sql`
    select c.kind, c.id, c.value from ${t('branch_change')} as c join ${t('branch')} as branch on branch.row = c.branch
    where branch.agent = ${agentRow(t, p)} and branch.id = ${p('branchId')}`,
  ),
})

const insertDeployment = sql`(agent, number, id, account_id, environment, revision, version, type, message, created_by, created_at)`

const deploymentStatements = (define: Define) => ({
  // The agent's row is what two wait for that deploy at once, or commit: the second finds another number there.
  deploy: define<{ agentId: AgentId } & DeploymentParameters & RunParameters & OutboxParameters>(
    'deploy',
  )<Done>(
    (t, p) => sql`
    with agent as (
      update ${t('agent')} set deployment = ${p('deploymentNumber')}::int
      where id = ${p('agentId')} and deployment = ${p('deploymentNumber')}::int - 1 returning row
    ), deployed as (
      insert into ${t('deployment')} ${insertDeployment}
      select row, ${p('deploymentNumber')}::int, ${p('deploymentId')}::text, ${p('deploymentAccount')}::text,
        ${p('deploymentEnvironment')}::text, ${p('deploymentRevision')}::int, ${p('deploymentVersion')}::text,
        ${p('deploymentType')}::text, ${p('deploymentMessage')}::text, ${p('deploymentBy')}::text, ${p('deployedAt')}::bigint
      from agent
    ), tested as (${testRunInsert(t, p, sql`agent`)}),
    done (write) as (select 1 from agent), ${keeping(t, p)} ${ANSWER}`,
  ),
  // A branch that was changed since the statement began is not merged: changes that it cannot see would be left.
  commit: define<
    {
      agentId: AgentId
      expectedRevision: number
      expectedDeployment: number
      expectedVersion: number
    } & BranchParameters &
      RevisionParameters &
      ChangeParameters &
      DeploymentParameters &
      RunParameters &
      OutboxParameters
  >('commit to main')<Done>(
    (t, p) => sql`
    with seen as (
      select row from ${t('branch')} where agent = ${agentRow(t, p)} and id = ${p('branchId')}
        and version = ${p('expectedVersion')}::bigint
    ), agent as (
      select row from ${t('agent')} where id = ${p('agentId')} and revision = ${p('expectedRevision')}::bigint
        and deployment = ${p('expectedDeployment')}::bigint for update
    ), branch as (
      select row, agent from ${t('branch')} where agent = (select row from agent) and row = (select row from seen)
        and version = ${p('expectedVersion')}::bigint for update
    ), advanced as (
      update ${t('agent')} set revision = ${p('number')}::int, deployment = ${p('deploymentNumber')}::int
      where row = (select agent from branch) returning row
    ), merged as (
      update ${t('branch')} set name = ${p('branchName')}, base_revision = ${p('baseRevision')}, version = ${p('branchVersion')},
        created_at = ${p('branchCreatedAt')}, updated_at = ${p('branchUpdatedAt')}
      where row = (select row from branch)
    ), dropped as (
      delete from ${t('branch_change')} where branch = (select row from branch)
    ), revised as (
      insert into ${t('revision')} (agent, number, content_hash, content_bytes, created_at)
      select row, ${p('number')}::int, ${p('contentHash')}::text, ${p('contentBytes')}::bigint, ${p('revisedAt')}::bigint
      from advanced
    ), filled as (
      insert into ${t('resource')} (agent, kind, id, revision, name, value)
      select advanced.row, c.kind, c.id, ${p('number')}::int, c.name, c.value from advanced, ${changeRows(p)}
    ), deployed as (
      insert into ${t('deployment')} ${insertDeployment}
      select row, ${p('deploymentNumber')}::int, ${p('deploymentId')}::text, ${p('deploymentAccount')}::text,
        ${p('deploymentEnvironment')}::text, ${p('deploymentRevision')}::int, ${p('deploymentVersion')}::text,
        ${p('deploymentType')}::text, ${p('deploymentMessage')}::text, ${p('deploymentBy')}::text, ${p('deployedAt')}::bigint
      from advanced
    ), tested as (${testRunInsert(t, p, sql`advanced`)}),
    done (write) as (select 1 from advanced), ${keeping(t, p)} ${ANSWER}`,
  ),
  deployment: define<{ agentId: AgentId; id: Deployment['id'] }>('read deployments')<DeploymentRow>(
    (t, p) => sql`
    select * from ${t('deployment')} where agent = ${agentRow(t, p)} and id = ${p('id')}`,
  ),
  deployments: define<{ agentId: AgentId; environment: string; limit: number }>(
    'read deployments',
  )<DeploymentRow>(
    (t, p) => sql`
      select * from ${t('deployment')} where agent = ${agentRow(t, p)} and environment = ${p('environment')}
      order by number desc limit ${p('limit')}::bigint`,
  ),
  activeDeployments: define<{ agentId: AgentId }>('read deployments')<DeploymentRow>(
    (t, p) => sql`
    select distinct on (environment) * from ${t('deployment')} where agent = ${agentRow(t, p)}
    order by environment, number desc`,
  ),
})

/** The statements of the agent store. */
export const allAgentStatements = (define: Define) => ({
  ...agentStatements(define),
  ...branchStatements(define),
  ...revisionStatements(define),
  ...deploymentStatements(define),
  ...realTimeConfigStatements(define),
  ...testRunStatements(define),
})

/** These statements. */
export type AgentStatements = ReturnType<typeof allAgentStatements>

/** A branch as parameters. */
export const branchParameters = (branch: Branch): BranchParameters => ({
  branchId: branch.id,
  branchName: branch.name,
  baseRevision: branch.baseRevision,
  branchVersion: branch.version,
  branchCreatedAt: branch.createdAt,
  branchUpdatedAt: branch.updatedAt,
})

/** A deployment as parameters. */
export const deploymentParameters = (deployment: Deployment): DeploymentParameters => ({
  deploymentNumber: deployment.number,
  deploymentId: deployment.id,
  deploymentAccount: deployment.accountId,
  deploymentEnvironment: deployment.environment,
  deploymentRevision: deployment.revision,
  deploymentVersion: deployment.version,
  deploymentType: deployment.type,
  deploymentMessage: deployment.message,
  deploymentBy: deployment.createdBy,
  deployedAt: deployment.createdAt,
})

/** A revision as parameters. */
export const revisionParameters = (revision: {
  readonly number: number
  readonly contentHash: string
  readonly contentBytes: number
  readonly createdAt: number
}): RevisionParameters => ({
  number: revision.number,
  contentHash: revision.contentHash,
  contentBytes: revision.contentBytes,
  revisedAt: revision.createdAt,
})
