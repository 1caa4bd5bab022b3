import type { AccountId, AgentId } from '@colloquy/core'
import type { CredentialFilter } from '@colloquy/core/store'
import { behind } from '../order.ts'

interface Owned {
  readonly id: string
  readonly accountId: AccountId | null
  readonly agentId: AgentId | null
  readonly createdAt: number
}

/** The first credentials that a filter lets through. */
export const credentials = <T extends Owned>(
  values: Iterable<T>,
  filter: CredentialFilter,
  limit: number,
): T[] =>
  behind(values, filter)
    .filter(one => filter.accountId === undefined || one.accountId === filter.accountId)
    .filter(one => filter.agentId === undefined || one.agentId === filter.agentId)
    .slice(0, limit)

/** Whether a use is to be noted: none was, or the newest is old enough, or further ahead than any clock (TM8). */
export const isDue = (lastUsedAt: number | null, at: number, interval: number): boolean =>
  lastUsedAt === null || lastUsedAt <= at - interval || lastUsedAt > at + interval
