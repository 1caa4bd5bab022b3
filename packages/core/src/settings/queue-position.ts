import type { AccountId } from '../domain/ids.ts'

/** The position of a visitor who waits for the built-in desk. */
export interface QueuePosition {
  readonly accountId: AccountId
  readonly queueName: string
  /** From 1. */
  readonly position: number
  /** Null while it is not known. */
  readonly estimatedWaitSeconds: number | null
}
