import type { Narrowed } from './conditions.ts'
import type { Piece } from './passage.ts'

/** A conversation as the list shows it. */
export interface Row extends Narrowed {
  readonly id: string
  readonly project_id: string
  readonly started_at: string
  readonly in_progress: boolean
  readonly num_turns: number
  readonly variant_name: string
  readonly handoff_destination: string
  readonly first_words: string
  readonly visitor?: { readonly name?: string }
  /** The passage that a search has found. */
  readonly passage?: readonly Piece[] | null
}
