import type { Agent, AgentRecord, Branch, DeletedAgent, Revision } from '../../domain/agent/agent.ts'
import type { ResourceChange } from '../../domain/agent/content.ts'
import type { AccountId, AgentId } from '../../domain/ids.ts'
import type { BranchStore } from './branches.ts'
import type { DeploymentStore } from './deployments.ts'
import type { Outbox } from './outbox.ts'
import type { RealTimeConfigStore } from './real-time-configs.ts'
import type { RevisionStore } from './revisions.ts'
import type { RolloutStore } from './rollouts.ts'
import type { TestRunStore } from './test-runs.ts'

/** A new agent with all that it starts with; written as a whole or not at all. */
export interface NewAgent {
  readonly agent: Agent
  readonly main: Branch
  readonly revision: Revision
  readonly changes: readonly ResourceChange[]
}

/** The name that something has, and the one that it gets. */
export interface Renaming {
  readonly before: string
  readonly after: string
}

/**
 * Agents: one aggregate, with content, branches, deployments, rollouts, real-time configs and test runs in groups of
 * their own.
 *
 * Every method reads or writes at one instant: no caller sees half of a write. Values are copied in and out.
 * A store decides no rule; it only says which of several racing writes came first. An `outbox` is kept with the write
 * (see `Outbox`). All of this holds for the groups too.
 */
export interface AgentStore {
  /** `taken` when an agent of that id exists in any account, or existed in another account; nothing is written then. */
  create(agent: NewAgent, outbox?: Outbox): Promise<'created' | 'taken'>
  /** Null when there is no such agent. */
  find(id: AgentId): Promise<Agent | null>
  /**
   * Returns the agent with the facts of its branches: `updatedAt` is the newest of its own, those of its branches, and
   * the `createdAt` of its newest revision.
   */
  findRecord(id: AgentId): Promise<AgentRecord | null>
  /** The account's agents, oldest first, then by id. */
  list(accountId: AccountId): Promise<readonly Agent[]>
  /**
   * Changes `updatedAt` and the name, which was another one. False when there is no agent of that id with the name
   * before; nothing is written then.
   */
  rename(id: AgentId, name: Renaming, updatedAt: number, outbox?: Outbox): Promise<boolean>
  /**
   * Removes the agent with all groups below, and with its alert rules, counters, phone numbers and pool of numbers, and
   * remembers in the same write that its account had it. False when it was not there; nothing is remembered then.
   */
  delete(id: AgentId, deletedAt: number, outbox?: Outbox): Promise<boolean>
  /**
   * The newest deletion of an agent of that id from that account; null when there was none. It stays for good, also
   * when the account gives the id to another agent.
   */
  findDeleted(accountId: AccountId, id: AgentId): Promise<DeletedAgent | null>

  readonly branches: BranchStore
  readonly revisions: RevisionStore
  readonly deployments: DeploymentStore
  readonly rollouts: RolloutStore
  readonly realTimeConfigs: RealTimeConfigStore
  readonly testRuns: TestRunStore
}
