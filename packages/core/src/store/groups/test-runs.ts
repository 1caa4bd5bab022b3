import { type Shares, shareOut, type WaitingLine, withPlace } from '../../domain/agent/share-out.ts'
import { type TestRun, takenTestRun } from '../../domain/agent/test-run.ts'
import { claimReach } from '../../domain/claim-reach.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { TestResultOfRun, TestRunFilter, TestRunStore } from '../../ports/store/test-runs.ts'
import type { Range } from '../documents.ts'
import { absent, type Guarded, unchanged } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { AGENT, BRANCH, DEPLOYMENT, REPLAY_SAMPLE, TEST_RESULT, TEST_RUN } from '../kinds.ts'

/** Nobody was given a place yet. */
const NOBODY: Shares = { held: [], served: [] }

/** The number of runs whose results are read at a time. */
const RUNS_AT_ONCE = 20

/** Returns the documents to write for a run that begins. */
export const newRun = (run: TestRun | null) => (run === null ? [] : [{ kind: TEST_RUN, value: run }])

/** Returns the documents to write for the conversations of a replay that begins. */
const newSample = ({ agentId, id: runId }: TestRun, conversations: readonly ConversationId[] | undefined) =>
  conversations === undefined ? [] : [{ kind: REPLAY_SAMPLE, value: { agentId, runId, conversations } }]

/** Returns the documents to remove with a run, beside its results. */
const ofRun = (run: TestRun) =>
  [TEST_RUN, ...(run.replay === undefined ? [] : [REPLAY_SAMPLE])].map(kind => ({
    kind,
    id: TEST_RUN.id(run),
  }))

/** Returns the values of columns for the conditions of a filter. */
const whereOf = ({ deploymentId, replays, status, version }: TestRunFilter): Range['where'] => ({
  ...(deploymentId === undefined ? {} : { deployment_id: [deploymentId] }),
  ...(version === undefined ? {} : { tested_version: [version] }),
  ...(status === undefined ? {} : { status: [status] }),
  ...(replays === undefined ? {} : { is_replay: [replays ? 1 : 0] }),
})

const resultsOf = (
  { scan }: Guarded,
  { agentId, id }: Pick<TestRun, 'agentId' | 'id'>,
  page: Pick<Range, 'from' | 'limit'> = {},
) => scan(TEST_RESULT, 'agent', { prefix: [agentId, id], ...page })

/** Returns the runs of each account whose leases end first. It goes from account to account, however many wait. */
async function waitingFirst({ scan }: Guarded, limit: number): Promise<readonly (readonly TestRun[])[]> {
  const found: TestRun[][] = []
  for (let after: readonly (string | number)[] | undefined; ; ) {
    const runs = await scan(TEST_RUN, 'waiting', { prefix: [], after, limit })
    const owner = runs[0]?.accountId
    if (owner === undefined) return found
    found.push(runs.filter(({ accountId }) => accountId === owner))
    after = [owner, Number.MAX_SAFE_INTEGER, '', '']
  }
}

/** Returns the runs of each account that may be claimed. */
async function waitingLines(
  over: Guarded,
  { limit, now, reach }: { readonly now: number; readonly reach: number; readonly limit: number },
): Promise<readonly WaitingLine<TestRun>[]> {
  const lines = (await waitingFirst(over, limit)).map(async runs => {
    const owner = runs[0]?.accountId ?? ''
    const due = runs.filter(({ leaseUntil }) => leaseUntil <= now)
    const tooFar = await over.scan(TEST_RUN, 'waiting', { prefix: [owner], limit, from: reach + 1 })
    return { owner, jobs: [...due, ...tooFar].slice(0, limit) }
  })
  const since = ({ jobs: [run] }: WaitingLine<TestRun>): number => run?.leaseUntil ?? 0
  return (await Promise.all(lines)).sort((one, other) => since(one) - since(other))
}

/** Newest first. */
function list({ scan }: Guarded, filter: TestRunFilter, limit: number) {
  const { after, agentId, skip } = filter
  const place = after && [after.startedAt, after.id, '']
  const range = { prefix: [agentId], after: place, where: whereOf(filter), descending: true, skip, limit }
  return scan(TEST_RUN, 'agent', range)
}

/** Returns the store of agents' test runs, with their results. */
export function testRunsOver(over: Guarded): TestRunStore {
  const { decided, get, one, save, write } = over
  return {
    list: (filter, limit) => list(over, filter, limit),
    create: (run, conversations, outbox) =>
      decided<'created' | 'missing' | 'taken'>(async () => {
        const of = idOf(run.agentId, run.deploymentId)
        const [agent, branch, deployment] = await Promise.all([
          one(AGENT, run.agentId),
          one(BRANCH, of),
          one(DEPLOYMENT, of),
        ])
        if (agent === null || (branch === null && deployment === null)) return { result: 'missing' }
        const isThere = deployment === null && branch !== null ? [unchanged(BRANCH, branch)] : []
        const put = [...newRun(run), ...newSample(run, conversations)]
        const isFree = absent(TEST_RUN, TEST_RUN.id(run))
        return {
          ...{ when: [isFree, unchanged(AGENT, agent), ...isThere], put, outbox, result: 'created' },
          refused: place => (place === 0 ? 'taken' : undefined),
        }
      }),
    async find(agentId, id) {
      // In this order: of a run that has ended no result is missing.
      const run = await one(TEST_RUN, idOf(agentId, id))
      return run && { run, results: (await resultsOf(over, run)).map(({ result }) => result) }
    },
    run: (agentId, id) => one(TEST_RUN, idOf(agentId, id)),
    conversationsOf: async (agentId, id) =>
      (await one(REPLAY_SAMPLE, idOf(agentId, id)))?.conversations ?? [],
    async resultsOf(run, from, limit) {
      return (await resultsOf(over, run, { from: from ?? undefined, limit })).map(({ result }) => result)
    },
    async results({ agentId, deploymentId, testCaseId }, offset, limit) {
      const found: TestResultOfRun[] = []
      const of = deploymentId === undefined ? {} : { deploymentId }
      for (let after: TestRun | undefined; found.length < offset + limit; ) {
        const from = after === undefined ? {} : { after }
        const runs = await list(over, { agentId, replays: false, ...of, ...from }, RUNS_AT_ONCE)
        const results = await Promise.all(runs.map(run => resultsOf(over, run)))
        for (const [at, run] of runs.entries())
          for (const { result } of results[at] ?? [])
            if ((testCaseId ?? result.testCaseId) === result.testCaseId) found.push({ run, result })
        after = runs.at(-1)
        if (runs.length < RUNS_AT_ONCE) break
      }
      return found.slice(offset, offset + limit)
    },
    async claim(now, limit, until, shares = NOBODY) {
      const reach = claimReach(now, until)
      const taken: TestRun[] = []
      for (;;) {
        const left = limit - taken.length
        const lines = await waitingLines(over, { now, reach, limit: left })
        const given = taken.reduce((all, { accountId }) => withPlace(all, accountId), shares)
        const chosen = shareOut(lines, given, left)
        const tries = chosen.map(async run => {
          const next = takenTestRun(run, until)
          return (await save(TEST_RUN, next, run.writes)) ? next : null
        })
        const own = (await Promise.all(tries)).filter(run => run !== null)
        taken.push(...own)
        // Others who came first have taken some: there may be more.
        if (own.length === tries.length) return taken
      }
    },
    async nextDue() {
      const moments = (await waitingFirst(over, 1)).flat().map(({ leaseUntil }) => leaseUntil)
      return moments.length === 0 ? null : Math.min(...moments)
    },
    async save(expectedWrites, next, results, outbox) {
      const { agentId, id: runId, writes: version } = next
      const refused = await write({
        when: [{ kind: TEST_RUN, id: TEST_RUN.id(next), version: expectedWrites }],
        put: [
          { kind: TEST_RUN, value: next },
          ...results.map(result => ({ kind: TEST_RESULT, value: { agentId, runId, result, version } })),
        ],
        outbox,
      })
      return refused === null ? 'written' : 'stale'
    },
    forget: (agentId, ids) =>
      decided(async () => {
        const keys = [...new Set(ids)].map(id => idOf(agentId, id))
        const runs = await get(TEST_RUN, keys)
        const gone = runs.filter(run => run !== null).filter(({ status }) => status !== 'running')
        if (gone.length === 0) return { result: 0 }
        return {
          when: gone.map(run => unchanged(TEST_RUN, run)),
          clear: gone.map(({ id }) => ({ kind: TEST_RESULT, index: 'agent', prefix: [agentId, id] })),
          remove: gone.flatMap(ofRun),
          result: gone.length,
        }
      }),
  }
}
