import type { Kinded } from './kinds.ts'

/** A conversation as the list shows it. */
export interface Row extends Kinded {
  readonly id: string
  readonly started_at: string
  readonly in_progress: boolean
  readonly num_turns: number
  readonly variant_name: string
  readonly handoff_destination: string
  readonly first_words: string
}
