import type { Branch } from '../../domain/agent/agent.ts'
import type { ResourceChange } from '../../domain/agent/content.ts'
import type { AgentId, BranchId } from '../../domain/ids.ts'
import type { Outbox } from './outbox.ts'

/** Branches of agents, each with its own changes. Part of the agent's aggregate, and deleted with it. */
export interface BranchStore {
  /** `missing` when the agent is gone, `taken` when the branch id exists. Branch names may repeat. */
  create(branch: Branch): Promise<'created' | 'taken' | 'missing'>
  find(agentId: AgentId, branchId: BranchId): Promise<Branch | null>
  /** Main included; oldest first, then by id. */
  list(agentId: AgentId): Promise<readonly Branch[]>
  /** Removes the branch with its changes. False when it was not there. */
  delete(agentId: AgentId, branchId: BranchId, outbox?: Outbox): Promise<boolean>
  /**
   * Writes changes of a branch over its earlier changes of the same resources.
   * Of two edits with the same `expectedVersion` one wins; the other, and an edit of a branch that is gone, is `stale`
   * and writes nothing. `next.version` is `expectedVersion + 1`.
   */
  edit(
    expectedVersion: number,
    next: Branch,
    changes: readonly ResourceChange[],
  ): Promise<'written' | 'stale'>
  /** The branch's own changes, removals included, in no particular order; empty when it has none. */
  changes(agentId: AgentId, branchId: BranchId): Promise<readonly ResourceChange[]>
}
