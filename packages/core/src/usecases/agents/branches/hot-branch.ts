import type { ResourceChange } from '../../../domain/agent/content.ts'

/** A branch's changes as of one of its versions; grows in place with the edits that this process writes. */
export interface HotBranch {
  version: number
  /** The bytes of all that the branch holds; null until an edit asks. */
  contentBytes: number | null
  readonly changes: Map<string, ResourceChange>
}
