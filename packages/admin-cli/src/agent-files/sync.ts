import {
  type Conflict,
  type ContentTree,
  diff,
  type MergeSides,
  merge,
  nameOf,
  type Resolution,
  type ResourceChange,
  type ResourceKind,
  resourceKey,
} from '@colloquy/core/domain'
import { diffArrays } from 'diff'
import { FILES } from './layout.ts'
import { type AgentFile, filesOf } from './render.ts'

/** A branch and a folder, and what both were when the folder was pulled. */
export interface Sides {
  readonly base: ContentTree
  readonly branch: ContentTree
  readonly files: ContentTree
}

/** Result of merging a branch and a folder. */
export type Synced =
  | {
      readonly status: 'merged'
      readonly tree: ContentTree
      /** Changes to make on the branch. */
      readonly changes: readonly ResourceChange[]
    }
  | { readonly status: 'conflicts'; readonly conflicts: readonly Conflict[] }
  | { readonly status: 'invalid'; readonly reason: string }

const mergeSides = ({ base, branch, files }: Sides): MergeSides => ({ base, ours: branch, theirs: files })

/** Merges three ways, by field, with the rules of a merge of branches; the branch takes main's part (CL22). */
export function sync(sides: Sides, resolutions: readonly Resolution[] = []): Synced {
  const result = merge(mergeSides(sides), resolutions)
  return result.status === 'merged' ? { ...result, changes: diff(sides.branch, result.tree) } : result
}

/** Settled conflicts may bring up others, but not more often than this. */
const ROUNDS = 8

/** Returns the merge with every conflict settled for one side; null if that is not allowed. */
function settled(sides: Sides, strategy: 'ours' | 'theirs'): ContentTree | null {
  const resolutions: Resolution[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const result = sync(sides, resolutions)
    if (result.status === 'merged') return result.tree
    if (result.status === 'invalid') return null
    resolutions.push(...result.conflicts.map(({ path }) => ({ path, strategy })))
  }
  return null
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** One text of two, with git's markers around what differs. */
function marked(branch: string, files: string): string {
  const lines: string[] = []
  const parts = diffArrays(linesOf(branch), linesOf(files))
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]
    if (part === undefined) break
    if (!part.added && !part.removed) {
      lines.push(...part.value)
      continue
    }
    const next = parts[at + 1]
    const paired = next !== undefined && (next.added || next.removed) ? next : null
    const [gone, come] = part.removed ? [part, paired] : [paired, part]
    lines.push('<<<<<<< branch', ...(gone?.value ?? []), '=======', ...(come?.value ?? []), '>>>>>>> files')
    if (paired !== null) at++
  }
  return `${lines.join('\n')}\n`
}

/**
 * Returns the files of the merge with conflict markers where the sides are in conflict: of each such file the branch's
 * lines and the folder's. Null if the conflicts cannot be shown so.
 */
export function conflictFiles(sides: Sides): readonly AgentFile[] | null {
  const [ours, theirs] = [settled(sides, 'ours'), settled(sides, 'theirs')]
  if (ours === null || theirs === null) return null
  const [branch, files] = [filesOf(ours), filesOf(theirs)]
  const other = new Map(branch.map(file => [file.unit, file]))
  const both = files.map(file => {
    const text = other.get(file.unit)?.text ?? ''
    return text === file.text ? file : { ...file, text: marked(text, file.text) }
  })
  const units = new Set(files.map(({ unit }) => unit))
  const gone = branch.filter(({ unit }) => !units.has(unit))
  return [...both, ...gone.map(file => ({ ...file, text: marked(file.text, '') }))]
}

/** A conflict as it is shown: the file, the field, and what each side has. */
export interface ShownConflict {
  readonly file: string
  readonly field: string
  readonly base: unknown
  readonly branch: unknown
  readonly files: unknown
}

const KINDS: readonly ResourceKind[] = ['topics', 'attributes', 'variants', 'test_cases']

/** Returns the file that a path of a conflict leads to. */
function fileOf(path: readonly string[], sides: Sides, places: ReadonlyMap<string, string>): string {
  const [kind = '', name = ''] = path
  if (kind === 'behavior') return FILES.behavior
  if (kind === 'response_settings') return FILES.response_settings
  if (kind === 'attributes') return FILES.attributes
  for (const tree of [sides.base, sides.files, sides.branch]) {
    for (const resource of tree.values()) {
      if (resource.kind !== kind || nameOf(resource) !== name) continue
      const unit = resourceKey(resource)
      return places.get(unit) ?? filesOf(tree).find(file => file.unit === unit)?.path ?? kind
    }
  }
  return kind
}

/** Conflicts by file and field. */
export const shownConflicts = (
  conflicts: readonly Conflict[],
  sides: Sides,
  places: ReadonlyMap<string, string>,
): readonly ShownConflict[] =>
  conflicts.map(({ path, baseValue, oursValue, theirsValue }) => {
    const named = KINDS.some(kind => kind === path[0])
    const field = path.slice(named ? (path[0] === 'attributes' ? 1 : 2) : path.length > 1 ? 1 : 0).join('.')
    return {
      ...{ file: fileOf(path, sides, places), field },
      base: baseValue,
      branch: oursValue,
      files: theirsValue,
    }
  })
