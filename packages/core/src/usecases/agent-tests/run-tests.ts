import type { Agent } from '../../domain/agent/agent.ts'
import { replayData } from '../../domain/agent/replay-data.ts'
import { erasedResult, replayCounts, replayOf } from '../../domain/agent/replay-report.ts'
import { activeTestCases } from '../../domain/agent/test-cases.ts'
import {
  finishedTestRun,
  givenUpTestRun,
  type TestCaseResult,
  type TestRun,
  withResult,
} from '../../domain/agent/test-run.ts'
import { isKind } from '../../domain/agent/tree.ts'
import type { TestRunId } from '../../domain/ids.ts'
import { webhookBody } from '../../domain/webhook/outgoing.ts'
import type { Outbox } from '../../ports/store/outbox.ts'
import type { Context } from '../context.ts'
import { renewLease } from '../shared/every.ts'
import { createSerial } from '../shared/serial.ts'
import { PATIENCE, whileBusyFor } from '../shared/while-busy.ts'
import { OTHER_TESTERS } from './ask-testers.ts'
import { resultPages } from './each-run.ts'
import { forgetRuns } from './forget-runs.ts'
import { isGone, replayConversation } from './replay-conversation.ts'
import { CHANGED, runBranchCase } from './run-branch-case.ts'
import { contentOfRun, discardEarlier, runTestCase, type TestDeps } from './run-test-case.ts'

/** Calls a run off because this process is stopping. */
export const CLOSING = new Error('This process goes away, and another one goes on with the test run.')

/** Calls a run off that another process has taken, or that was deleted with its agent. */
export const LOST = new Error('The test run is not this process’s any more.')

/** A run that this process has, as it was last written. */
interface Keeper {
  readonly run: TestRun
  /** Writes what `change` makes of the run, one write after the other; each renews the lease. */
  save(change: (run: TestRun) => TestRun): Promise<void>
  /** Writes a result. Those that come while another write goes on are one write: a replay is large. */
  add(result: TestCaseResult): Promise<void>
  /** Writes the end of the run, and tells webhooks of a replay's (TE66). */
  end(change: (run: TestRun) => TestRun, results?: readonly TestCaseResult[]): Promise<void>
  /** Stops renewing the lease. */
  stop(): void
}

/** Returns what is stored with the end of a run: of a replay the event for webhooks. */
function outboxOf({ clock, ids }: Context, run: TestRun): Outbox {
  const replay = replayOf(run)
  if (replay === null || run.replay === undefined) return {}
  const { accountId } = run
  const data = replayData({ ...replay, accountId }, replayCounts(run.replay))
  const at = clock.now()
  const body = webhookBody('replay.finished', at, data)
  const event = { type: 'replay.finished', conversationId: null, at, body } as const
  return { webhooks: [{ ...event, id: `EVENT-${ids.uuid()}`, accountId }] }
}

/**
 * Renews this process's lease of the run. When another process has it, or it is gone, it is called off as {@link LOST}.
 */
function keep(context: Context, taken: TestRun, controller: AbortController): Keeper {
  const { clock, settings, store } = context
  let run = taken
  const serial = createSerial<TestRunId>()
  const unwritten: TestCaseResult[] = []
  /** The write that will take them. Null if there is none of them. */
  let taking: Promise<void> | null = null
  async function write(
    change: (run: TestRun) => TestRun,
    results: readonly TestCaseResult[],
    told: (next: TestRun) => Outbox = () => ({}),
  ): Promise<void> {
    const next = {
      ...change({ ...run, leaseUntil: clock.now() + settings.turnLease }),
      writes: run.writes + 1,
    }
    const saving = () => store.agents.testRuns.save(run.writes, next, results, told(next))
    if ((await whileBusyFor(clock, PATIENCE, saving, () => controller.signal.aborted)) === 'stale') {
      controller.abort(LOST)
      throw LOST
    }
    run = next
  }
  const save = (change: (run: TestRun) => TestRun): Promise<void> => serial(taken.id, () => write(change, []))
  function renew(): void {
    save(same => same).catch(error => {
      if (error !== LOST) settings.onError(error, 'tests')
    })
  }
  return {
    get run() {
      return run
    },
    save,
    add(result) {
      unwritten.push(result)
      taking ??= serial(taken.id, async () => {
        // It may run at once: not before `taking` is this.
        await null
        taking = null
        const results = unwritten.splice(0)
        return write(same => results.reduce(withResult, same), results)
      })
      return taking
    },
    end: (change, results = []) =>
      serial(taken.id, () => write(change, results, next => outboxOf(context, next))),
    stop: renewLease({ clock, settings }, renew, { keepAlive: true }),
  }
}

/** Every so many conversations of a replay one is replayed with its own content too (TE70). */
const NOISE_EVERY = 10

/** One case of a run, or one conversation of a replay. */
interface Piece {
  readonly id: string
  /** @throws the signal's reason when the run is called off */
  run(agent: Agent, signal: AbortSignal): Promise<TestCaseResult>
}

async function piecesOf(deps: TestDeps, run: TestRun): Promise<readonly Piece[]> {
  if (run.replay !== undefined) {
    const conversations = await deps.context.store.agents.testRuns.conversationsOf(run.agentId, run.id)
    return conversations.map((key, at) => ({
      id: key,
      run: (agent, signal) =>
        replayConversation(deps, { run, agent, key, measuresNoise: at % NOISE_EVERY === 0 }, signal),
    }))
  }
  const { branch } = run
  if (branch !== undefined)
    return branch.testCaseIds.map(testCaseId => ({
      id: testCaseId,
      run: (agent, signal) => runBranchCase(deps, { run, agent, testCaseId }, signal),
    }))
  const resources = await deps.context.store.agents.revisions.resourcesAt(run.agentId, run.revision, {
    kinds: ['test_cases'],
  })
  return activeTestCases(resources.filter(isKind('test_cases'))).map(testCase => ({
    id: testCase.id,
    async run(agent, signal) {
      return runTestCase(deps, { run, agent, testCase }, await contentOfRun(deps, run), signal)
    },
  }))
}

/** Returns the pieces of the run that have no result yet. */
async function piecesLeft(deps: TestDeps, run: TestRun): Promise<readonly Piece[]> {
  const done = new Set<string>()
  for await (const page of resultPages(deps.context, run))
    for (const { testCaseId } of page) done.add(testCaseId)
  return (await piecesOf(deps, run)).filter(({ id }) => !done.has(id))
}

/**
 * Blanks the results of conversations that were erased while they were replayed: the store removes results with their
 * conversation, but these were added later (TE43).
 */
async function blanked(context: Context, run: TestRun): Promise<readonly TestCaseResult[]> {
  if (run.replay === undefined) return []
  const gone: TestCaseResult[] = []
  for await (const page of resultPages(context, run))
    for (const { testCaseId } of page) {
      await context.breather.rest()
      if (await isGone(context, testCaseId)) gone.push(erasedResult(testCaseId))
    }
  return gone
}

/** Runs the cases, some at a time; a case that throws stops the others. */
async function runCases(
  { context }: TestDeps,
  keeper: Keeper,
  cases: readonly Piece[],
  controller: AbortController,
): Promise<void> {
  const { clock } = context
  const { signal } = controller
  const agent = await context.store.agents.find(keeper.run.agentId)
  if (agent === null) throw LOST
  const left = cases.values()
  const work = async (): Promise<void> => {
    for (const one of left) {
      // Repeating it is harmless: no result is written before its end.
      const result = await whileBusyFor(
        clock,
        PATIENCE,
        () => one.run(agent, signal),
        () => signal.aborted,
      )
      await keeper.add(result)
    }
  }
  const workers = Array.from({ length: context.settings.testRuns.casesAtOnce }, () =>
    work().catch(error => {
      controller.abort(error)
      throw error
    }),
  )
  await Promise.allSettled(workers)
  signal.throwIfAborted()
}

/**
 * Finishes a run that this process has taken, and removes the agent's oldest ones. Called off as {@link CLOSING}, the
 * run is given back and begun again by the process that takes it next; the finished cases stand. Tried too often, it
 * has errored (TE21), and so has one whose branch has
 * changed (TE251), or that other testers have begun (TE84).
 *
 * @throws LOST; anything else that kept the run from its end: its lease then runs out, and it is tried again
 */
export async function runTests(deps: TestDeps, taken: TestRun, controller: AbortController): Promise<void> {
  const { clock, settings } = deps.context
  const keeper = keep(deps.context, taken, controller)
  const end = async (change: (run: TestRun) => TestRun): Promise<void> =>
    keeper.end(change, await blanked(deps.context, taken))
  try {
    const cases = await piecesLeft(deps, taken)
    // A replay leaves none: its conversations are in memory.
    if (taken.attempts > 1 && taken.replay === undefined)
      for (const { id } of cases) await discardEarlier(deps, { run: taken, caseId: id })
    if (taken.attempts > settings.turnAttempts) {
      const error = `The run did not come to its end in ${settings.turnAttempts} attempts; the server's log says why.`
      await end(run => givenUpTestRun(run, error, clock.now()))
      return
    }
    await runCases(deps, keeper, cases, controller)
    await end(run => finishedTestRun(run, clock.now()))
    await forgetRuns(deps.context, taken.agentId)
  } catch (error) {
    const reason = [CHANGED, OTHER_TESTERS].find(known => known === error)
    if (reason !== undefined) {
      await end(run => givenUpTestRun(run, reason.message, clock.now()))
      return
    }
    if (controller.signal.reason !== CLOSING) throw error
    await keeper.save(run => ({ ...run, leaseUntil: clock.now(), attempts: run.attempts - 1 }))
  } finally {
    keeper.stop()
  }
}
