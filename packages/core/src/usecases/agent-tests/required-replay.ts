import { isTooOld, standingOf } from '../../domain/agent/replay-gate.ts'
import type { TestRun } from '../../domain/agent/test-run.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AgentId, TestRunId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { type AgentsDeps, requireAgent } from '../agents/deps.ts'
import type { Context } from '../context.ts'
import { eachRun } from './each-run.ts'

/** Reports whether visitors have said something in live that could be replayed. */
async function hasConversations({ context }: AgentsDeps, agentId: AgentId, accountId: string) {
  const filter = { accountId, agentId, environment: 'live', inProgress: false } as const
  const { records } = context.store.conversations
  return (await records.newest(filter, { offset: 0 }, 1, 0)).records.length > 0
}

/**
 * Reports whether a run is a replay that keeps its version from an environment. Without it that version could pass
 * (TE96).
 */
export function standsInTheWay(
  { clock, settings: { requireReplay } }: Pick<Context, 'clock' | 'settings'>,
  run: TestRun,
): boolean {
  return (
    requireReplay.environments.length > 0 && standingOf(run, requireReplay, clock.now()).counts === 'refuses'
  )
}

/** A replay that does not let its version pass, and the reason. */
interface Shortfall {
  readonly id: TestRunId
  readonly reason: string
  /** Without any conversation left it is still in the way. */
  readonly holds: boolean
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
  const { clock, settings } = deps.context
  const now = clock.now()
  let newest: Shortfall | undefined
  let hasPassed = false
  for await (const run of eachRun(deps.context, { agentId, version, replays: true })) {
    const { id } = run
    const { counts, reason } = standingOf(run, settings.requireReplay, now)
    if (counts === 'refuses') return { id, reason, holds: true }
    if (counts === 'passes') hasPassed = true
    else if (counts === 'waits') newest = { id, reason, holds: true }
    else newest ??= { id, reason, holds: false }
    // Those that follow are older still.
    if (isTooOld(run, settings.requireReplay, now)) break
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
  // After the last conversation was erased there can be no further replay. Those that refuse still have to be accepted.
  if (!shortfall?.holds && !(await hasConversations(deps, agentId, accountId))) return
  const why = shortfall
    ? `one of this version, ${shortfall.id}, ${shortfall.reason}.`
    : 'there is none of this version. Start one for a deployment or a branch with it.'
  const message = `What goes to ${environment} must have passed a replay of conversations: ${why}`
  throw new PlatformError('DEPLOYMENTS_REPLAY_NOT_PASSED', message, {
    body: { replayId: shortfall?.id ?? null },
  })
}
