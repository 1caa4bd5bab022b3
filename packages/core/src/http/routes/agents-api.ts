import * as z from 'zod'
import { deploymentMessageSchema } from '../../domain/agent/deployment.ts'
import type { BranchId } from '../../domain/ids.ts'
import { refuseMain } from '../../usecases/agents/branches/branch-view.ts'
import type { HttpMethod } from '../route.ts'

/** What the routes of the Agents API have in common. */
export const agentsApi = { family: 'agents', credential: 'workspace', query: z.object({}) } as const

/** What routes about one agent have in common. */
export const ofAgent = {
  params: z.object({ agentId: z.string() }),
  scope: ({ params }: { readonly params: { readonly agentId: string } }) => ({ agent: params.agentId }),
}

/** The path of a branch. */
export const BRANCH_PATH = '/v1/agents/:agentId/branches/:branchId'

/** What routes about one branch have in common. */
export const ofBranch = {
  ...agentsApi,
  ...ofAgent,
  params: ofAgent.params.extend({ branchId: z.string() }),
  /** A write to main is refused as such, with any body (AG53). */
  precondition({
    method,
    params,
  }: {
    readonly method: HttpMethod
    readonly params: { readonly branchId: BranchId }
  }) {
    if (method !== 'GET') refuseMain(params.branchId)
  },
}

/** The field in which a request says what a deployment is for. */
export const deploymentMessage = { deploymentMessage: deploymentMessageSchema.default('') }

/** A change with what its author has seen of what it changes: it is refused where that is something else now (AG78). */
export const changeExpecting = <Shape extends z.ZodRawShape>(change: z.ZodObject<Shape>) =>
  change.extend({ expected: change.exactOptional() })

/** The id of something that was removed from the branch, which comes back (AG76). */
export const removedId = { id: z.string().min(1).max(200).exactOptional() }
