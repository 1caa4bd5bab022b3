import type { AccountId, AgentId } from '../ids.ts'
import type { JsonObject } from '../json.ts'

/** A number of an agent's pool, which is reserved for one caller at a time. No two pools have the same one. */
export interface PooledNumber {
  /** E.164, for example `+442079460018`. */
  readonly number: string
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly createdAt: number
  /** The time when it becomes free, milliseconds: the end of its last reservation, else when it was added. */
  readonly freeFrom: number
  /** The purpose of its last reservation. Null if it had none, or if those were forgotten. */
  readonly attributes: JsonObject | null
}

/** A number that is reserved, and what for. */
export interface NumberReservation {
  /** E.164. */
  readonly number: string
  readonly accountId: AccountId
  readonly agentId: AgentId
  /** Integration attributes of the conversation that begins with a call or text to the number. */
  readonly attributes: JsonObject
  /** The end of the reservation, milliseconds. */
  readonly until: number
}

/** Returns the reservation of a number at a moment; null once it has lapsed, the exact moment included (TP23). */
export function reservationAt(pooled: PooledNumber, now: number): NumberReservation | null {
  const { number, accountId, agentId, attributes, freeFrom: until } = pooled
  return attributes === null || now >= until ? null : { number, accountId, agentId, attributes, until }
}
