import type { HandoffSummary } from '../../domain/conversation/summary.ts'

/** A summary of a conversation for live agents, made by a model (DK645). */
export interface DeskSummary {
  readonly status: 'pending' | 'done' | 'failed'
  /** Empty unless it is done. */
  readonly text: string
  /** Why it failed; null otherwise. */
  readonly failure: 'timed_out' | 'failed' | null
  /** The time of its status, milliseconds since the epoch. */
  readonly at: number
}

/** Returns a summary as live agents get it. */
export const summaryOf = ({ at, failure, status, text }: HandoffSummary): DeskSummary => ({
  ...{ status, text, failure, at },
})
