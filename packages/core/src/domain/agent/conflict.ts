import * as z from 'zod'
import type { Json } from '../json.ts'

/** The kind of a conflict: two changes, two additions, or a change and a removal. */
export type ConflictType = 'modify' | 'add' | 'delete'

/**
 * A field that is not the same on all three sides of a merge. `ours` is main, `theirs` the branch. A value is null if
 * that side does not have the field.
 */
export interface Difference {
  /** `["topics", "<name>", "content"]`; `["response_settings", "greeting"]` and `["behavior"]`, which exist once. */
  readonly path: readonly string[]
  readonly baseValue: Json
  readonly oursValue: Json
  readonly theirsValue: Json
  readonly type: ConflictType
}

/** A difference that a merge cannot decide (contract/agents.md, Merge). */
export type Conflict = Difference

/** Bounds of how conflicts are settled (contract/limits.md, Content). */
const RESOLUTION_LIMITS = { resolutions: 5_000, pathParts: 8 } as const

/**
 * The resolution of the conflicts at `path`, and of those below it unless a longer path is given. `value` is for
 * `theirs` and replaces the branch's value.
 */
export const resolutionSchema = z.object({
  path: z.array(z.string()).min(1).max(RESOLUTION_LIMITS.pathParts),
  strategy: z.enum(['ours', 'theirs', 'base']),
  value: z.unknown().optional(),
})

/** The resolutions of a merge. */
export const resolutionsSchema = z.array(resolutionSchema).max(RESOLUTION_LIMITS.resolutions)

/** One resolution, as {@link resolutionSchema} checks it. */
export interface Resolution {
  readonly path: readonly string[]
  readonly strategy: 'ours' | 'theirs' | 'base'
  readonly value?: unknown
}

/** One field on the three sides of a merge; undefined if a side does not have it. */
export interface FieldSides {
  readonly base: Json | undefined
  readonly ours: Json | undefined
  readonly theirs: Json | undefined
}

/** A field with its path, as it is on the three sides. */
export interface NotedDifference {
  readonly path: readonly string[]
  readonly sides: FieldSides
}

/** The outcome of one conflict: a side's value, or a value of its own. */
export type Verdict =
  | { readonly side: 'ours' | 'theirs' | 'base' }
  | { readonly side: 'value'; readonly value: Json }

/** Collects the differences and conflicts of one merge, and settles the conflicts. */
export interface ConflictResolver {
  /** Notes a field that is not the same on all sides. */
  note(path: readonly string[], sides: FieldSides): void
  /** The verdict of the resolution that fits. `ours`, for the time being, when none does: the conflict is then open. */
  settle(path: readonly string[], sides: FieldSides, parse: (value: unknown) => Json | undefined): Verdict
  /** Notes why the outcome of the verdicts is not allowed. */
  refuse(reason: string): void
  /** The noted differences. Two additions of both sides at one path are one difference. */
  differences(): readonly NotedDifference[]
  /** Conflicts without a resolution. */
  open(): readonly Conflict[]
  /** The errors in single resolutions, independent of the others. */
  faults(): readonly string[]
  /** Returns why the outcome is not allowed; meaningful once no conflict is open. */
  refusals(): readonly string[]
  /** Resolutions that fitted no conflict. */
  unused(): readonly Resolution[]
}

/** One text for each path. */
export const keyOf = (path: readonly string[]): string => JSON.stringify(path)

const typeOf = (sides: FieldSides): ConflictType => {
  if (sides.base === undefined) return 'add'
  return sides.ours === undefined || sides.theirs === undefined ? 'delete' : 'modify'
}

/** Returns a difference as it is shown. */
export const differenceAt = (path: readonly string[], sides: FieldSides): Difference => ({
  path,
  baseValue: sides.base ?? null,
  oursValue: sides.ours ?? null,
  theirsValue: sides.theirs ?? null,
  type: typeOf(sides),
})

/**
 * Makes the resolver of one merge. Its state lives as long as that merge, and its methods share it: hence one long
 * function.
 */
export function createConflictResolver(resolutions: readonly Resolution[]): ConflictResolver {
  const byPath = new Map(resolutions.map(resolution => [keyOf(resolution.path), resolution]))
  const used = new Set<Resolution>()
  const noted: NotedDifference[] = []
  const additions = new Map<string, number>()
  const open = new Map<string, Conflict>()
  const faults: string[] = []
  const refusals: string[] = []
  if (byPath.size < resolutions.length) faults.push('Two resolutions have the same path; give one for each.')

  const fitting = (path: readonly string[]): Resolution | undefined => {
    for (let length = path.length; length > 0; length--) {
      const resolution = byPath.get(keyOf(path.slice(0, length)))
      if (resolution) return resolution
    }
    return undefined
  }

  const verdictOf = (
    resolution: Resolution,
    path: readonly string[],
    parse: (value: unknown) => Json | undefined,
  ): Verdict => {
    const { strategy, value } = resolution
    if (value === undefined || value === null) return { side: strategy }
    const parsed = resolution.path.length === path.length ? parse(value) : undefined
    if (strategy === 'theirs' && parsed !== undefined) return { side: 'value', value: parsed }
    faults.push(
      strategy === 'theirs'
        ? `The value given for ${keyOf(path)} does not fit that field.`
        : `A value may be given with the strategy "theirs" alone, not with "${strategy}" (${keyOf(path)}).`,
    )
    return { side: strategy }
  }

  return {
    note(path, sides) {
      const place = sides.base === undefined ? additions.get(keyOf(path)) : undefined
      const other = place === undefined ? undefined : noted[place]?.sides
      if (place !== undefined && other && (other.ours === undefined) !== (sides.ours === undefined)) {
        const [ours, theirs] =
          other.ours === undefined ? [sides.ours, other.theirs] : [other.ours, sides.theirs]
        noted[place] = { path, sides: { base: undefined, ours, theirs } }
        return
      }
      if (sides.base === undefined) additions.set(keyOf(path), noted.length)
      noted.push({ path, sides })
    },
    differences: () => noted,
    settle(path, sides, parse) {
      const resolution = fitting(path)
      if (resolution) {
        used.add(resolution)
        return verdictOf(resolution, path, parse)
      }
      if (!open.has(keyOf(path))) open.set(keyOf(path), differenceAt(path, sides))
      return { side: 'ours' }
    },
    refuse: reason => void refusals.push(reason),
    open: () => [...open.values()],
    faults: () => faults,
    refusals: () => refusals,
    unused: () => resolutions.filter(resolution => !used.has(resolution)),
  }
}
