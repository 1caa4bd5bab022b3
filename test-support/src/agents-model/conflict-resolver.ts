import { z } from 'zod'
import type { Value } from './content.ts'

/** The same thing where the branch began, on main, and on the branch. */
export interface Three<T> {
  readonly base: T
  readonly ours: T
  readonly theirs: T
}

/** A conflict as the contract shows it. */
export interface Conflict {
  readonly path: readonly string[]
  readonly baseValue: Value
  readonly oursValue: Value
  readonly theirsValue: Value
  readonly type: 'modify' | 'add' | 'delete'
}

/** A resolution as a caller gives it. */
export interface Resolution {
  readonly path: readonly string[]
  readonly strategy: 'ours' | 'theirs' | 'base'
  readonly value?: unknown
}

/** Resolution of a conflict: a side, or a given value. */
export type Settlement =
  | { readonly side: 'ours' | 'theirs' | 'base' }
  | { readonly side: 'given'; readonly value: Value }

/** Settles the conflicts of one merge. */
export interface ConflictResolver {
  /** The settlement by the resolution with the longest path that fits; without one main wins for now (AG5, AG14). */
  settle(
    path: readonly string[],
    three: Three<Value | undefined>,
    fits: (value: unknown) => boolean,
  ): Settlement
  /** Conflicts that no resolution settles; one for each path. */
  open(): readonly Conflict[]
  /** The paths of all conflicts, settled or not. */
  paths(): readonly (readonly string[])[]
  /** True when a resolution gave a value that is not allowed there. */
  misfits(): boolean
}

const isValue = (value: unknown): value is Value => z.json().safeParse(value).success

/** A resolver with these resolutions. */
export function createConflictResolver(resolutions: readonly Resolution[]): ConflictResolver {
  const open: Conflict[] = []
  const paths: (readonly string[])[] = []
  let misfit = false
  const begins = (path: readonly string[], start: readonly string[]): boolean =>
    start.length <= path.length && start.every((part, at) => path[at] === part)

  return {
    settle(path, three, fits) {
      paths.push(path)
      // Two resolutions with one path are refused, so either may be used here.
      const [resolution] = resolutions
        .filter(one => begins(path, one.path))
        .sort((a, b) => b.path.length - a.path.length)
      if (!resolution) {
        const type =
          three.base === undefined
            ? 'add'
            : three.ours === undefined || three.theirs === undefined
              ? 'delete'
              : 'modify'
        const values = {
          baseValue: three.base ?? null,
          oursValue: three.ours ?? null,
          theirsValue: three.theirs ?? null,
        }
        const known = open.some(one => JSON.stringify(one.path) === JSON.stringify(path))
        if (!known) open.push({ path, ...values, type })
        return { side: 'ours' }
      }
      const { strategy, value } = resolution
      if (value === undefined || value === null) return { side: strategy }
      const whole = resolution.path.length === path.length
      if (strategy === 'theirs' && whole && fits(value) && isValue(value)) return { side: 'given', value }
      misfit = true
      return { side: strategy }
    },
    open: () => open,
    paths: () => paths,
    misfits: () => misfit,
  }
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

/** Conflicts in a fixed order; the order itself does not matter. */
export const inOrder = <T extends { readonly path: readonly string[] }>(
  conflicts: readonly T[],
): readonly T[] => [...conflicts].sort((a, b) => (JSON.stringify(a.path) < JSON.stringify(b.path) ? -1 : 1))
