import type { AgentId, TestCaseResult, TestRun, TestRunId } from '@colloquy/core'
import { claimReach, type TestRunStore, takenTestRun } from '@colloquy/core/store'
import { sql } from 'kysely'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'

/** A run in the form of its row; to be made while the caller's argument is still what it was. */
export const encodeTestRun = (run: TestRun) => ({
  agentId: run.agentId,
  id: run.id,
  deploymentId: run.deploymentId,
  version: run.version,
  status: run.status,
  startedAt: run.startedAt,
  leaseUntil: run.status === 'running' ? run.leaseUntil : null,
  writes: run.writes,
  run: JSON.stringify(run),
})

/** A run in the form of its row. */
export type EncodedTestRun = ReturnType<typeof encodeTestRun>

/** The place behind which the first page begins: no run is newer. */
const FIRST = { startedAt: Number.MAX_SAFE_INTEGER, id: '' }

/**
 * 1 for a replay. Quotes within a text of JSON are escaped, so that this is the text of nothing but that field.
 */
const isReplay = sql`(instr(test_run.run, '"replay":{') > 0)`

/** The statements about test runs, prepared. */
export const testRunStatements = (define: Define) => ({
  insertTestRun: define<EncodedTestRun>()((db, p) =>
    sql`
      insert into test_run (agent, id, deployment_id, version, status, started_at, lease_until, writes, run)
      select agent.row, ${p('id')}, ${p('deploymentId')}, ${p('version')}, ${p('status')},
        ${p('startedAt')}, ${p('leaseUntil')}, ${p('writes')}, ${p('run')}
      from agent where agent.id = ${p('agentId')}
    `.compile(db),
  ),
  testable: define<{ agentId: AgentId; id: TestRun['deploymentId'] }>()((db, p) =>
    sql<{ readonly row: number }>`
      select row from agent where id = ${p('agentId')} and (
        exists (select 1 from deployment where deployment.agent = agent.row and deployment.id = ${p('id')})
        or exists (select 1 from branch where branch.agent = agent.row and branch.id = ${p('id')}))`.compile(
      db,
    ),
  ),
  testRun: define<{ agentId: AgentId; id: TestRunId }>()((db, p) =>
    db
      .selectFrom('test_run')
      .innerJoin('agent', 'agent.row', 'test_run.agent')
      .select(['test_run.row', 'test_run.writes', 'test_run.run'])
      .where('agent.id', '=', p('agentId'))
      .where('test_run.id', '=', p('id'))
      .compile(),
  ),
  testRuns: define<{
    agentId: AgentId
    deploymentId: TestRun['deploymentId'] | null
    version: string | null
    status: TestRun['status'] | null
    /** 1 for replays alone, 0 for runs of test cases. */
    replays: 0 | 1 | null
    startedAt: number
    id: string
    limit: number
  }>()((db, p) =>
    sql<{ readonly run: string }>`
      select run from test_run indexed by test_run_list
      where agent = (select row from agent where id = ${p('agentId')})
        and (started_at, id) < (${p('startedAt')}, ${p('id')})
        and coalesce(${p('deploymentId')}, deployment_id) = deployment_id
        and coalesce(${p('version')}, version) = version
        and coalesce(${p('status')}, status) = status
        and coalesce(${p('replays')}, ${isReplay}) = ${isReplay}
      order by started_at desc, id desc limit ${p('limit')}`.compile(db),
  ),
  dueTestRuns: define<{ now: number; reach: number; limit: number }>()((db, p) =>
    sql<{ readonly row: number; readonly run: string }>`
      select row, run from test_run indexed by test_run_due
      where lease_until is not null and (lease_until <= ${p('now')} or lease_until > ${p('reach')})
      order by lease_until, id limit ${p('limit')}`.compile(db),
  ),
  updateTestRun: define<Omit<EncodedTestRun, 'agentId'> & { row: number }>()((db, p) =>
    db
      .updateTable('test_run')
      .set({ status: p('status'), lease_until: p('leaseUntil'), writes: p('writes'), run: p('run') })
      .where('row', '=', p('row'))
      .compile(),
  ),
  testResults: define<{ run: number }>()((db, p) =>
    db.selectFrom('test_result').select('result').where('run', '=', p('run')).compile(),
  ),
  testResultsOfRuns: define<{
    agentId: AgentId
    deploymentId: TestRun['deploymentId'] | null
    testCaseId: string | null
    offset: number
    limit: number
  }>()((db, p) =>
    sql<{ readonly run: string; readonly result: string }>`
      select test_run.run, test_result.result
      from test_run indexed by test_run_list join test_result on test_result.run = test_run.row
      where agent = (select row from agent where id = ${p('agentId')}) and not ${isReplay}
        and coalesce(${p('deploymentId')}, deployment_id) = deployment_id
        and coalesce(${p('testCaseId')}, test_case_id) = test_case_id
      order by started_at desc, id desc, test_case_id limit ${p('limit')} offset ${p('offset')}`.compile(db),
  ),
  writeTestResult: define<{ run: number; testCaseId: string; result: string }>()((db, p) =>
    db
      .insertInto('test_result')
      .values({ run: p('run'), test_case_id: p('testCaseId'), result: p('result') })
      .onConflict(conflict =>
        conflict
          .columns(['run', 'test_case_id'])
          .doUpdateSet(row => ({ result: row.ref('excluded.result') })),
      )
      .compile(),
  ),
  forgetTestRuns: define<{ agentId: AgentId; keep: number }>()((db, p) =>
    sql`
      delete from test_run where lease_until is null and row in
        (select row from test_run indexed by test_run_list
        where agent = (select row from agent where id = ${p('agentId')})
        order by started_at desc, id desc limit -1 offset ${p('keep')})`.compile(db),
  ),
})

type Run = ReturnType<typeof testRunStatements>

/** Adds a run of an agent that is there, whatever it tests. To be called inside a write. */
export const insertTestRun = (run: Run, encoded: EncodedTestRun): void => {
  run.insertTestRun.run(encoded)
}

/** Test runs of agents. */
export function testRunMethods({ read, snapshot, write }: Session, run: Run): TestRunStore {
  return {
    async create(testRun) {
      const encoded = encodeTestRun(testRun)
      return write('create a test run', () => {
        const { agentId, deploymentId: id } = encoded
        if (run.testable.get({ agentId, id }) === undefined) return 'missing'
        insertTestRun(run, encoded)
        return 'created'
      })
    },
    find: (agentId, id) =>
      snapshot('read a test run', () => {
        const row = run.testRun.get({ agentId, id })
        if (row === undefined) return null
        const results = run.testResults.all({ run: row.row })
        return {
          run: fromJson<TestRun>(row.run),
          results: results.map(({ result }) => fromJson<TestCaseResult>(result)),
        }
      }),
    list: ({ agentId, deploymentId = null, version = null, status = null, ...others }, limit) =>
      read('list test runs', () => {
        const { startedAt, id } = others.after ?? FIRST
        const replays = others.replays === undefined ? null : others.replays ? 1 : 0
        const rows = run.testRuns.all({
          agentId,
          deploymentId,
          version,
          status,
          replays,
          startedAt,
          id,
          limit,
        })
        return rows.map(row => fromJson<TestRun>(row.run))
      }),
    results: ({ agentId, deploymentId = null, testCaseId = null }, offset, limit) =>
      read('list results of test cases', () =>
        run.testResultsOfRuns
          .all({ agentId, deploymentId, testCaseId, offset, limit })
          .map(row => ({ run: fromJson<TestRun>(row.run), result: fromJson<TestCaseResult>(row.result) })),
      ),
    async claim(now, limit, until) {
      const operation = 'claim test runs'
      const reach = claimReach(now, until)
      // Most looks find nothing, and need not wait for the lock that writes need.
      const some = await read(operation, () => run.dueTestRuns.get({ now, reach, limit: 1 }) !== undefined)
      if (!some) return []
      return write(operation, () =>
        run.dueTestRuns.all({ now, reach, limit }).map(({ row, run: stored }) => {
          const taken = takenTestRun(fromJson<TestRun>(stored), until)
          run.updateTestRun.run({ ...encodeTestRun(taken), row })
          return taken
        }),
      )
    },
    async save(expectedWrites, next, results) {
      const encoded = encodeTestRun(next)
      const rows = results.map(result => ({
        testCaseId: result.testCaseId,
        result: JSON.stringify(result),
      }))
      return write('save a test run', () => {
        const stored = run.testRun.get(encoded)
        if (stored?.writes !== expectedWrites) return 'stale'
        run.updateTestRun.run({ ...encoded, row: stored.row })
        for (const result of rows) run.writeTestResult.run({ ...result, run: stored.row })
        return 'written'
      })
    },
    forget: (agentId, keep) =>
      write('forget test runs', () => run.forgetTestRuns.run({ agentId, keep }).changes),
  }
}
