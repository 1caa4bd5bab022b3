import { eachMethod } from '@colloquy/test-support/each-method'
import { onTestFinished } from 'vitest'
import type { TestCase } from '../../src/domain/agent/test-case.ts'
import type { TestRun } from '../../src/domain/agent/test-run.ts'
import type { TestRunId } from '../../src/domain/ids.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../../src/platform.ts'
import { silentLog } from '../../src/ports/log.ts'
import type { Store } from '../../src/ports/store/store.ts'
import {
  createFakeClock,
  createScriptedRuntime,
  createSequentialIds,
  type FakeClock,
  type Script,
  type ScriptedRuntime,
} from '../../src/testing/index.ts'
import type { Deployed } from '../../src/usecases/agents/releases/deploy.ts'

export const AGENT = 'PROJECT-TESTED'

/** What a test may set, and what the agent says. */
export type BenchOptions = Omit<Partial<PlatformOptions>, 'runtime' | 'store'> & { readonly script?: Script }

/** Several processes over one store and one clock, the first of them open, and errors that hosts were told of. */
export interface Bench extends Process {
  readonly clock: FakeClock
  readonly store: Store
  readonly errors: unknown[]
  /** One more process. */
  open(options?: BenchOptions): Process
}

/** One process. */
export interface Process {
  readonly platform: Platform
  readonly runtime: ScriptedRuntime
  /** From now on no call to the store comes to an end. */
  kill(): void
}

/** What the agent says unless told otherwise. */
const SCRIPT: Script = { greeting: 'Welcome.', otherwise: 'Yes.' }

/** The port, each call of which hangs once `isDead`. */
const mortal = <Port extends object>(port: Port, isDead: () => boolean): Port =>
  eachMethod(
    port,
    call =>
      (...input) =>
        isDead() ? new Promise(() => {}) : call(...input),
  )

/** A store with an account and an agent, and a process over it. */
export async function createBench(
  options: BenchOptions = {},
  store: Store = createMemoryStore(),
): Promise<Bench> {
  const clock = createFakeClock()
  const ids = createSequentialIds()
  const errors: unknown[] = []
  const open = ({ script = SCRIPT, ...others }: BenchOptions = {}): Process => {
    let dead = false
    const isDead = () => dead
    const runtime = createScriptedRuntime(script, clock)
    const platform = createPlatform({
      log: silentLog,
      store: {
        agents: mortal(store.agents, isDead),
        conversations: mortal(store.conversations, isDead),
        access: mortal(store.access, isDead),
        webhooks: mortal(store.webhooks, isDead),
        alerts: mortal(store.alerts, isDead),
        audit: mortal(store.audit, isDead),
        // Processes share the store, and none of them closes it for the others.
        close: async () => {},
      },
      clock,
      ids,
      runtime,
      onError: error => errors.push(error),
      ...others,
    })
    onTestFinished(async () => {
      if (!dead) await platform.close()
    })
    const kill = () => {
      dead = true
    }
    return { platform, runtime, kill }
  }
  const first = open(options)
  const { access, agents } = first.platform
  const account = await access.createAccount({ slug: 'one', name: 'One' })
  await agents.create({ accountId: account.id, agentId: AGENT, name: 'Tested', greeting: 'Hi' })
  return { clock, store, errors, open, ...first }
}

/** A case of one turn that expects `yes`. */
export const aCase = (name: string, change: Partial<TestCase> = {}) => ({
  name,
  turns: [{ text: 'Is it?', expectations: { contains: ['yes'] } }],
  ...change,
})

/** Merges a branch with these cases; resolves to the deployment in sandbox. */
export async function mergeCases(
  { agents }: Platform,
  ...cases: readonly ReturnType<typeof aCase>[]
): Promise<Deployed> {
  const branch = await agents.createBranch(AGENT, { branchName: 'cases' })
  for (const one of cases) await agents.testCases.create(AGENT, branch.id, one)
  const { deployment, testRunIds } = await agents.merge(AGENT, branch.id)
  return { ...deployment, testRunIds }
}

/** The run that goes with a deployment. */
export function runOf({ testRunIds }: Pick<Deployed, 'testRunIds'>): TestRunId {
  const [id] = testRunIds
  if (id === undefined) throw new Error('The deployment has no test run.')
  return id
}

/** The run as it stands. */
export const statusOf = async ({ agents }: Platform, id: TestRunId): Promise<TestRun['status']> =>
  (await agents.testRuns.read(AGENT, id)).run.status

/** Merges a branch with one case, and resolves to what it came to. */
export async function resultOf(platform: Platform, one: ReturnType<typeof aCase>) {
  const id = runOf(await mergeCases(platform, one))
  await platform.idle()
  const { run, results } = await platform.agents.testRuns.read(AGENT, id)
  const [result] = results
  if (result === undefined) throw new Error(`The run ${run.status} without a result.`)
  return { run, result }
}
