import type { ReplayPlan } from '../../domain/agent/replay.ts'
import { type Excess, excessesOf } from '../../domain/agent/replay-gate.ts'
import type { TestRun } from '../../domain/agent/test-run.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AgentId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { type AgentsDeps, requireAgent } from '../agents/deps.ts'
import { readReplay } from './replays.ts'

/** The newest replays of a version that are looked at. */
const MOST = 20

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

/** Returns the reason why a replay does not let its version pass. Null when it does. */
async function shortfall(
  deps: AgentsDeps,
  { id, agentId, replay, startedAt, status }: TestRun,
): Promise<string | null> {
  const { clock, settings } = deps.context
  const { sample, days, ...bounds } = settings.requireReplay
  if (replay === undefined) return 'is none'
  if (status === 'running') return 'is still running. Try again when it is over'
  if (!isLargeEnough(replay, { sample, days }))
    return `has fewer than ${sample} conversations of live, and there were more`
  if (startedAt < clock.now() - days * DAY) return `is older than ${days} days`
  const report = await readReplay(deps, agentId, id)
  if (report.status === 'errored') return 'could not be brought to an end'
  const excesses = excessesOf(report, bounds)
  return excesses.length === 0 ? null : `has too many differences: ${excesses.map(inWords).join('; ')}`
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
  const { settings, store } = deps.context
  if (!settings.requireReplay.environments.some(name => name === environment)) return
  const replays = await store.agents.testRuns.list({ agentId, version, replays: true }, MOST)
  let newest: string | null = null
  for (const run of replays) {
    const reason = await shortfall(deps, run)
    if (reason === null) return
    newest ??= `the newest one of this version, ${run.id}, ${reason}.`
  }
  const { accountId } = await requireAgent(deps, agentId)
  if (newest === null && !(await hasConversations(deps, agentId, accountId))) return
  const why = newest ?? 'there is none of this version. Start one for a deployment or a branch with it.'
  const message = `What goes to ${environment} must have passed a replay of conversations: ${why}`
  throw new PlatformError('DEPLOYMENTS_REPLAY_NOT_PASSED', message, {
    body: { replayId: replays[0]?.id ?? null },
  })
}
