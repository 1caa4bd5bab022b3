import type { AgentId, TestCaseResult } from '@colloquy/core'
import type { CopiedAgent } from '@colloquy/core/store'
import { sql } from 'kysely'
import type { AgentRow, BranchRow, DeploymentRow } from '../agents/agent-statements.ts'
import { toAgent } from '../agents/agents.ts'
import { toBranch } from '../agents/branches.ts'
import { toDeployment } from '../agents/deployments.ts'
import { type ConfigRow, toConfig } from '../agents/real-time-configs.ts'
import { toChange } from '../agents/resources.ts'
import type { ResourceRow } from '../agents/revision-statements.ts'
import { type RunRow, toRun } from '../agents/test-runs.ts'
import { fromJson, fromJsonOfRow } from '../database/json.ts'
import type { Define } from '../database/statements.ts'
import { takeAgentStatements, takenAgents } from './copied-agents-taken.ts'
import { type Copied, within } from './copied-table.ts'

/** More are never read at a time: what belongs to all of them is looked at for a page. */
const MOST = 20

type Numbered = { readonly row: number }

/** An agent's row, with JSON of what belongs to it. */
interface WholeRow extends AgentRow {
  readonly branches: string
  readonly changes: string
  readonly deployments: string
  readonly configs: string
  readonly runs: string
  readonly results: string
}

const statements = (define: Define) => ({
  after: define<{ id: string; count: number; bytes: number }>('read a page to copy')<WholeRow>((t, p) =>
    within(
      sql`select a.id, a.account_id, a.name, a.created_at, a.updated_at,
          (select coalesce(json_agg(b order by b.id), '[]')::text from ${t('branch')} as b where b.agent = a.row) as branches,
          (select coalesce(json_agg(c order by c.kind, c.id), '[]')::text
            from ${t('branch')} as b join ${t('branch_change')} as c on c.branch = b.row where b.agent = a.row) as changes,
          (select coalesce(json_agg(d order by d.number), '[]')::text from ${t('deployment')} as d
            where d.agent = a.row) as deployments,
          (select coalesce(json_agg(r order by r.environment), '[]')::text from ${t('real_time_config')} as r
            where r.agent = a.row) as configs,
          (select coalesce(json_agg(r order by r.id), '[]')::text from ${t('test_run')} as r where r.agent = a.row) as runs,
          (select coalesce(json_agg(c order by c.test_case_id), '[]')::text
            from ${t('test_run')} as r join ${t('test_result')} as c on c.run = r.row where r.agent = a.row) as results
        from ${t('agent')} as a where a.id > ${p('id')}::text order by a.id limit ${p('count')}::bigint`,
      sql`id`,
      p('bytes'),
    ),
  ),
  drop: define<{ ids: readonly AgentId[] }>('drop copied parts')(
    (t, p) => sql`
    with dropped as (delete from ${t('agent')} where id = any (${p('ids')}::text[]))
    delete from ${t('agent_id')} where id = any (${p('ids')}::text[]) and deleted_at is null`,
  ),
})

/** Rows by what they belong to, each list in their order. */
function grouped<Row>(
  rows: readonly Row[],
  ownerOf: (row: Row) => number,
): ReadonlyMap<number, readonly Row[]> {
  const lists = new Map<number, Row[]>()
  for (const row of rows) {
    const list = lists.get(ownerOf(row))
    if (list === undefined) lists.set(ownerOf(row), [row])
    else list.push(row)
  }
  return lists
}

function toCopied(row: WholeRow): CopiedAgent {
  const branches = fromJsonOfRow<readonly (BranchRow & Numbered)[]>(row.branches)
  const changes = grouped(
    fromJsonOfRow<readonly (ResourceRow & { readonly branch: number })[]>(row.changes),
    ({ branch }) => branch,
  )
  const runs = fromJsonOfRow<readonly (RunRow & Numbered)[]>(row.runs)
  const results = grouped(
    fromJsonOfRow<readonly { readonly run: number; readonly result: string }[]>(row.results),
    ({ run }) => run,
  )
  return {
    agent: toAgent(row),
    branches: branches.map(branch => ({
      branch: toBranch(branch, row.id),
      changes: (changes.get(branch.row) ?? []).map(toChange),
    })),
    deployments: fromJsonOfRow<readonly DeploymentRow[]>(row.deployments).map(one =>
      toDeployment(one, row.id),
    ),
    realTimeConfigs: fromJsonOfRow<readonly ConfigRow[]>(row.configs).map(one => toConfig(one, row.id)),
    testRuns: runs.map(run => ({
      run: toRun(run),
      results: (results.get(run.row) ?? []).map(({ result }) => fromJson<TestCaseResult>(result)),
    })),
  }
}

/** Agents with all that belongs to them but their revisions, as they are copied. */
export function copiedAgents(define: Define): Copied<CopiedAgent> {
  const run = statements(define)
  const taking = takeAgentStatements(define)
  return {
    async after(key, { count, bytes }) {
      const rows = await run.after.all({ id: String(key?.[0] ?? ''), count: Math.min(count, MOST), bytes })
      return rows.map(toCopied)
    },
    async take(agents, on) {
      const { ids, agent, branch, change, deployment, config, testRun, testResult } = takenAgents(agents)
      await taking.agents.all(agent, on)
      for (const statement of taking.empty) await statement.all({ ids }, on)
      await taking.branches.all(branch, on)
      await taking.changes.all(change, on)
      await taking.deployments.all(deployment, on)
      await taking.configs.all(config, on)
      await taking.testRuns.all(testRun, on)
      await taking.testResults.all(testResult, on)
    },
    async drop(keys, on) {
      await run.drop.all({ ids: keys.map(([id]) => String(id)) }, on)
    },
  }
}
