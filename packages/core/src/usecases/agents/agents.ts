import type { Agent, Branch, Deployment } from '../../domain/agent/agent.ts'
import type { Resolution } from '../../domain/agent/conflict.ts'
import type { Attribute, Topic, Variant } from '../../domain/agent/content.ts'
import type { MergePreview } from '../../domain/agent/merge.ts'
import type { ChangedResource } from '../../domain/agent/tree.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AccountId, AgentId, BranchId, DeploymentId } from '../../domain/ids.ts'
import type { AgentContent } from '../../ports/agent-runtime.ts'
import type { Context } from '../context.ts'
import { attributes } from './attributes.ts'
import { readBehavior, updateBehavior } from './behavior.ts'
import { createBranch, deleteBranch, listBranches, readBranch } from './branches.ts'
import { readContent } from './content.ts'
import { activeDeployments, listDeployments, promote, publish, rollback } from './deploy.ts'
import { diffBranch } from './diff-branch.ts'
import { duplicateAgent } from './duplicate-agent.ts'
import { createAgent, deleteAgent, findAgent, listAgents } from './lifecycle.ts'
import { mergeBranch } from './merge-branch.ts'
import { type AgentHooks, type AgentsScope, createScope } from './scope.ts'
import { topics } from './topics.ts'
import { variants } from './variants.ts'

/** An agent with the figure that its record shows. */
export type AgentRecord = Agent & { readonly branchCount: number }

/** A branch with its own changes: what it holds otherwise than its base revision, by kind, then by id. */
export type BranchRecord = Branch & { readonly changes: readonly ChangedResource[] }

/** What a merge of a branch would do. */
export interface BranchDiff extends MergePreview {
  /** The revision of main from which the branch began. */
  readonly baseRevision: number
  /** Main's newest revision, with which the branch is compared. */
  readonly mainRevision: number
}

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

/** How a copy of an agent is to be called. */
export interface DuplicateInput {
  /** 1 to 100 characters. */
  readonly name: string
  /** Letters, digits and hyphens, at most 100. @default a new one, `PROJECT-<id>` */
  readonly agentId?: string
}

export type { Resolution } from '../../domain/agent/conflict.ts'

/** Agents as versioned content: branches, merges, deployments (platform-api.md, Agents API). */
export interface Agents {
  /** @throws PROJECT_ID_ALREADY_EXISTS */
  create(input: NewAgentInput): Promise<AgentRecord>
  list(accountId: AccountId): Promise<readonly AgentRecord[]>
  /** Null when there is no such agent. */
  find(agentId: AgentId): Promise<AgentRecord | null>
  /**
   * A new agent of the same account that begins with what main of this one holds: behavior, response settings, topics,
   * attributes and variants, under the same ids. @throws PROJECT_NOT_FOUND, PROJECT_ID_ALREADY_EXISTS
   */
  duplicate(agentId: AgentId, input: DuplicateInput): Promise<AgentRecord>
  /** Removes the agent with its branches and deployments; its open conversations end. @throws PROJECT_NOT_FOUND */
  delete(agentId: AgentId): Promise<void>

  /** Main first, then oldest first. @throws PROJECT_NOT_FOUND */
  branches(agentId: AgentId): Promise<readonly Branch[]>
  /** A branch with what it changed since its base revision. @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND */
  branch(agentId: AgentId, branchId: BranchId): Promise<BranchRecord>
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
  updateTopic(
    agentId: AgentId,
    branchId: BranchId,
    topicId: string,
    change: Partial<Topic>,
  ): Promise<Topic & { readonly id: string }>
  deleteTopic(agentId: AgentId, branchId: BranchId, topicId: string): Promise<void>
  attributes(agentId: AgentId, branchId: BranchId): Promise<readonly (Attribute & { readonly id: string })[]>
  /** @throws ATTRIBUTE_NOT_FOUND */
  attribute(agentId: AgentId, branchId: BranchId, id: string): Promise<Attribute & { readonly id: string }>
  createAttribute(
    agentId: AgentId,
    branchId: BranchId,
    input: Attribute,
  ): Promise<Attribute & { readonly id: string }>
  updateAttribute(
    agentId: AgentId,
    branchId: BranchId,
    id: string,
    change: Partial<Attribute>,
  ): Promise<Attribute & { readonly id: string }>
  deleteAttribute(agentId: AgentId, branchId: BranchId, id: string): Promise<void>
  variants(agentId: AgentId, branchId: BranchId): Promise<readonly (Variant & { readonly id: string })[]>
  /** @throws VARIANT_NOT_FOUND */
  variant(agentId: AgentId, branchId: BranchId, id: string): Promise<Variant & { readonly id: string }>
  createVariant(
    agentId: AgentId,
    branchId: BranchId,
    input: Pick<Variant, 'name'> & Partial<Variant>,
  ): Promise<Variant & { readonly id: string }>
  updateVariant(
    agentId: AgentId,
    branchId: BranchId,
    id: string,
    change: Partial<Variant>,
  ): Promise<Variant & { readonly id: string }>
  /** @throws VARIANTS_REMOVE_DEFAULT_ERROR */
  deleteVariant(agentId: AgentId, branchId: BranchId, id: string): Promise<void>

  /** What a merge of the branch would do, and what stands against it; nothing is written. Empty for main. */
  diff(agentId: AgentId, branchId: BranchId): Promise<BranchDiff>
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

/** Binds the use cases to a context, with caches of their own. */
export function createAgents(context: Context, hooks: AgentHooks): Agents {
  const scope = createScope(context, hooks)
  const bind =
    <Input extends readonly unknown[], Output>(
      verb: (scope: AgentsScope, ...input: Input) => Promise<Output>,
    ) =>
    (...input: Input): Promise<Output> =>
      verb(scope, ...input)
  return {
    create: bind(createAgent),
    list: bind(listAgents),
    find: bind(findAgent),
    duplicate: bind(duplicateAgent),
    delete: bind(deleteAgent),
    branches: bind(listBranches),
    branch: bind(readBranch),
    createBranch: bind(createBranch),
    deleteBranch: bind(deleteBranch),
    behavior: bind(readBehavior),
    updateBehavior: bind(updateBehavior),
    topics: bind(topics.list),
    topic: bind(topics.read),
    createTopic: bind(topics.create),
    updateTopic: bind(topics.update),
    deleteTopic: bind(topics.delete),
    attributes: bind(attributes.list),
    attribute: bind(attributes.read),
    createAttribute: bind(attributes.create),
    updateAttribute: bind(attributes.update),
    deleteAttribute: bind(attributes.delete),
    variants: bind(variants.list),
    variant: bind(variants.read),
    createVariant: bind(variants.create),
    updateVariant: bind(variants.update),
    deleteVariant: bind(variants.delete),
    diff: bind(diffBranch),
    merge: bind(mergeBranch),
    publish: bind(publish),
    promote: bind(promote),
    rollback: bind(rollback),
    deployments: bind(listDeployments),
    activeDeployments: bind(activeDeployments),
    content: bind(readContent),
  }
}
