import { z } from 'zod'

/** A resolution as a caller gives it. */
export interface Resolution {
  readonly path: readonly string[]
  readonly strategy: 'ours' | 'theirs' | 'base'
  readonly value?: unknown
}

const aValue = z.json()

/** The body of a refusal with conflicts, and nothing else. */
export const conflictsBody = z.strictObject({
  hasConflicts: z.literal(true),
  conflicts: z.array(
    z.strictObject({
      path: z.array(z.string()),
      baseValue: aValue,
      oursValue: aValue,
      theirsValue: aValue,
      type: z.enum(['modify', 'add', 'delete']),
    }),
  ),
  errors: z.tuple([]),
})
