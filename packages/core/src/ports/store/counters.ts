import type { Count, CounterName, ValueCount } from '../../domain/alert/counters.ts'
import type { AccountId, AgentId, DeploymentId } from '../../domain/ids.ts'

/** The filter for counts of an account. */
export interface CounterFilter {
  readonly accountId: AccountId
  /** Only what concerns this agent. @default all of the account, also what concerns no agent */
  readonly agentId?: AgentId
  /** Only turns that this deployment gave. @default all */
  readonly deploymentId?: DeploymentId
  readonly name: CounterName
  /** The first minute that counts; all later ones do. */
  readonly from: number
}

/**
 * Counters by account, agent, deployment, name, minute and measured value. Every method reads or writes at one instant;
 * values are copied in and out.
 */
export interface CounterStore {
  /** Adds to what was counted before: all of them, or none. The same counter may be among them several times. */
  add(counts: readonly Count[]): Promise<void>
  /** The sums by value, ascending. */
  sum(filter: CounterFilter): Promise<readonly ValueCount[]>
  /**
   * Removes what an account, or one of its agents, had counted under a name within a minute that began before `before`:
   * at most `limit` such minutes, oldest first. Returns how many.
   */
  forget(before: number, limit: number): Promise<number>
}
