import { sql } from 'kysely'
import { type Connection, param, query } from './connection.ts'

const text = param<string>
const number = param<number>

/** Every statement of the agent store, prepared once. */
export const prepareAgentStatements = (connection: Connection) => ({
  ...prepareAgents(connection),
  ...prepareBranches(connection),
  ...prepareRevisions(connection),
  ...prepareDeployments(connection),
})

export type AgentStatements = ReturnType<typeof prepareAgentStatements>

/** A version of a resource as a row has it; the value is null where the resource was removed. */
export interface VersionRow {
  readonly kind: string
  readonly resource_id: string
  readonly value: string | null
}

const prepareAgents = (connection: Connection) => ({
  addAgent: connection.prepare(
    query.insertInto('agents').values({
      id: text('id'),
      account_id: text('accountId'),
      name: text('name'),
      created_at: number('createdAt'),
      updated_at: number('updatedAt'),
    }),
  ),
  agent: connection.prepare(query.selectFrom('agents').selectAll().where('id', '=', text('id'))),
  agents: connection.prepare(
    query
      .selectFrom('agents')
      .selectAll()
      .where('account_id', '=', text('accountId'))
      .orderBy('created_at')
      .orderBy('id'),
  ),
  deleteAgent: connection.prepare(query.deleteFrom('agents').where('id', '=', text('id'))),
  deleteParts: (['branch_changes', 'branches', 'resources', 'revisions', 'deployments'] as const).map(table =>
    connection.prepare(query.deleteFrom(table).where('agent_id', '=', text('agentId'))),
  ),
})

const prepareBranches = (connection: Connection) => ({
  addBranch: connection.prepare(
    query
      .insertInto('branches')
      .values({
        agent_id: text('agentId'),
        id: text('id'),
        name: text('name'),
        base_revision: number('baseRevision'),
        version: number('version'),
        created_at: number('createdAt'),
        updated_at: number('updatedAt'),
      })
      .onConflict(conflict => conflict.doNothing()),
  ),
  branch: connection.prepare(
    query
      .selectFrom('branches')
      .selectAll()
      .where('agent_id', '=', text('agentId'))
      .where('id', '=', text('id')),
  ),
  branches: connection.prepare(
    query
      .selectFrom('branches')
      .selectAll()
      .where('agent_id', '=', text('agentId'))
      .orderBy('created_at')
      .orderBy('id'),
  ),
  updateBranch: connection.prepare(
    query
      .updateTable('branches')
      .set({
        name: text('name'),
        base_revision: number('baseRevision'),
        version: number('version'),
        created_at: number('createdAt'),
        updated_at: number('updatedAt'),
      })
      .where('agent_id', '=', text('agentId'))
      .where('id', '=', text('id'))
      .where('version', '=', number('expectedVersion')),
  ),
  deleteBranch: connection.prepare(
    query.deleteFrom('branches').where('agent_id', '=', text('agentId')).where('id', '=', text('id')),
  ),
  changes: connection.prepare(
    query
      .selectFrom('branch_changes')
      .select(['kind', 'resource_id', 'value'])
      .where('agent_id', '=', text('agentId'))
      .where('branch_id', '=', text('branchId')),
  ),
  deleteChanges: connection.prepare(
    query
      .deleteFrom('branch_changes')
      .where('agent_id', '=', text('agentId'))
      .where('branch_id', '=', text('branchId')),
  ),
  putChange: connection.prepare(
    query
      .insertInto('branch_changes')
      .values({
        agent_id: text('agentId'),
        branch_id: text('branchId'),
        kind: text('kind'),
        resource_id: text('resourceId'),
        value: text('value'),
      })
      .onConflict(conflict =>
        conflict
          .columns(['agent_id', 'branch_id', 'kind', 'resource_id'])
          .doUpdateSet(eb => ({ value: eb.ref('excluded.value') })),
      ),
  ),
})

/** SQLite takes the other columns of a group from the row that holds its maximum: the newest version. */
const newest = sql<number>`max(revision)`.as('revision')

const prepareRevisions = (connection: Connection) => ({
  addRevision: connection.prepare(
    query.insertInto('revisions').values({
      agent_id: text('agentId'),
      number: number('number'),
      content_hash: text('contentHash'),
      created_at: number('createdAt'),
    }),
  ),
  addVersion: connection.prepare(
    query.insertInto('resources').values({
      agent_id: text('agentId'),
      kind: text('kind'),
      resource_id: text('resourceId'),
      revision: number('revision'),
      name: text('name'),
      value: text('value'),
    }),
  ),
  head: connection.prepare(
    query
      .selectFrom('revisions')
      .selectAll()
      .where('agent_id', '=', text('agentId'))
      .orderBy('number', 'desc')
      .limit(1),
  ),
  revision: connection.prepare(
    query
      .selectFrom('revisions')
      .selectAll()
      .where('agent_id', '=', text('agentId'))
      .where('number', '=', number('number')),
  ),
  versionAt: connection.prepare(
    query
      .selectFrom('resources')
      .select(['kind', 'resource_id', 'value'])
      .where('agent_id', '=', text('agentId'))
      .where('kind', '=', text('kind'))
      .where('resource_id', '=', text('resourceId'))
      .where('revision', '<=', number('revision'))
      .orderBy('revision', 'desc')
      .limit(1),
  ),
  everNamed: connection.prepare(
    query
      .selectFrom('resources')
      .select(['kind', 'resource_id'])
      .distinct()
      .where('agent_id', '=', text('agentId'))
      .where('name', '=', text('name')),
  ),
  versionsOfKind: connection.prepare(
    query
      .selectFrom('resources')
      .select(['kind', 'resource_id', 'value', newest])
      .where('agent_id', '=', text('agentId'))
      .where('kind', '=', text('kind'))
      .where('revision', '<=', number('revision'))
      .groupBy(['kind', 'resource_id']),
  ),
  allVersions: connection.prepare(
    query
      .selectFrom('resources')
      .select(['kind', 'resource_id', 'value', newest])
      .where('agent_id', '=', text('agentId'))
      .where('revision', '<=', number('revision'))
      .groupBy(['kind', 'resource_id']),
  ),
  // Without the hint SQLite walks every resource of the agent to spare itself the sorting of a few.
  versionsBetween: connection.prepare<VersionRow>({
    compile: () =>
      sql<VersionRow>`
        SELECT kind, resource_id, value, max(revision) AS revision
        FROM resources INDEXED BY resources_by_revision
        WHERE agent_id = ${text('agentId')} AND revision > ${number('after')} AND revision <= ${number('through')}
        GROUP BY kind, resource_id`.compile(query),
  }),
})

const prepareDeployments = (connection: Connection) => ({
  addDeployment: connection.prepare(
    query.insertInto('deployments').values({
      agent_id: text('agentId'),
      number: number('number'),
      id: text('id'),
      environment: text('environment'),
      value: text('value'),
    }),
  ),
  deployment: connection.prepare(
    query
      .selectFrom('deployments')
      .select('value')
      .where('agent_id', '=', text('agentId'))
      .where('id', '=', text('id')),
  ),
  deployments: connection.prepare(
    query
      .selectFrom('deployments')
      .select('value')
      .where('agent_id', '=', text('agentId'))
      .where('environment', '=', text('environment'))
      .orderBy('number', 'desc')
      .limit(number('limit')),
  ),
  activeDeployments: connection.prepare(
    query
      .selectFrom('deployments')
      .select(['value', sql<number>`max(number)`.as('number')])
      .where('agent_id', '=', text('agentId'))
      .groupBy('environment'),
  ),
  lastDeployment: connection.prepare(
    query
      .selectFrom('deployments')
      .select('number')
      .where('agent_id', '=', text('agentId'))
      .orderBy('number', 'desc')
      .limit(1),
  ),
})
