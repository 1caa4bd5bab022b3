import type { ReplayPlan } from '../../domain/agent/replay.ts'
import { type Excess, excessesOf } from '../../domain/agent/replay-gate.ts'
import type { TestRun } from '../../domain/agent/test-run.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AgentId, TestRunId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { type AgentsDeps, requireAgent } from '../agents/deps.ts'
import type { Context } from '../context.ts'
import { eachRun } from './each-run.ts'
import { reportOfRun } from './replays.ts'

const DAY = 86_400_000

/** Reports whether visitors have said something in live that could be replayed. */
async function hasConversations({ context }: AgentsDeps, agentId: AgentId, accountId: string) {
  const filter = { accountId, agentId, environment: 'live', inProgress: false } as const
  const { records } = context.store.conversations
  return (await records.newest(filter, { offset: 0 }, 1, 0)).records.length > 0
}

const inWords = ({ turns, of, verdicts, bound }: Excess): string =>
  `${turns} of ${of} turns are ${verdicts.join(' or ')}, more than ${bound}`

/** Reports whether a replay has the required conversations of live, or all that there were. */
function isLargeEnough(
  { selection, conversations: { length } }: ReplayPlan,
  { sample, days }: { readonly sample: number; readonly days: number },
): boolean {
  const isWhole = length < selection.last && (selection.days === null || selection.days >= days)
  return selection.environment === 'live' && (length >= sample || isWhole)
}

/** The weight of a replay for its version: it passes, stands in the way, or says nothing, for a reason. */
interface Standing {
  readonly counts: 'passes' | 'refuses' | 'nothing'
  readonly reason: string
}

/** Returns how a replay that is not too old counts (TE90). */
async function standingOf(
  { context }: { readonly context: Pick<Context, 'settings' | 'store'> },
  { id, agentId, status }: TestRun,
  plan: ReplayPlan,
): Promise<Standing> {
  const { sample, days, ...bounds } = context.settings.requireReplay
  const nothing = (reason: string): Standing => ({ counts: 'nothing', reason })
  if (!isLargeEnough(plan, { sample, days }))
    return nothing(`has fewer than ${sample} conversations of live, and there were more`)
  if (status === 'running') return nothing('is still running. Try again when it is over')
  const found = await context.store.agents.testRuns.find(agentId, id)
  const report = found === null ? null : reportOfRun(found)
  if (report === null) return nothing('was removed')
  const excesses = excessesOf(report, bounds)
  if (excesses.length > 0)
    return { counts: 'refuses', reason: `has too many differences: ${excesses.map(inWords).join('; ')}` }
  if (report.status === 'errored') return nothing('could not be brought to an end')
  return { counts: 'passes', reason: '' }
}

const isTooOld = (
  { clock, settings }: Pick<Context, 'clock' | 'settings'>,
  { startedAt }: Pick<TestRun, 'startedAt'>,
): boolean => startedAt < clock.now() - settings.requireReplay.days * DAY

/**
 * Reports whether a run is a replay that keeps its version from an environment. Without it that version could pass
 * (TE96).
 */
export async function standsInTheWay(
  context: Pick<Context, 'clock' | 'settings' | 'store'>,
  run: TestRun,
): Promise<boolean> {
  const { replay } = run
  const { environments } = context.settings.requireReplay
  if (replay === undefined || environments.length === 0 || isTooOld(context, run)) return false
  return (await standingOf({ context }, run, replay)).counts === 'refuses'
}

/** A replay that does not let its version pass, and the reason. */
interface Shortfall {
  readonly id: TestRunId
  readonly reason: string
}

/**
 * Returns the reason why the replays of a version do not let it pass: null if they do, and undefined if there is none.
 * Each that counts must pass, so that a noisy model is not asked until it does (TE90).
 */
async function shortfallOf(
  deps: AgentsDeps,
  agentId: AgentId,
  version: string,
): Promise<Shortfall | null | undefined> {
  const { days } = deps.context.settings.requireReplay
  let newest: Shortfall | undefined
  let hasPassed = false
  for await (const run of eachRun(deps.context, { agentId, version, replays: true })) {
    const { id, replay } = run
    if (replay === undefined) continue
    // Those that follow are older still.
    if (isTooOld(deps.context, run)) {
      newest ??= { id, reason: `is older than ${days} days` }
      break
    }
    const { counts, reason } = await standingOf(deps, run, replay)
    if (counts === 'refuses') return { id, reason }
    if (counts === 'passes') hasPassed = true
    else newest ??= { id, reason }
  }
  return hasPassed ? null : newest
}

/**
 * Refuses to deploy a version before a replay of it has passed, if replays are required. What has passed is the content
 * of the hash that is deployed, so that no writer in between makes it another one (TE62).
 * @throws DEPLOYMENTS_REPLAY_NOT_PASSED
 */
export async function refuseUnreplayed(
  deps: AgentsDeps,
  agentId: AgentId,
  { environment, version }: { readonly environment: Environment; readonly version: string },
): Promise<void> {
  const { settings } = deps.context
  if (!settings.requireReplay.environments.some(name => name === environment)) return
  const shortfall = await shortfallOf(deps, agentId, version)
  if (shortfall === null) return
  const { accountId } = await requireAgent(deps, agentId)
  if (shortfall === undefined && !(await hasConversations(deps, agentId, accountId))) return
  const why = shortfall
    ? `one of this version, ${shortfall.id}, ${shortfall.reason}.`
    : 'there is none of this version. Start one for a deployment or a branch with it.'
  const message = `What goes to ${environment} must have passed a replay of conversations: ${why}`
  throw new PlatformError('DEPLOYMENTS_REPLAY_NOT_PASSED', message, {
    body: { replayId: shortfall?.id ?? null },
  })
}
