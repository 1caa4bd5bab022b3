import type { AgentId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { PooledNumber } from '../../domain/telephony/pooled-number.ts'
import type { Outbox } from './outbox.ts'
import type { AddedNumbers } from './phone-numbers.ts'

/** The purpose and the time of a reservation. */
export interface NewReservation {
  readonly attributes: JsonObject
  /** Now, milliseconds: numbers that are free from then on or before are free. */
  readonly at: number
  /** The time when the number becomes free again. */
  readonly until: number
}

/**
 * Numbers that agents have in their pools; a number is in one pool. Every method reads or writes at one instant; values
 * are copied in and out. An `outbox` is kept with the write (see `Outbox`). `AgentStore` writes them too: an agent that
 * is deleted takes its pool away.
 */
export interface NumberPoolStore {
  /**
   * Adds numbers to the pool of one agent, none twice: all or none. `taken` when one of them is in a pool, else `full`
   * when the agent would have more than `limit`.
   */
  add(numbers: readonly PooledNumber[], limit: number, outbox?: Outbox): Promise<AddedNumbers>
  /** Null when it is in no pool. */
  find(number: string): Promise<PooledNumber | null>
  /** The agent's behind `after`, in the order of the code points of the number, at most `limit`. */
  list(agentId: AgentId, filter: { readonly after?: string }, limit: number): Promise<readonly PooledNumber[]>
  /**
   * Reserves the agent's number that has been free the longest: of those that are free at `at` the one with the
   * earliest `freeFrom`, then by the code points of the number. It gets the attributes, and is free from `until` on. In
   * the same write the attributes of the agent's other numbers that are free are forgotten: they become null. Resolves
   * with the number as it is now, or with null when none is free; nothing is reserved then.
   *
   * Calls for one agent take effect one after the other: two never get the same number before it is free again.
   */
  reserve(agentId: AgentId, reservation: NewReservation): Promise<PooledNumber | null>
  /** Removes a number of the agent's pool, reserved or not. False when it has none such. */
  remove(agentId: AgentId, number: string, outbox?: Outbox): Promise<boolean>
}
