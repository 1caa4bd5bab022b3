import type { AgentId, TestCaseResult, TestRun, TestRunId } from '@colloquy/core'
import { claimReach, type TestRunStore } from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import { fromJson } from '../database/json.ts'
import type { Define, Placeholder, Tables } from '../database/statements.ts'
import { agentRow } from './revision-statements.ts'

/** A run as parameters of a statement; all null for no run. */
export type RunParameters = {
  runId: TestRunId | null
  runDeployment: TestRun['deploymentId'] | null
  runVersion: string | null
  runStatus: TestRun['status'] | null
  runStartedAt: number | null
  runLeaseUntil: number | null
  runAttempts: number | null
  runWrites: number | null
  run: string | null
}

const NO_RUN: RunParameters = {
  ...{ runId: null, runDeployment: null, runVersion: null, runStatus: null, runStartedAt: null },
  ...{ runLeaseUntil: null, runAttempts: null, runWrites: null, run: null },
}

/** To be made while the caller's argument is still what it was. */
export const encodeTestRun = (run: TestRun | null): RunParameters =>
  run === null
    ? NO_RUN
    : {
        runId: run.id,
        runDeployment: run.deploymentId,
        runVersion: run.version,
        runStatus: run.status,
        runStartedAt: run.startedAt,
        runLeaseUntil: run.leaseUntil,
        runAttempts: run.attempts,
        runWrites: run.writes,
        run: JSON.stringify(run),
      }

/** A run's row: what a claim changes is in columns of its own. */
export interface RunRow {
  readonly run: string
  readonly lease_until: number
  readonly attempts: number
  readonly writes: number
}

export const toRun = ({ run, lease_until: leaseUntil, attempts, writes }: RunRow): TestRun => ({
  ...fromJson<TestRun>(run),
  leaseUntil,
  attempts,
  writes,
})

/** Adds the run, if there is one, of the agent whose row that query holds. */
export const testRunInsert = (t: Tables, p: Placeholder<RunParameters>, agent: RawBuilder<unknown>) => sql`
  insert into ${t('test_run')} (agent, id, deployment_id, version, status, started_at, lease_until, attempts, writes, run)
  select a.row, ${p('runId')}::text, ${p('runDeployment')}::text, ${p('runVersion')}::text, ${p('runStatus')}::text,
    ${p('runStartedAt')}::bigint, ${p('runLeaseUntil')}::bigint, ${p('runAttempts')}::int, ${p('runWrites')}::int, ${p('run')}::text
  from ${agent} as a where ${p('runId')}::text is not null`

/** The place behind which the first page begins: no run is newer. */
const FIRST = { startedAt: Number.MAX_SAFE_INTEGER, id: '' }

const columns = sql`run, lease_until, attempts, writes`

/**
 * The statements about test runs. A replay is known by its text: quotes within a text of JSON are escaped, so that
 * `"replay":{` is the text of nothing but that field.
 */
export const testRunStatements = (define: Define) => ({
  insertTestRun: define<{ agentId: AgentId } & RunParameters>('create a test run')(
    (t, p) => sql`
    with deployed as (
      select agent as row from ${t('deployment')} where agent = ${agentRow(t, p)} and id = ${p('runDeployment')} for key share
    ), branched as (
      select agent as row from ${t('branch')} where agent = ${agentRow(t, p)} and id = ${p('runDeployment')} for key share
    ), testable as (select row from deployed union all select row from branched),
    added as (${testRunInsert(t, p, sql`testable`)} returning 1)
    select 1 from added`,
  ),
  testRun: define<{ agentId: AgentId; id: TestRunId }>('read a test run')<
    RunRow & { readonly results: readonly string[] }
  >(
    (t, p) => sql`
      select ${columns}, array(select result from ${t('test_result')} as r where r.run = test_run.row) as results
      from ${t('test_run')} as test_run where agent = ${agentRow(t, p)} and id = ${p('id')}`,
  ),
  testRuns: define<{
    agentId: AgentId
    deploymentId: string | null
    version: string | null
    status: string | null
    replays: boolean | null
    startedAt: number
    id: string
    limit: number
  }>('list test runs')<RunRow>(
    (t, p) => sql`
    select ${columns} from ${t('test_run')}
    where agent = ${agentRow(t, p)} and (started_at, id) < (${p('startedAt')}::bigint, ${p('id')}::text)
      and (${p('deploymentId')}::text is null or deployment_id = ${p('deploymentId')})
      and (${p('version')}::text is null or version = ${p('version')})
      and (${p('status')}::text is null or status = ${p('status')})
      and (${p('replays')}::boolean is null or (position('"replay":{' in run) > 0) = ${p('replays')}::boolean)
    order by started_at desc, id desc limit ${p('limit')}::bigint`,
  ),
  testResultsOfRuns: define<{
    agentId: AgentId
    deploymentId: string | null
    testCaseId: string | null
    offset: number
    limit: number
  }>('list results of test cases')<RunRow & { readonly result: string }>(
    (t, p) => sql`
    select r.run, r.lease_until, r.attempts, r.writes, one.result
    from ${t('test_run')} as r join ${t('test_result')} as one on one.run = r.row
    where r.agent = ${agentRow(t, p)} and position('"replay":{' in r.run) = 0
      and (${p('deploymentId')}::text is null or r.deployment_id = ${p('deploymentId')})
      and (${p('testCaseId')}::text is null or one.test_case_id = ${p('testCaseId')})
    order by r.started_at desc, r.id desc, one.test_case_id limit ${p('limit')}::bigint offset ${p('offset')}::bigint`,
  ),
  claimTestRuns: define<{ now: number; reach: number; limit: number; until: number }>(
    'claim test runs',
  )<RunRow>(
    (t, p) => sql`
      with due as (
        select row, lease_until as was, id from ${t('test_run')}
        where status = 'running' and (lease_until <= ${p('now')}::bigint or lease_until > ${p('reach')}::bigint)
        order by lease_until, id limit ${p('limit')}::bigint for update skip locked
      ), claimed as (
        update ${t('test_run')} as r set lease_until = ${p('until')}::bigint, attempts = r.attempts + 1, writes = r.writes + 1
        from due where r.row = due.row returning r.run, r.lease_until, r.attempts, r.writes, due.was, due.id
      )
      select ${columns} from claimed order by was, id`,
  ),
  saveTestRun: define<
    {
      agentId: AgentId
      expectedWrites: number
      cases: readonly string[]
      results: readonly string[]
    } & RunParameters
  >('save a test run')(
    (t, p) => sql`
    with saved as (
      update ${t('test_run')} set status = ${p('runStatus')}, lease_until = ${p('runLeaseUntil')}, attempts = ${p('runAttempts')},
        writes = ${p('runWrites')}, run = ${p('run')}
      where agent = ${agentRow(t, p)} and id = ${p('runId')} and writes = ${p('expectedWrites')}::bigint returning row
    ), written as (
      insert into ${t('test_result')} (run, test_case_id, result)
      select saved.row, r.test_case_id, r.result
      from saved, unnest(${p('cases')}::text[], ${p('results')}::text[]) as r (test_case_id, result)
      on conflict (run, test_case_id) do update set result = excluded.result
    )
    select 1 from saved`,
  ),
  forgetTestRuns: define<{ agentId: AgentId; keep: number }>('forget test runs')(
    (t, p) => sql`
    delete from ${t('test_run')} where status <> 'running' and row in (
      select row from ${t('test_run')} where agent = ${agentRow(t, p)}
      order by started_at desc, id desc offset ${p('keep')}::bigint
    ) returning 1`,
  ),
})

type Run = ReturnType<typeof testRunStatements>

/** Test runs of agents. */
export function testRunMethods(run: Run): TestRunStore {
  return {
    async create(testRun) {
      const added = await run.insertTestRun.get({ agentId: testRun.agentId, ...encodeTestRun(testRun) })
      return added === undefined ? 'missing' : 'created'
    },
    async find(agentId, id) {
      const row = await run.testRun.get({ agentId, id })
      if (row === undefined) return null
      return { run: toRun(row), results: row.results.map(result => fromJson<TestCaseResult>(result)) }
    },
    async list({ agentId, deploymentId = null, version = null, status = null, ...others }, limit) {
      const { startedAt, id } = others.after ?? FIRST
      const { replays = null } = others
      const rows = await run.testRuns.all({
        agentId,
        deploymentId,
        version,
        status,
        replays,
        startedAt,
        id,
        limit,
      })
      return rows.map(toRun)
    },
    results: async ({ agentId, deploymentId = null, testCaseId = null }, offset, limit) =>
      (await run.testResultsOfRuns.all({ agentId, deploymentId, testCaseId, offset, limit })).map(row => ({
        run: toRun(row),
        result: fromJson<TestCaseResult>(row.result),
      })),
    claim: async (now, limit, until) =>
      (await run.claimTestRuns.all({ now, reach: claimReach(now, until), limit, until })).map(toRun),
    async save(expectedWrites, next, results) {
      // The last result of a case counts: a statement writes no row twice.
      const last = [...new Map(results.map(result => [result.testCaseId, result])).values()]
      const saved = await run.saveTestRun.get({
        agentId: next.agentId,
        expectedWrites,
        cases: last.map(({ testCaseId }) => testCaseId),
        results: last.map(result => JSON.stringify(result)),
        ...encodeTestRun(next),
      })
      return saved === undefined ? 'stale' : 'written'
    },
    forget: async (agentId, keep) => (await run.forgetTestRuns.all({ agentId, keep })).length,
  }
}
