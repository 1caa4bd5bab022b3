import * as z from 'zod'
import type { InputOf } from '../../../calls/call.ts'
import { createDeployment, deploymentMessageSchema } from '../../../domain/agent/deployment.ts'
import { actorWord } from '../../../domain/audit/audit.ts'
import type { AgentId, RolloutId } from '../../../domain/ids.ts'
import { earlyOf, ROLLOUT_SIDES, type Rollout, shareOf, withShare } from '../../../domain/rollout/rollout.ts'
import { rolloutData } from '../../../domain/rollout/rollout-data.ts'
import { webhookBody } from '../../../domain/webhook/outgoing.ts'
import type { RolloutChange } from '../../../ports/store/rollouts.ts'
import { testCasesAt, testRunOf } from '../../agent-tests/deployment-tests.ts'
import { auditEntry } from '../../audit/audit-entry.ts'
import { oneOf } from '../../shared/one-of.ts'
import { type ActingDeps, requireMain, retried } from '../deps.ts'
import { tellDeployed } from '../releases/tell-deployed.ts'
import { hasEnough } from './read-rollouts.ts'
import { requireRunning } from './running.ts'
import { basisPointsSchema } from './start-rollout.ts'

/** The schema of {@link ShareInput}. */
export const shareSchema = z.object({
  /** The candidate's share from now on: 500 is 5 %. 0 to 10,000; 0 parks it. */
  basisPoints: basisPointsSchema,
})

/** Another share. */
export type ShareInput = InputOf<typeof shareSchema>

/**
 * Sets the candidate's share for conversations that start from now on (RO3).
 * @throws PROJECT_NOT_FOUND, ROLLOUT_NOT_FOUND, ROLLOUTS_ENDED
 */
export function setShare(
  deps: ActingDeps,
  agentId: AgentId,
  rolloutId: RolloutId,
  { basisPoints }: z.output<typeof shareSchema>,
): Promise<Rollout> {
  const { caller, clock, store } = deps.context
  return retried(deps, agentId, async () => {
    const before = await requireRunning(deps, agentId, rolloutId)
    const from = shareOf(before)
    if (from === basisPoints) return before
    const after = withShare(before, { basisPoints, at: clock.now(), by: actorWord(caller) })
    const audit = auditEntry(deps.context, 'rollout.share_changed', {
      ...{ accountId: before.accountId, agentId, resourceId: rolloutId },
      details: { basisPoints: { from, to: basisPoints } },
    })
    return (await store.agents.rollouts.change({ before, after }, { audit })) === 'stale' ? 'stale' : after
  })
}

/** The schema of {@link RolloutEndInput}. */
export const rolloutEndSchema = z.object({
  /** `candidate` gets the whole environment; with `base` all stays as it was before. */
  winner: oneOf(ROLLOUT_SIDES),
  /** The purpose of the deployment that a winning candidate gets, at most 10,000 characters. @default "" */
  deploymentMessage: deploymentMessageSchema.default(''),
})

/** The end of a rollout. */
export type RolloutEndInput = InputOf<typeof rolloutEndSchema>

/** Returns what gives the whole environment to the candidate. */
async function deploymentFor(
  deps: ActingDeps,
  { accountId, agentId, candidate, environment }: Rollout,
  message: string,
): Promise<NonNullable<RolloutChange['deployed']>> {
  const { caller, clock, ids } = deps.context
  const { agent, lastDeployment } = await requireMain(deps, agentId)
  const { revision, version } = candidate
  const deployment = createDeployment(
    { ...agent, accountId },
    lastDeployment,
    { revision, version },
    {
      id: `DEPLOYMENT-${ids.short()}`,
      environment,
      type: candidate.environment === environment ? 'rollback' : 'promotion',
      message,
      createdBy: actorWord(caller),
      now: clock.now(),
    },
  )
  const testCases = await testCasesAt(deps, agentId, revision)
  return { deployment, testRun: testRunOf(deps, deployment, testCases) }
}

/**
 * Ends a rollout: the winner gets every conversation that starts from now on. Open ones stay on their side (RO4).
 * @throws PROJECT_NOT_FOUND, ROLLOUT_NOT_FOUND, ROLLOUTS_ENDED
 */
export async function endRollout(
  deps: ActingDeps,
  agentId: AgentId,
  rolloutId: RolloutId,
  { winner, deploymentMessage }: z.output<typeof rolloutEndSchema>,
): Promise<Rollout> {
  const { caller, clock, ids, store } = deps.context
  const { after, deployed } = await retried(deps, agentId, async () => {
    const before = await requireRunning(deps, agentId, rolloutId)
    const { accountId } = before
    const deployed = winner === 'base' ? undefined : await deploymentFor(deps, before, deploymentMessage)
    const at = clock.now()
    const deploymentId = deployed?.deployment.id ?? null
    const early = earlyOf(before, await hasEnough(deps, before))
    const after: Rollout = { ...before, end: { winner, at, by: actorWord(caller), deploymentId, early } }
    const audit = auditEntry(deps.context, 'rollout.ended', {
      ...{ accountId, agentId, resourceId: rolloutId, details: { winner, deploymentId, early } },
    })
    const body = webhookBody('rollout.ended', at, rolloutData(after))
    const event = { type: 'rollout.ended', conversationId: null, at, body } as const
    const change = deployed === undefined ? { before, after } : { before, after, deployed }
    const webhooks = [{ ...event, id: `EVENT-${ids.uuid()}`, accountId }]
    const written = await store.agents.rollouts.change(change, { audit, webhooks })
    return written === 'stale' ? 'stale' : { after, deployed }
  })
  if (deployed !== undefined) {
    tellDeployed(deps, deployed.deployment)
    deps.hooks.testRunsDue()
  }
  return after
}
