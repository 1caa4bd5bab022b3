import * as z from 'zod'
import type { InputOf } from '../../../calls/call.ts'
import type { Deployment, DeploymentType } from '../../../domain/agent/agent.ts'
import { createDeployment, deploymentMessageSchema } from '../../../domain/agent/deployment.ts'
import { promotionTarget } from '../../../domain/agent/promotion.ts'
import { actorWord } from '../../../domain/audit/audit.ts'
import { ENVIRONMENTS, type Environment } from '../../../domain/environment.ts'
import type { AgentId, DeploymentId, TestRunId } from '../../../domain/ids.ts'
import { PlatformError } from '../../../errors.ts'
import type { AgentMain } from '../../../ports/store/revisions.ts'
import { refuseUntested, testCasesAt, testRunOf } from '../../agent-tests/deployment-tests.ts'
import { refuseUnreplayed } from '../../agent-tests/required-replay.ts'
import { auditEntry } from '../../audit/audit-entry.ts'
import { own } from '../../shared/arguments.ts'
import { environmentOf } from '../../shared/environment.ts'
import {
  type ActingDeps,
  type AgentsDeps,
  requireAgent,
  requireDeployment,
  requireMain,
  retried,
} from '../deps.ts'
import { refuseDuringRollout } from '../rollouts/running.ts'
import { refuseSkipping } from './refuse-skipping.ts'
import { refuseUnseen, seenSchema } from './refuse-unseen.ts'
import { tellDeployed } from './tell-deployed.ts'

/** A deployment that was made, and the run of its tests; empty when it has no active test cases. */
export type Deployed = Deployment & { readonly testRunIds: readonly TestRunId[] }

/** The schema of {@link DeployInput}. */
export const deployInputSchema = z.object({
  /** The purpose of the deployment, at most 10,000 characters. @default "" */
  deploymentMessage: deploymentMessageSchema.default(''),
  /** It is made only where the environment still runs what was seen (AG121). @default not compared */
  expected: seenSchema('activeDeploymentId').exactOptional(),
})

/** The message of a deployment, and the state that its caller expects. */
export type DeployInput = InputOf<typeof deployInputSchema>

// An environment of another name is refused under a code of its own.
/** The schema of {@link PublishInput}. */
export const publishInputSchema = deployInputSchema.extend({
  /** @default "sandbox" */
  environment: own<Environment>().exactOptional(),
  /** It is made only of the main that was seen, and where the environment still runs what was seen (AG121). */
  expected: seenSchema('activeDeploymentId', 'mainRevision').exactOptional(),
})

/** The options of a publication of main. */
export type PublishInput = InputOf<typeof publishInputSchema>

/** The schema of {@link PromoteInput}. */
export const promoteInputSchema = deployInputSchema.extend({
  /** @default the next one */
  targetEnvironment: own<Environment>().exactOptional(),
})

/** The options of a promotion. */
export type PromoteInput = InputOf<typeof promoteInputSchema>

/** The options that every deployment takes. */
type Given = Pick<z.output<typeof publishInputSchema>, 'deploymentMessage' | 'expected'>

/** The environment of a new deployment, and the version that it points to. */
interface Plan {
  readonly environment: Environment
  readonly revision: number
  readonly version: string
  readonly type: Exclude<DeploymentType, 'merge'>
  /** The deployment whose version it is, if it is that of one. */
  readonly from?: DeploymentId
}

/** The actions of the audit log for deployments of each type. A merge is noted with its branch. */
const ACTIONS = {
  publish: 'deployment.published',
  promotion: 'deployment.promoted',
  rollback: 'deployment.rolled_back',
} as const

/** Returns a deployment as the audit log shows it. */
export const deploymentDetails = ({ environment, revision, version }: Deployment) => ({
  ...{ environment, revision, version },
})

/**
 * Deploys what `plan` decides from the store as it is; decided again when another deployment was first.
 * @throws ROLLOUTS_RUNNING
 */
async function deploy(
  deps: ActingDeps,
  agentId: AgentId,
  { deploymentMessage: message, expected }: Given,
  plan: (main: AgentMain) => Promise<Plan>,
): Promise<Deployed> {
  const { clock, ids, store } = deps.context
  const deployed = await retried(deps, agentId, async () => {
    const main = await requireMain(deps, agentId)
    const { agent, lastDeployment } = main
    const { environment, type, from, ...content } = await plan(main)
    await refuseDuringRollout(deps, agentId, environment)
    const [running] = await store.agents.deployments.list(agentId, environment, 1)
    await refuseUnseen({ activeDeploymentId: running?.id ?? null, mainRevision: content.revision }, expected)
    const deployment = createDeployment(agent, lastDeployment, content, {
      id: `DEPLOYMENT-${ids.short()}`,
      environment,
      type,
      message,
      createdBy: actorWord(deps.context.caller),
      now: clock.now(),
    })
    const testCases = await testCasesAt(deps, agentId, deployment.revision)
    const testRun = testRunOf(deps, deployment, testCases)
    const entry = auditEntry(deps.context, ACTIONS[type], {
      ...{ accountId: agent.accountId, agentId, resourceId: deployment.id },
      details: { ...deploymentDetails(deployment), ...(from === undefined ? {} : { from }) },
    })
    if ((await store.agents.deployments.create(deployment, testRun, { audit: entry })) === 'stale')
      return 'stale'
    return { ...deployment, testRunIds: testRun === null ? [] : [testRun.id] }
  })
  tellDeployed(deps, deployed)
  deps.hooks.testRunsDue()
  return deployed
}

/**
 * Deploys what main holds.
 * @throws PROJECT_NOT_FOUND, DEPLOYMENTS_INVALID_ENVIRONMENT, DEPLOYMENTS_ALREADY_PUBLISHED when it is active there
 * already, DEPLOYMENTS_TESTS_NOT_PASSED, DEPLOYMENTS_REPLAY_NOT_PASSED
 */
export async function publish(
  deps: ActingDeps,
  agentId: AgentId,
  input: z.output<typeof publishInputSchema>,
): Promise<Deployed> {
  const environment = environmentOf(input.environment ?? 'sandbox', 'DEPLOYMENTS_INVALID_ENVIRONMENT')
  return deploy(deps, agentId, input, async ({ head }) => {
    const [active] = await deps.context.store.agents.deployments.list(agentId, environment, 1)
    if (active?.version === head.contentHash) {
      const message = `The content of main is deployed to ${environment} already.`
      throw new PlatformError('DEPLOYMENTS_ALREADY_PUBLISHED', message)
    }
    const content = { environment, revision: head.number, version: head.contentHash }
    await refuseUntested(deps, agentId, content)
    await refuseUnreplayed(deps, agentId, content)
    return { ...content, type: 'publish' }
  })
}

/**
 * Deploys the same version to a later environment, by default the next one.
 * @throws DEPLOYMENT_NOT_FOUND, DEPLOYMENTS_INVALID_TARGET, DEPLOYMENTS_PRE_RELEASE_REQUIRED,
 *   DEPLOYMENTS_TESTS_NOT_PASSED, DEPLOYMENTS_REPLAY_NOT_PASSED
 */
export function promote(
  deps: ActingDeps,
  agentId: AgentId,
  deploymentId: DeploymentId,
  input: z.output<typeof promoteInputSchema>,
): Promise<Deployed> {
  return deploy(deps, agentId, input, async () => {
    const from = await requireDeployment(deps, agentId, deploymentId)
    const environment = promotionTarget(from.environment, input.targetEnvironment ?? null)
    if (!environment) {
      const later = ENVIRONMENTS.filter(name => promotionTarget(from.environment, name))
      const allowed = later.length > 0 ? `only to ${later.join(' or ')}` : 'no further'
      const message = `A deployment in ${from.environment} can be promoted ${allowed}.`
      throw new PlatformError('DEPLOYMENTS_INVALID_TARGET', message)
    }
    refuseSkipping(deps, from.environment, environment)
    const content = { environment, revision: from.revision, version: from.version }
    await refuseUntested(deps, agentId, content)
    await refuseUnreplayed(deps, agentId, content)
    return { ...content, type: 'promotion', from: from.id }
  })
}

/**
 * Deploys an earlier version again, in its own environment, regardless of its test results and replays (TE30, TE62).
 * @throws DEPLOYMENT_NOT_FOUND
 */
export function rollback(
  deps: ActingDeps,
  agentId: AgentId,
  deploymentId: DeploymentId,
  input: z.output<typeof deployInputSchema>,
): Promise<Deployed> {
  return deploy(deps, agentId, input, async () => {
    const { environment, revision, version } = await requireDeployment(deps, agentId, deploymentId)
    return { environment, revision, version, type: 'rollback', from: deploymentId }
  })
}

/** Lists deployments, newest first. @throws PROJECT_NOT_FOUND, DEPLOYMENTS_INVALID_ENVIRONMENT */
export async function listDeployments(
  deps: AgentsDeps,
  agentId: AgentId,
  environment: Environment,
  limit: number,
): Promise<readonly Deployment[]> {
  environmentOf(environment, 'DEPLOYMENTS_INVALID_ENVIRONMENT')
  const deployments = await deps.context.store.agents.deployments.list(agentId, environment, limit)
  if (deployments.length === 0) await requireAgent(deps, agentId)
  return deployments
}

/** Returns the newest deployment of each environment, null without one. @throws PROJECT_NOT_FOUND */
export async function activeDeployments(
  deps: AgentsDeps,
  agentId: AgentId,
): Promise<Readonly<Record<Environment, Deployment | null>>> {
  const active = await deps.context.store.agents.deployments.active(agentId)
  if (active.length === 0) await requireAgent(deps, agentId)
  const inEnvironment = (environment: Environment) =>
    active.find(deployment => deployment.environment === environment) ?? null
  return {
    sandbox: inEnvironment('sandbox'),
    'pre-release': inEnvironment('pre-release'),
    live: inEnvironment('live'),
  }
}
