import type { Environment } from '../environment.ts'
import type { AccountId, AgentId, BranchId, DeploymentId } from '../ids.ts'

/** An agent, which is the same thing as a project. Times are milliseconds since the epoch. */
export interface Agent {
  readonly id: AgentId
  readonly accountId: AccountId
  readonly name: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** An agent with the number of its branches, main included. `updatedAt` is the newest write of any of them. */
export type AgentRecord = Agent & { readonly branchCount: number }

/** The trace of a deleted agent: its account, and the time of its deletion. */
export interface DeletedAgent {
  readonly id: AgentId
  readonly accountId: AccountId
  readonly deletedAt: number
}

/**
 * One step of main: a point in the agent's history that never changes. `number` counts from 1 without gaps.
 * `contentHash` depends on the content alone, so two revisions of the same content carry the same hash.
 * `contentBytes` is how large the content is (AG72): the UTF-8 bytes of the JSON of all its resources' values.
 */
export interface Revision {
  readonly number: number
  readonly contentHash: string
  readonly contentBytes: number
  readonly createdAt: number
}

/**
 * A line of work: the main revision it started from and, kept beside it, its own changes.
 * `version` grows with every write of the branch and guards it; `sequence` is the wire's `sequenceId`.
 */
export interface Branch {
  readonly id: BranchId
  readonly agentId: AgentId
  readonly name: string
  readonly baseRevision: number
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** The origin of a deployment. */
export type DeploymentType = 'merge' | 'publish' | 'promotion' | 'rollback'

/**
 * A pointer from an environment to a revision; never changes. The newest of an environment is the active one.
 * `number` counts an agent's deployments from 1.
 */
export interface Deployment {
  readonly id: DeploymentId
  readonly number: number
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  readonly revision: number
  /** The revision's content hash: the same through promotion and rollback. */
  readonly version: string
  readonly type: DeploymentType
  readonly message: string
  /** The id of the API key, or the name of the person, that asked for it; `library` for a host without a name. */
  readonly createdBy: string
  readonly createdAt: number
}
