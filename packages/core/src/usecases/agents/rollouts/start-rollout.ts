import * as z from 'zod'
import type { InputOf } from '../../../calls/call.ts'
import type { Deployment } from '../../../domain/agent/agent.ts'
import { actorWord } from '../../../domain/audit/audit.ts'
import { ENVIRONMENTS } from '../../../domain/environment.ts'
import type { AgentId } from '../../../domain/ids.ts'
import {
  ROLLOUT_ENVIRONMENTS,
  ROLLOUT_KEYS,
  ROLLOUT_LIMITS,
  type Rollout,
  type RolloutVersion,
} from '../../../domain/rollout/rollout.ts'
import { PlatformError } from '../../../errors.ts'
import { refuseUntested } from '../../agent-tests/deployment-tests.ts'
import { refuseUnreplayed } from '../../agent-tests/required-replay.ts'
import { auditEntry } from '../../audit/audit-entry.ts'
import { oneOf } from '../../shared/one-of.ts'
import { type ActingDeps, requireDeployment, requireMain, retried } from '../deps.ts'
import { refuseSkipping } from '../releases/refuse-skipping.ts'
import { refuseDuringRollout } from './running.ts'

/** The share of the candidate, in basis points: 0 to 10,000. */
export const basisPointsSchema = z.int().min(0).max(ROLLOUT_LIMITS.whole)

/** The schema of {@link NewRollout}. */
export const newRolloutSchema = z.object({
  /** The candidate: a deployment of this environment or of one before it. */
  deploymentId: z.string(),
  /** The environment to share, `pre-release` or `live`. @default "live" */
  environment: oneOf(ROLLOUT_ENVIRONMENTS).default('live'),
  /** The candidate's share: 500 is 5 %. 0 to 10,000. */
  basisPoints: basisPointsSchema,
  /**
   * Whoever stays on a side: a `visitor` with all conversations, or every `conversation` alone. Visitors are known
   * by the host's id of them or by their number.
   * @default "visitor"
   */
  key: oneOf(ROLLOUT_KEYS).default('visitor'),
  /**
   * Alert rules of this agent, or of the candidate, that take the candidate's share away once they fire, at most 10.
   * @default none
   */
  guards: z.array(z.string()).max(ROLLOUT_LIMITS.guards).default([]),
})

/** A rollout to start. */
export type NewRollout = InputOf<typeof newRolloutSchema>

const invalid = (message: string): PlatformError => new PlatformError('ROLLOUTS_INVALID_CANDIDATE', message)

const versionOf = ({ environment, id, revision, version }: Deployment): RolloutVersion => ({
  ...{ deploymentId: id, environment, revision, version },
})

/** Refuses a candidate that cannot run beside the base. @throws ROLLOUTS_INVALID_CANDIDATE */
function refuseCandidate(candidate: Deployment, base: Deployment): void {
  if (ENVIRONMENTS.indexOf(candidate.environment) > ENVIRONMENTS.indexOf(base.environment))
    throw invalid(
      `A deployment in ${candidate.environment} cannot be tried in ${base.environment}, which comes before it.`,
    )
  if (candidate.id === base.id) throw invalid(`${base.environment} runs ${base.id} already.`)
  if (candidate.version === base.version)
    throw invalid(`The deployments ${base.id} and ${candidate.id} hold the same content.`)
}

/** Refuses rules that are not about this agent, or its candidate, alone. @throws ALERT_RULE_NOT_FOUND */
async function refuseGuards(
  { context: { store } }: ActingDeps,
  { accountId, agentId, id }: Deployment & Pick<Rollout, 'accountId'>,
  guards: readonly string[],
): Promise<void> {
  if (guards.length === 0) return
  const rules = await store.alerts.rules.list(accountId)
  const own = new Set(
    rules.filter(rule => rule.agentId === agentId && (rule.deploymentId ?? id) === id).map(rule => rule.id),
  )
  const unknown = guards.find(guard => !own.has(guard))
  if (unknown !== undefined)
    throw new PlatformError(
      'ALERT_RULE_NOT_FOUND',
      `No alert rule ${unknown} watches this agent, or its candidate, alone.`,
    )
}

/**
 * Starts to share an environment between what it runs and a candidate (RO1).
 * @throws PROJECT_NOT_FOUND, DEPLOYMENT_NOT_FOUND, ROLLOUTS_INVALID_CANDIDATE, ROLLOUTS_RUNNING,
 *   DEPLOYMENTS_PRE_RELEASE_REQUIRED, DEPLOYMENTS_TESTS_NOT_PASSED, DEPLOYMENTS_REPLAY_NOT_PASSED,
 *   ALERT_RULE_NOT_FOUND
 */
export function startRollout(
  deps: ActingDeps,
  agentId: AgentId,
  { deploymentId, environment, basisPoints, key, guards }: z.output<typeof newRolloutSchema>,
): Promise<Rollout> {
  const { caller, clock, ids, store } = deps.context
  return retried(deps, agentId, async () => {
    const { agent, lastDeployment } = await requireMain(deps, agentId)
    const { accountId } = agent
    await refuseDuringRollout(deps, agentId, environment)
    const [base] = await store.agents.deployments.list(agentId, environment, 1)
    if (base === undefined) throw invalid(`Nothing is deployed in ${environment}. Promote a version first.`)
    const candidate = await requireDeployment(deps, agentId, deploymentId)
    refuseCandidate(candidate, base)
    refuseSkipping(deps, candidate.environment, environment)
    const { revision, version } = candidate
    await refuseUntested(deps, agentId, { environment, revision, version })
    await refuseUnreplayed(deps, agentId, { environment, version })
    await refuseGuards(deps, { ...candidate, accountId }, guards)
    const [now, by] = [clock.now(), actorWord(caller)]
    const rollout: Rollout = {
      ...{ id: `ROLLOUT-${ids.short()}`, accountId, agentId, environment, key },
      base: versionOf(base),
      candidate: versionOf(candidate),
      salt: ids.uuid(),
      shares: [{ basisPoints, at: now, by }],
      guards: [...new Set(guards)],
      startedAt: now,
      startedBy: by,
      end: null,
    }
    const details = { environment, base: base.id, candidate: candidate.id, basisPoints, key }
    const audit = auditEntry(deps.context, 'rollout.started', {
      ...{ accountId, agentId, resourceId: rollout.id, details },
    })
    const started = await store.agents.rollouts.start(rollout, lastDeployment, { audit })
    return started === 'stale' ? 'stale' : rollout
  })
}
