import type { AccountId } from '../domain/ids.ts'

/** Where a visitor stands who waits for the built-in desk. */
export interface QueuePlace {
  readonly accountId: AccountId
  readonly queueName: string
  /** From 1. */
  readonly position: number
  /** Null while it is not known. */
  readonly estimatedWaitSeconds: number | null
}
