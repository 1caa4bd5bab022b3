import type { Agent, Branch, Deployment } from '../../domain/agent/agent.ts'
import type { Attribute, Topic, Variant } from '../../domain/agent/content.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AccountId, AgentId, BranchId, DeploymentId } from '../../domain/ids.ts'
import type { AgentContent } from '../../ports/agent-runtime.ts'

/** An agent with the figure that its record shows. */
export type AgentRecord = Agent & { readonly branchCount: number }

/** Who asks: the id of an API key, or `library`. Recorded in deployments. */
export interface Actor {
  readonly actor?: string
}

export interface NewAgentInput {
  readonly accountId: AccountId
  readonly name: string
  readonly agentId?: string
  readonly greeting: string
  /** @default "en-GB" */
  readonly languageCode?: string
  readonly voiceId?: string
  readonly modelId?: string
}

/** How one conflict is to be settled. `value` goes with `theirs` and replaces the branch's value. */
export interface Resolution {
  readonly path: readonly string[]
  readonly strategy: 'ours' | 'theirs' | 'base'
  readonly value?: unknown
}

/** Agents as versioned content: branches, merges, deployments (platform-api.md, Agents API). */
export interface Agents {
  /** @throws PROJECT_ID_ALREADY_EXISTS */
  create(input: NewAgentInput): Promise<AgentRecord>
  list(accountId: AccountId): Promise<readonly AgentRecord[]>
  /** Null when there is no such agent. */
  find(agentId: AgentId): Promise<AgentRecord | null>
  /** Removes the agent with its branches and deployments; its open conversations end. @throws PROJECT_NOT_FOUND */
  delete(agentId: AgentId): Promise<void>

  branches(agentId: AgentId): Promise<readonly Branch[]>
  createBranch(agentId: AgentId, input: { readonly name: string }): Promise<Branch>
  /** @throws BRANCH_NOT_FOUND, MAIN_BRANCH_READ_ONLY */
  deleteBranch(agentId: AgentId, branchId: BranchId): Promise<Branch>

  behavior(agentId: AgentId, branchId: BranchId): Promise<string>
  updateBehavior(agentId: AgentId, branchId: BranchId, behavior: string): Promise<string>
  topics(agentId: AgentId, branchId: BranchId): Promise<readonly (Topic & { readonly id: string })[]>
  topic(agentId: AgentId, branchId: BranchId, topicId: string): Promise<Topic & { readonly id: string }>
  createTopic(
    agentId: AgentId,
    branchId: BranchId,
    input: Pick<Topic, 'name' | 'content'> & Partial<Topic>,
  ): Promise<Topic & { readonly id: string }>
  updateTopic(agentId: AgentId, branchId: BranchId, topicId: string, change: Partial<Topic>): Promise<void>
  deleteTopic(agentId: AgentId, branchId: BranchId, topicId: string): Promise<void>
  attributes(agentId: AgentId, branchId: BranchId): Promise<readonly (Attribute & { readonly id: string })[]>
  createAttribute(
    agentId: AgentId,
    branchId: BranchId,
    input: Attribute,
  ): Promise<Attribute & { readonly id: string }>
  updateAttribute(agentId: AgentId, branchId: BranchId, id: string, change: Partial<Attribute>): Promise<void>
  deleteAttribute(agentId: AgentId, branchId: BranchId, id: string): Promise<void>
  variants(agentId: AgentId, branchId: BranchId): Promise<readonly (Variant & { readonly id: string })[]>
  createVariant(
    agentId: AgentId,
    branchId: BranchId,
    input: Pick<Variant, 'name'> & Partial<Variant>,
  ): Promise<Variant & { readonly id: string }>
  updateVariant(agentId: AgentId, branchId: BranchId, id: string, change: Partial<Variant>): Promise<void>
  /** @throws VARIANTS_REMOVE_DEFAULT_ERROR */
  deleteVariant(agentId: AgentId, branchId: BranchId, id: string): Promise<void>

  /** @throws MERGE_CONFLICTS with the conflicts in its body, MERGE_INVALID_RESOLUTION */
  merge(
    agentId: AgentId,
    branchId: BranchId,
    input?: { readonly message?: string; readonly resolutions?: readonly Resolution[] } & Actor,
  ): Promise<{ readonly branch: Branch; readonly deployment: Deployment }>
  /** @throws DEPLOYMENTS_ALREADY_PUBLISHED */
  publish(
    agentId: AgentId,
    input?: { readonly environment?: Environment; readonly message?: string } & Actor,
  ): Promise<Deployment>
  /** @throws DEPLOYMENT_NOT_FOUND, DEPLOYMENTS_INVALID_TARGET */
  promote(
    agentId: AgentId,
    deploymentId: DeploymentId,
    input?: { readonly target?: Environment; readonly message?: string } & Actor,
  ): Promise<Deployment>
  /** A new deployment, in that deployment's environment, of its version. @throws DEPLOYMENT_NOT_FOUND */
  rollback(
    agentId: AgentId,
    deploymentId: DeploymentId,
    input?: { readonly message?: string } & Actor,
  ): Promise<Deployment>
  deployments(agentId: AgentId, environment: Environment, limit?: number): Promise<readonly Deployment[]>
  activeDeployments(agentId: AgentId): Promise<Readonly<Record<Environment, Deployment | null>>>
  /** The content at a revision, kept in a bounded cache. @throws PROJECT_NOT_FOUND */
  content(agentId: AgentId, revision: number): Promise<AgentContent>
}
