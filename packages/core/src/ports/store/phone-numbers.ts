import type { AgentId, ConnectorId } from '../../domain/ids.ts'
import type { PhoneNumber } from '../../domain/telephony/phone-number.ts'
import type { Outbox } from './outbox.ts'

/** The filter for a list of an agent's numbers. */
export interface PhoneNumberFilter {
  /** Only numbers that this connector answers. */
  readonly connectorId?: ConnectorId
  /** Only numbers after this one. */
  readonly after?: string
}

/** The result of adding numbers. */
export type AddedNumbers =
  | { readonly outcome: 'added' | 'full' }
  /** The numbers that exist already, of any agent. */
  | { readonly outcome: 'taken'; readonly numbers: readonly string[] }

/**
 * Phone numbers of agents; a number exists once. Every method reads or writes at one instant; values are copied in and
 * out. An `outbox` is kept with the write (see `Outbox`). Lists are in the order of the code points of the number.
 *
 * `ConnectorStore` and `AgentStore` write them too: a connector that moves takes its numbers along, one that is revoked
 * and an agent that is deleted take theirs away.
 */
export interface PhoneNumberStore {
  /**
   * Adds numbers of one agent, none twice: all or none. `taken` when one of them exists, else `full` when the agent
   * would have more than `limit`.
   */
  add(numbers: readonly PhoneNumber[], limit: number, outbox?: Outbox): Promise<AddedNumbers>
  /** Returns those of the given numbers that exist, of any agent. */
  find(numbers: readonly string[]): Promise<readonly PhoneNumber[]>
  /** The agent's, at most `limit`. */
  list(agentId: AgentId, filter: PhoneNumberFilter, limit: number): Promise<readonly PhoneNumber[]>
  /**
   * Replaces `before` with `next`, which has the same number, if it still equals `before`, and if the connector of
   * `next`, where it has one, is a telephony connector of its agent and environment that was not revoked. Otherwise
   * `stale`, and nothing is written.
   */
  update(before: PhoneNumber, next: PhoneNumber, outbox?: Outbox): Promise<'written' | 'stale'>
  /** Removes a number of the agent. False when it has none such. */
  remove(agentId: AgentId, number: string, outbox?: Outbox): Promise<boolean>
}
