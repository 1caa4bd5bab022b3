import type { AgentId, Deployment, TestCaseResult, TestRun, TestRunId } from '@colloquy/core'
import { claimReach, type TestRunStore, takenTestRun } from '@colloquy/core/store'
import { comparePlaces, inOrder, type Place } from '../order.ts'
import type { HeldBranch } from './held-agent.ts'

/** A run with the results of its cases, by test case. */
interface HeldRun {
  run: TestRun
  readonly results: Map<string, TestCaseResult>
}

/** An agent's runs. */
export type HeldTestRuns = Map<TestRunId, HeldRun>

/** What test runs need to know of agents. */
interface HeldAgent {
  readonly deployments: readonly Deployment[]
  readonly branches: ReadonlyMap<string, HeldBranch>
  readonly testRuns: HeldTestRuns
}

const place = ({ startedAt, id }: Pick<TestRun, 'startedAt' | 'id'>): Place => [startedAt, id]
const newestFirst = (runs: Iterable<TestRun>): TestRun[] => inOrder(runs, place).reverse()
const runsOf = (held: HeldAgent | undefined): TestRun[] =>
  [...(held?.testRuns.values() ?? [])].map(({ run }) => run)

/** Adds a run, without results. */
export const holdTestRun = (runs: HeldTestRuns, run: TestRun): void => {
  runs.set(run.id, { run, results: new Map() })
}

/** Test runs of the agents that are held. Every method runs to its end without a pause. */
export function testRunMethods(agents: ReadonlyMap<AgentId, HeldAgent>): TestRunStore {
  return {
    async create(run) {
      const held = agents.get(run.agentId)
      const isThere =
        held?.branches.has(run.deploymentId) || held?.deployments.some(({ id }) => id === run.deploymentId)
      if (held === undefined || !isThere) return 'missing'
      holdTestRun(held.testRuns, run)
      return 'created'
    },
    async find(agentId, id) {
      const found = agents.get(agentId)?.testRuns.get(id)
      return found === undefined ? null : { run: found.run, results: [...found.results.values()] }
    },
    async list({ agentId, deploymentId, version, status, replays, after }, limit) {
      const wanted = runsOf(agents.get(agentId)).filter(
        run =>
          (deploymentId ?? run.deploymentId) === run.deploymentId &&
          (version ?? run.version) === run.version &&
          (status ?? run.status) === run.status &&
          (replays === undefined || replays === (run.replay !== undefined)) &&
          (after === undefined || comparePlaces(place(run), place(after)) < 0),
      )
      return newestFirst(wanted).slice(0, limit)
    },
    async results({ agentId, deploymentId, testCaseId }, offset, limit) {
      const held = [...(agents.get(agentId)?.testRuns.values() ?? [])].filter(
        ({ run }) => run.replay === undefined && (deploymentId ?? run.deploymentId) === run.deploymentId,
      )
      const newest = inOrder(held, ({ run }) => place(run)).reverse()
      const all = newest.flatMap(({ run, results }) =>
        inOrder([...results.values()], one => [0, one.testCaseId]).map(result => ({ run, result })),
      )
      return all
        .filter(({ result }) => (testCaseId ?? result.testCaseId) === result.testCaseId)
        .slice(offset, offset + limit)
    },
    async claim(now, limit, until) {
      const held = [...agents.values()].flatMap(({ testRuns }) => [...testRuns.values()])
      const reach = claimReach(now, until)
      const due = held.filter(
        ({ run }) => run.status === 'running' && (run.leaseUntil <= now || run.leaseUntil > reach),
      )
      const first = inOrder(due, ({ run }) => [run.leaseUntil, run.id]).slice(0, limit)
      return first.map(one => {
        one.run = takenTestRun(one.run, until)
        return one.run
      })
    },
    async save(expectedWrites, next, results) {
      const found = agents.get(next.agentId)?.testRuns.get(next.id)
      if (found?.run.writes !== expectedWrites) return 'stale'
      found.run = next
      for (const result of results) found.results.set(result.testCaseId, result)
      return 'written'
    },
    async forget(agentId, keep) {
      const runs = agents.get(agentId)?.testRuns
      const old = newestFirst(runsOf(agents.get(agentId))).slice(keep)
      const gone = old.filter(({ status }) => status !== 'running')
      for (const { id } of gone) runs?.delete(id)
      return gone.length
    },
  }
}
