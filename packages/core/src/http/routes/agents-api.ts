import * as z from 'zod'
import { deploymentMessageSchema } from '../../domain/agent/deployment.ts'
import type { BranchId } from '../../domain/ids.ts'
import { refuseMain } from '../../usecases/agents/branches/branch-view.ts'
import type { HttpMethod } from '../route.ts'

/** The common parts of the routes of the Agents API. */
export const agentsApi = { family: 'agents', credential: 'workspace', query: z.object({}) } as const

/** The common parts of routes about one agent. */
export const ofAgent = {
  params: z.object({ agentId: z.string() }),
  scope: ({ params }: { readonly params: { readonly agentId: string } }) => ({ agent: params.agentId }),
}

/** The path of a branch. */
export const BRANCH_PATH = '/v1/agents/:agentId/branches/:branchId'

/** The common parts of routes about one branch. */
export const ofBranch = {
  ...agentsApi,
  ...ofAgent,
  params: ofAgent.params.extend({ branchId: z.string() }),
  /** Refuses a write to main as such, with any body (AG20). */
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

const versionText = z.string().max(20).exactOptional()

/** The versions that the caller of a merge or a publication has seen, as the earlier responses wrote them (AG121). */
export const seenVersions = { branchVersion: versionText, mainRevision: versionText }

/** The deployment that an environment was shown to run; null for none (AG121). */
export const seenDeployment = { activeDeploymentId: z.string().max(200).nullable().exactOptional() }

/** Converts the query to the platform's numbers. */
export const seenNumbers = ({
  branchVersion,
  mainRevision,
}: {
  readonly branchVersion?: string
  readonly mainRevision?: string
}) => ({
  ...(branchVersion === undefined ? {} : { branchVersion: versionOf(branchVersion) }),
  ...(mainRevision === undefined ? {} : { mainRevision: versionOf(mainRevision) }),
})

/** Parses a version. A text that is no version is that of nothing. */
const versionOf = (text: string): number => {
  const version = Number(text)
  return Number.isSafeInteger(version) && version >= 0 ? version : 0
}

/**
 * Returns the schema of a change with the version that its author has seen. The change is refused if the current
 * version differs (AG121).
 */
export const changeExpecting = <Shape extends z.ZodRawShape>(change: z.ZodObject<Shape>) =>
  change.extend({ expected: change.exactOptional() })

/** The id of something that was removed from the branch, which comes back (AG76). */
export const removedId = { id: z.string().min(1).max(200).exactOptional() }
