import type { CopiedAgent } from '@colloquy/core/store'
import { sql } from 'kysely'
import { encodeChanges } from '../agents/resources.ts'
import type { Define } from '../database/statements.ts'

type Texts = readonly string[]
type OptionalTexts = readonly (string | null)[]
type Numbers = readonly number[]

/** The statements that write agents, each of them all rows of a table. Every list has one value for each row. */
export const takeAgentStatements = (define: Define) => ({
  agents: define<{
    ids: Texts
    accountIds: Texts
    names: Texts
    createdAt: Numbers
    updatedAt: Numbers
    deployed: Numbers
  }>('take copied parts')(
    (t, p) => sql`
    with known as (
      insert into ${t('agent_id')} (id, account_id)
      select * from unnest(${p('ids')}::text[], ${p('accountIds')}::text[]) on conflict (id) do nothing
    )
    insert into ${t('agent')} (id, account_id, name, created_at, updated_at, deployment, revision)
    select a.*, 0 from unnest(${p('ids')}::text[], ${p('accountIds')}::text[], ${p('names')}::text[],
      ${p('createdAt')}::bigint[], ${p('updatedAt')}::bigint[], ${p('deployed')}::int[]) as a
    on conflict (id) do update set account_id = excluded.account_id, name = excluded.name,
      created_at = excluded.created_at, updated_at = excluded.updated_at, deployment = excluded.deployment`,
  ),
  /** What agents had before. */
  empty: (['test_run', 'deployment', 'real_time_config', 'branch'] as const).map(table =>
    define<{ ids: Texts }>('take copied parts')(
      (t, p) => sql`
      delete from ${t(table)} where agent in (select row from ${t('agent')} where id = any (${p('ids')}::text[]))`,
    ),
  ),
  branches: define<{
    agentIds: Texts
    ids: Texts
    names: Texts
    revisions: Numbers
    versions: Numbers
    createdAt: Numbers
    updatedAt: Numbers
  }>('take copied parts')(
    (t, p) => sql`
    insert into ${t('branch')} (agent, id, name, base_revision, version, created_at, updated_at)
    select a.row, b.id, b.name, b.revision, b.version, b.created_at, b.updated_at
    from unnest(${p('agentIds')}::text[], ${p('ids')}::text[], ${p('names')}::text[], ${p('revisions')}::int[],
      ${p('versions')}::int[], ${p('createdAt')}::bigint[], ${p('updatedAt')}::bigint[])
      as b (agent_id, id, name, revision, version, created_at, updated_at)
    join ${t('agent')} as a on a.id = b.agent_id`,
  ),
  changes: define<{
    agentIds: Texts
    branchIds: Texts
    kinds: Texts
    ids: Texts
    values: OptionalTexts
  }>('take copied parts')(
    (t, p) => sql`
    insert into ${t('branch_change')} (branch, kind, id, value)
    select b.row, c.kind, c.id, c.value
    from unnest(${p('agentIds')}::text[], ${p('branchIds')}::text[], ${p('kinds')}::text[], ${p('ids')}::text[],
      ${p('values')}::text[]) as c (agent_id, branch_id, kind, id, value)
    join ${t('agent')} as a on a.id = c.agent_id
    join ${t('branch')} as b on b.agent = a.row and b.id = c.branch_id`,
  ),
  deployments: define<{
    agentIds: Texts
    numbers: Numbers
    ids: Texts
    accountIds: Texts
    environments: Texts
    revisions: Numbers
    versions: Texts
    types: Texts
    messages: Texts
    by: Texts
    createdAt: Numbers
  }>('take copied parts')(
    (t, p) => sql`
    insert into ${t('deployment')} (agent, number, id, account_id, environment, revision, version, type, message, created_by,
      created_at)
    select a.row, d.number, d.id, d.account_id, d.environment, d.revision, d.version, d.type, d.message, d.created_by,
      d.created_at
    from unnest(${p('agentIds')}::text[], ${p('numbers')}::int[], ${p('ids')}::text[], ${p('accountIds')}::text[],
      ${p('environments')}::text[], ${p('revisions')}::int[], ${p('versions')}::text[], ${p('types')}::text[],
      ${p('messages')}::text[], ${p('by')}::text[], ${p('createdAt')}::bigint[])
      as d (agent_id, number, id, account_id, environment, revision, version, type, message, created_by, created_at)
    join ${t('agent')} as a on a.id = d.agent_id`,
  ),
  configs: define<{
    agentIds: Texts
    environments: Texts
    versions: Numbers
    updatedAt: Numbers
    variables: Texts
    schemas: OptionalTexts
  }>('take copied parts')(
    (t, p) => sql`
    insert into ${t('real_time_config')} (agent, environment, version, updated_at, variables, schema)
    select a.row, r.environment, r.version, r.updated_at, r.variables, r.schema
    from unnest(${p('agentIds')}::text[], ${p('environments')}::text[], ${p('versions')}::int[], ${p('updatedAt')}::bigint[],
      ${p('variables')}::text[], ${p('schemas')}::text[]) as r (agent_id, environment, version, updated_at, variables, schema)
    join ${t('agent')} as a on a.id = r.agent_id`,
  ),
  testRuns: define<{
    agentIds: Texts
    ids: Texts
    deploymentIds: Texts
    versions: Texts
    statuses: Texts
    startedAt: Numbers
    leaseUntil: Numbers
    attempts: Numbers
    writes: Numbers
    runs: Texts
  }>('take copied parts')(
    (t, p) => sql`
    insert into ${t('test_run')} (agent, id, deployment_id, version, status, started_at, lease_until, attempts, writes, run)
    select a.row, r.id, r.deployment_id, r.version, r.status, r.started_at, r.lease_until, r.attempts, r.writes, r.run
    from unnest(${p('agentIds')}::text[], ${p('ids')}::text[], ${p('deploymentIds')}::text[], ${p('versions')}::text[],
      ${p('statuses')}::text[], ${p('startedAt')}::bigint[], ${p('leaseUntil')}::bigint[], ${p('attempts')}::int[],
      ${p('writes')}::int[], ${p('runs')}::text[])
      as r (agent_id, id, deployment_id, version, status, started_at, lease_until, attempts, writes, run)
    join ${t('agent')} as a on a.id = r.agent_id`,
  ),
  testResults: define<{ agentIds: Texts; runIds: Texts; cases: Texts; results: Texts }>('take copied parts')(
    (t, p) => sql`
    insert into ${t('test_result')} (run, test_case_id, result)
    select r.row, c.test_case_id, c.result
    from unnest(${p('agentIds')}::text[], ${p('runIds')}::text[], ${p('cases')}::text[], ${p('results')}::text[])
      as c (agent_id, run_id, test_case_id, result)
    join ${t('agent')} as a on a.id = c.agent_id
    join ${t('test_run')} as r on r.agent = a.row and r.id = c.run_id`,
  ),
})

const jsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

const branchesOf = (agents: readonly CopiedAgent[]) =>
  agents.flatMap(({ agent, branches }) => branches.map(one => ({ ...one, agentId: agent.id })))

function branchColumns(agents: readonly CopiedAgent[]) {
  const rows = branchesOf(agents)
  return {
    agentIds: rows.map(({ agentId }) => agentId),
    ids: rows.map(({ branch }) => branch.id),
    names: rows.map(({ branch }) => branch.name),
    revisions: rows.map(({ branch }) => branch.baseRevision),
    versions: rows.map(({ branch }) => branch.version),
    createdAt: rows.map(({ branch }) => branch.createdAt),
    updatedAt: rows.map(({ branch }) => branch.updatedAt),
  }
}

function changeColumns(agents: readonly CopiedAgent[]) {
  const rows = branchesOf(agents).flatMap(({ agentId, branch, changes }) =>
    changes.map(change => ({ agentId, branchId: branch.id, encoded: encodeChanges([change]) })),
  )
  return {
    agentIds: rows.map(({ agentId }) => agentId),
    branchIds: rows.map(({ branchId }) => branchId),
    kinds: rows.flatMap(({ encoded }) => encoded.kinds),
    ids: rows.flatMap(({ encoded }) => encoded.ids),
    values: rows.flatMap(({ encoded }) => encoded.values),
  }
}

function deploymentColumns(agents: readonly CopiedAgent[]) {
  const rows = agents.flatMap(({ deployments }) => deployments)
  return {
    agentIds: rows.map(({ agentId }) => agentId),
    numbers: rows.map(({ number }) => number),
    ids: rows.map(({ id }) => id),
    accountIds: rows.map(({ accountId }) => accountId),
    environments: rows.map(({ environment }) => environment),
    revisions: rows.map(({ revision }) => revision),
    versions: rows.map(({ version }) => version),
    types: rows.map(({ type }) => type),
    messages: rows.map(({ message }) => message),
    by: rows.map(({ createdBy }) => createdBy),
    createdAt: rows.map(({ createdAt }) => createdAt),
  }
}

function configColumns(agents: readonly CopiedAgent[]) {
  const rows = agents.flatMap(({ realTimeConfigs }) => realTimeConfigs)
  return {
    agentIds: rows.map(({ agentId }) => agentId),
    environments: rows.map(({ environment }) => environment),
    versions: rows.map(({ version }) => version),
    updatedAt: rows.map(({ updatedAt }) => updatedAt),
    variables: rows.map(({ variables }) => JSON.stringify(variables)),
    schemas: rows.map(({ schema }) => jsonOrNull(schema)),
  }
}

function testRunColumns(agents: readonly CopiedAgent[]) {
  const rows = agents.flatMap(({ testRuns }) => testRuns.map(({ run }) => run))
  return {
    agentIds: rows.map(({ agentId }) => agentId),
    ids: rows.map(({ id }) => id),
    deploymentIds: rows.map(({ deploymentId }) => deploymentId),
    versions: rows.map(({ version }) => version),
    statuses: rows.map(({ status }) => status),
    startedAt: rows.map(({ startedAt }) => startedAt),
    leaseUntil: rows.map(({ leaseUntil }) => leaseUntil),
    attempts: rows.map(({ attempts }) => attempts),
    writes: rows.map(({ writes }) => writes),
    runs: rows.map(run => JSON.stringify(run)),
  }
}

function testResultColumns(agents: readonly CopiedAgent[]) {
  const rows = agents.flatMap(({ testRuns }) =>
    testRuns.flatMap(({ run, results }) => results.map(result => ({ run, result }))),
  )
  return {
    agentIds: rows.map(({ run }) => run.agentId),
    runIds: rows.map(({ run }) => run.id),
    cases: rows.map(({ result }) => result.testCaseId),
    results: rows.map(({ result }) => JSON.stringify(result)),
  }
}

/** Agents as the parameters of {@link takeAgentStatements}. */
export const takenAgents = (agents: readonly CopiedAgent[]) => ({
  ids: agents.map(({ agent }) => agent.id),
  agent: {
    ids: agents.map(({ agent }) => agent.id),
    accountIds: agents.map(({ agent }) => agent.accountId),
    names: agents.map(({ agent }) => agent.name),
    createdAt: agents.map(({ agent }) => agent.createdAt),
    updatedAt: agents.map(({ agent }) => agent.updatedAt),
    deployed: agents.map(({ deployments }) => Math.max(0, ...deployments.map(({ number }) => number))),
  },
  branch: branchColumns(agents),
  change: changeColumns(agents),
  deployment: deploymentColumns(agents),
  config: configColumns(agents),
  testRun: testRunColumns(agents),
  testResult: testResultColumns(agents),
})
