import type { AgentId, TestCaseResult, TestRun } from '@colloquy/core'
import type { CopiedAgent, CopiedRevision, CopyKey } from '@colloquy/core/store'
import { type Selectable, sql } from 'kysely'
import { allAgentStatements } from '../agents/agent-statements.ts'
import { toAgent } from '../agents/agents.ts'
import { toBranch } from '../agents/branches.ts'
import { toDeployment } from '../agents/deployments.ts'
import { toConfig } from '../agents/real-time-configs.ts'
import { encodeChange, toChange } from '../agents/resources.ts'
import type { ResourceRow } from '../agents/revision-statements.ts'
import { toRevision, writeRevision } from '../agents/revisions.ts'
import { encodeTestRun, insertTestRun } from '../agents/test-runs.ts'
import { fromJson } from '../database/json.ts'
import type { Define } from '../database/statements.ts'
import type { Schema } from '../database/tables.ts'

type Row<Name extends keyof Schema> = Selectable<Schema[Name]>

const statements = (define: Define) => ({
  agentsAfter: define<{ id: string; count: number }>()((db, p) =>
    db
      .selectFrom('agent')
      .selectAll()
      .where('id', '>', sql<AgentId>`${p('id')}`)
      .orderBy('id')
      .limit(p('count'))
      .compile(),
  ),
  updateAgent: define<{
    id: AgentId
    accountId: string
    name: string
    createdAt: number
    updatedAt: number
  }>()((db, p) =>
    sql<never>`update agent set account_id = ${p('accountId')}, name = ${p('name')},
        created_at = ${p('createdAt')}, updated_at = ${p('updatedAt')} where id = ${p('id')}`.compile(db),
  ),
  dropAgent: define<{ id: string }>()((db, p) =>
    sql<never>`delete from agent where id = ${p('id')}`.compile(db),
  ),
  branches: define<{ agent: number }>()((db, p) =>
    db.selectFrom('branch').selectAll().where('agent', '=', p('agent')).orderBy('id').compile(),
  ),
  branchChanges: define<{ branch: number }>()((db, p) =>
    db
      .selectFrom('branch_change')
      .select(['kind', 'id', 'value'])
      .where('branch', '=', p('branch'))
      .orderBy('kind')
      .orderBy('id')
      .compile(),
  ),
  deployments: define<{ agent: number }>()((db, p) =>
    db.selectFrom('deployment').selectAll().where('agent', '=', p('agent')).orderBy('number').compile(),
  ),
  configs: define<{ agent: number }>()((db, p) =>
    db
      .selectFrom('real_time_config')
      .selectAll()
      .where('agent', '=', p('agent'))
      .orderBy('environment')
      .compile(),
  ),
  testRuns: define<{ agent: number }>()((db, p) =>
    db
      .selectFrom('test_run')
      .select(['row', 'id', 'run'])
      .where('agent', '=', p('agent'))
      .orderBy('id')
      .compile(),
  ),
  testResults: define<{ run: number }>()((db, p) =>
    db
      .selectFrom('test_result')
      .select('result')
      .where('run', '=', p('run'))
      .orderBy('test_case_id')
      .compile(),
  ),
  dropBranches: define<{ agent: number }>()((db, p) =>
    db.deleteFrom('branch').where('agent', '=', p('agent')).compile(),
  ),
  dropDeployments: define<{ agent: number }>()((db, p) =>
    db.deleteFrom('deployment').where('agent', '=', p('agent')).compile(),
  ),
  dropConfigs: define<{ agent: number }>()((db, p) =>
    db.deleteFrom('real_time_config').where('agent', '=', p('agent')).compile(),
  ),
  dropTestRuns: define<{ agent: number }>()((db, p) =>
    db.deleteFrom('test_run').where('agent', '=', p('agent')).compile(),
  ),
  revisionsAfter: define<{ id: string; number: number; count: number }>()((db, p) =>
    sql<Row<'revision'> & { readonly agent_id: AgentId }>`
      select revision.*, agent.id as agent_id from agent cross join revision on revision.agent = agent.row
      where agent.id >= ${p('id')} and (agent.id, number) > (${p('id')}, ${p('number')})
      order by agent.id, number limit ${p('count')}`.compile(db),
  ),
  resourcesOf: define<{ agent: number; revision: number }>()((db, p) =>
    sql<ResourceRow>`select kind, id, value from resource where agent = ${p('agent')} and revision = ${p('revision')}
      order by kind, id`.compile(db),
  ),
  dropRevision: define<{ id: string; number: number }>()((db, p) =>
    sql<never>`delete from revision where agent = (select row from agent where id = ${p('id')})
      and number = ${p('number')}`.compile(db),
  ),
  dropResources: define<{ id: string; number: number }>()((db, p) =>
    sql<never>`delete from resource where agent = (select row from agent where id = ${p('id')})
      and revision = ${p('number')}`.compile(db),
  ),
})

/** Agents and their revisions, as they are copied. */
export function copiedAgents(define: Define) {
  const own = statements(define)
  const run = allAgentStatements(define)

  const agentOf = (row: Row<'agent'>): CopiedAgent => {
    const agent = { agent: row.row }
    return {
      agent: toAgent(row),
      branches: own.branches.all(agent).map(branch => ({
        branch: toBranch(branch, row.id),
        changes: own.branchChanges.all({ branch: branch.row }).map(toChange),
      })),
      deployments: own.deployments.all(agent).map(one => toDeployment(one, row.id)),
      realTimeConfigs: own.configs.all(agent).map(one => toConfig(one, row.id)),
      testRuns: own.testRuns.all(agent).map(one => ({
        run: fromJson<TestRun>(one.run),
        results: own.testResults.all({ run: one.row }).map(({ result }) => fromJson<TestCaseResult>(result)),
      })),
    }
  }

  return {
    *agentsAfter(after: CopyKey | null, count: number): Generator<CopiedAgent> {
      for (const row of own.agentsAfter.all({ id: String(after?.[0] ?? ''), count })) yield agentOf(row)
    },
    takeAgent({ agent, branches, deployments, realTimeConfigs, testRuns }: CopiedAgent): void {
      if (run.insertAgent.run({ ...agent }).changes === 0) own.updateAgent.run({ ...agent })
      const row = run.agentRow.get({ id: agent.id })?.row ?? 0
      own.dropTestRuns.run({ agent: row })
      own.dropDeployments.run({ agent: row })
      own.dropConfigs.run({ agent: row })
      own.dropBranches.run({ agent: row })
      for (const { branch, changes } of branches) {
        const { row: at } = run.insertBranch.run({ ...branch, agent: row })
        for (const change of changes) run.writeChange.run({ ...encodeChange(change), branch: at })
      }
      for (const deployment of deployments) run.insertDeployment.run({ ...deployment, agent: row })
      for (const config of realTimeConfigs) {
        const schema = config.schema === null ? null : JSON.stringify(config.schema)
        run.insertConfig.run({ ...config, variables: JSON.stringify(config.variables), schema })
      }
      for (const { run: testRun, results } of testRuns) {
        insertTestRun(run, encodeTestRun(testRun))
        const at = run.testRun.get({ agentId: agent.id, id: testRun.id })?.row ?? 0
        for (const result of results)
          run.writeTestResult.run({ run: at, testCaseId: result.testCaseId, result: JSON.stringify(result) })
      }
    },
    dropAgent([id]: CopyKey): void {
      own.dropAgent.run({ id: String(id) })
    },
    *revisionsAfter(after: CopyKey | null, count: number): Generator<CopiedRevision> {
      const [id = '', number = 0] = after ?? []
      for (const row of own.revisionsAfter.all({ id: String(id), number: Number(number), count })) {
        const revision = toRevision(row)
        const changes = own.resourcesOf.all({ agent: row.agent, revision: row.number }).map(toChange)
        if (revision !== null) yield { agentId: row.agent_id, revision, changes }
      }
    },
    takeRevision({ agentId, revision, changes }: CopiedRevision): void {
      const agent = run.agentRow.get({ id: agentId })?.row
      if (agent === undefined || run.revision.get({ agentId, number: revision.number }) !== undefined) return
      writeRevision(run, agent, revision, changes.map(encodeChange))
    },
    dropRevision([id, number]: CopyKey): void {
      own.dropResources.run({ id: String(id), number: Number(number) })
      own.dropRevision.run({ id: String(id), number: Number(number) })
    },
  }
}
