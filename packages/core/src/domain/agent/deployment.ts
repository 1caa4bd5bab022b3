import * as z from 'zod'
import type { Environment } from '../environment.ts'
import type { DeploymentId } from '../ids.ts'
import type { Agent, Deployment, DeploymentType } from './agent.ts'

/** Limits of deployments and of their lists. */
export const DEPLOYMENT_LIMITS = {
  /** Characters of a deployment's message. */
  messageLength: 10_000,
  /** Deployments in a list that names no limit. */
  listDefault: 100,
  /** Most deployments a list may ask for. */
  listMaximum: 1_000,
} as const

/** The purpose of a deployment, in its maker's words. */
export const deploymentMessageSchema = z.string().max(DEPLOYMENT_LIMITS.messageLength)

/** The facts of one new deployment. */
export interface NewDeployment {
  readonly id: DeploymentId
  readonly environment: Environment
  readonly type: DeploymentType
  readonly message: string
  /** Null for a call without an API key. */
  readonly createdBy: string
  readonly now: number
}

/** Returns the deployment of a revision that follows `lastNumber`, the number of the agent's newest one (0: none). */
export function createDeployment(
  agent: Agent,
  lastNumber: number,
  content: { readonly revision: number; readonly version: string },
  input: NewDeployment,
): Deployment {
  return {
    id: input.id,
    number: lastNumber + 1,
    accountId: agent.accountId,
    agentId: agent.id,
    environment: input.environment,
    revision: content.revision,
    version: content.version,
    type: input.type,
    message: input.message,
    createdBy: input.createdBy,
    createdAt: input.now,
  }
}
