import type { Agent, Branch, DeletedAgent, Deployment, Revision } from '../domain/agent/agent.ts'
import type { Resource, ResourceChange, ResourceKind } from '../domain/agent/content.ts'
import type { TestRun } from '../domain/agent/test-run.ts'
import type { AuditEntry } from '../domain/audit/audit.ts'
import type { Environment } from '../domain/environment.ts'
import type { AccountId, AgentId, BranchId, DeploymentId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import type { RealTimeConfig } from '../domain/real-time-config/real-time-config.ts'
import type { TestRunStore } from './test-run-store.ts'

/** A new agent with all that it starts with; written as a whole or not at all. */
export interface NewAgent {
  readonly agent: Agent
  readonly main: Branch
  readonly revision: Revision
  readonly changes: readonly ResourceChange[]
}

/** One step of main, with the branch and the deployment that go with it; written as a whole or not at all. */
export interface MainCommit {
  readonly agentId: AgentId
  /** The newest revision that the decision was based on. Anything else in the store: `stale`. */
  readonly expectedRevision: number
  /** The number that the agent's newest deployment had; 0 for none. Anything else in the store: `stale`. */
  readonly expectedDeployment: number
  /** The next revision; its number is `expectedRevision + 1`. */
  readonly revision: Revision
  readonly changes: readonly ResourceChange[]
  /** The merged branch as it goes on from the new revision: its own changes are dropped. */
  readonly branch: { readonly expectedVersion: number; readonly next: Branch }
  readonly deployment: Deployment
  /** The run of the deployment's test cases; null when there are none. */
  readonly testRun: TestRun | null
}

/** Which resources to read. All given conditions must hold; none given: all resources. */
export interface ResourceFilter {
  readonly kinds?: readonly ResourceKind[]
  /** Keys as made by `resourceKey`. */
  readonly keys?: readonly string[]
  /** Exact, case-sensitive names, for the kinds whose value has a `name`. */
  readonly names?: readonly string[]
}

/**
 * Agents with their content, branches, deployments, real-time configs and test runs: one aggregate.
 *
 * Every method reads or writes at one instant: no caller sees half of a write. Values are copied in and out.
 * A store decides no rule; it only says which of several racing writes came first. An `entry` is kept in the same write, exactly
 * when something changes (see `AuditStore`).
 */
export interface AgentStore extends TestRunStore {
  /** `taken` when an agent of that id exists, in whatever account, or existed in another account; nothing is written then. */
  createAgent(agent: NewAgent, entry?: AuditEntry): Promise<'created' | 'taken'>
  /** Null when there is no such agent. */
  agent(id: AgentId): Promise<Agent | null>
  /** The account's agents, oldest first, then by id. */
  agents(accountId: AccountId): Promise<readonly Agent[]>
  /**
   * Removes the agent with all branches, revisions, deployments, real-time configs and test runs, and remembers in the same write that its account had it.
   * False when it was not there; nothing is remembered then.
   */
  deleteAgent(id: AgentId, deletedAt: number, entry?: AuditEntry): Promise<boolean>
  /**
   * The newest deletion of an agent of that id from that account; null when there was none. It stays for good, also when the
   * account gives the id to another agent.
   */
  deletedAgent(accountId: AccountId, id: AgentId): Promise<DeletedAgent | null>

  /** `missing` when the agent is gone, `taken` when the branch id exists. Branch names may repeat. */
  createBranch(branch: Branch): Promise<'created' | 'taken' | 'missing'>
  branch(agentId: AgentId, branchId: BranchId): Promise<Branch | null>
  /** Main included; oldest first, then by id. */
  branches(agentId: AgentId): Promise<readonly Branch[]>
  /** Removes the branch with its changes. False when it was not there. */
  deleteBranch(agentId: AgentId, branchId: BranchId, entry?: AuditEntry): Promise<boolean>
  /**
   * Writes changes of a branch over its earlier changes of the same resources.
   * Of two edits with the same `expectedVersion` one wins; the other, and an edit of a branch that is gone, is `stale`
   * and writes nothing. `next.version` is `expectedVersion + 1`.
   */
  editBranch(
    expectedVersion: number,
    next: Branch,
    changes: readonly ResourceChange[],
  ): Promise<'written' | 'stale'>
  /** The branch's own changes, removals included, in no particular order; empty when it has none. */
  branchChanges(agentId: AgentId, branchId: BranchId): Promise<readonly ResourceChange[]>

  /** The newest revision of main; null when there is no such agent. */
  head(agentId: AgentId): Promise<Revision | null>
  revision(agentId: AgentId, number: number): Promise<Revision | null>
  /** For each resource its newest version not after the revision; removed ones left out. In no particular order. */
  resourcesAt(agentId: AgentId, revision: number, filter?: ResourceFilter): Promise<readonly Resource[]>
  /** For each resource that main changed after revision `after` and not after `through`: its newest change there. */
  changesBetween(agentId: AgentId, after: number, through: number): Promise<readonly ResourceChange[]>
  /**
   * Appends a revision to main together with its branch and deployment. Of two commits with the same expectations one
   * wins; the others are `stale` and write nothing.
   */
  commit(commit: MainCommit, entry?: AuditEntry): Promise<'committed' | 'stale'>

  /**
   * Adds a deployment, and the run of its test cases if there is one. Its number is the newest deployment's number plus one; of two with the same number one wins, the
   * other, and one whose agent is gone, is `stale`, and
   * nothing is written.
   */
  deploy(deployment: Deployment, testRun: TestRun | null, entry?: AuditEntry): Promise<'deployed' | 'stale'>
  deployment(agentId: AgentId, id: DeploymentId): Promise<Deployment | null>
  /** Newest first; at most `limit`. */
  deployments(agentId: AgentId, environment: Environment, limit: number): Promise<readonly Deployment[]>
  /** The newest deployment of each environment that has one, in no particular order. */
  activeDeployments(agentId: AgentId): Promise<readonly Deployment[]>
  /** The number of the agent's newest deployment; 0 for none. */
  lastDeploymentNumber(agentId: AgentId): Promise<number>

  /** Null until it is first written. */
  realTimeConfig(agentId: AgentId, environment: Environment): Promise<RealTimeConfig | null>
  /** Those that were written, in no particular order. */
  realTimeConfigs(agentId: AgentId): Promise<readonly RealTimeConfig[]>
  /** The variables of {@link AgentStore.realTimeConfig} alone: every turn reads them. */
  realTimeVariables(agentId: AgentId, environment: Environment): Promise<JsonObject | null>
  /**
   * Writes the whole config over the earlier one. Of two writes with the same `expectedVersion` (0: none was written) one wins; the
   * other, and one whose agent is gone, is `stale` and writes nothing. `next.version` is `expectedVersion + 1`.
   */
  writeRealTimeConfig(
    expectedVersion: number,
    next: RealTimeConfig,
    entry?: AuditEntry,
  ): Promise<'written' | 'stale'>
}
