import {
  type Conflict,
  type ConflictResolver,
  createConflictResolver,
  type Difference,
  differenceAt,
  type FieldSides,
  keyOf,
  type Resolution,
} from './conflict.ts'
import { type ContentTree, type ResourceKind, resourceKey } from './content.ts'
import { attributeField, type Fields, fieldsOf, resourceFrom, sameField } from './fields.ts'
import { type MergedKind, type MergeSides, mergeKind } from './merge-kind.ts'
import { alignTestCases } from './test-cases.ts'
import { treeOf } from './tree.ts'
import {
  alignVariants,
  attributeNames,
  changedColumns,
  defaultClaim,
  defaultVariantId,
  goneAttributes,
} from './variants.ts'

export type { MergeSides } from './merge-kind.ts'

/** The result of a merge. Unless it is `merged`, nothing may be written. */
export type MergeResult =
  | { readonly status: 'merged'; readonly tree: ContentTree }
  | {
      readonly status: 'conflicts'
      readonly conflicts: readonly Conflict[]
      /** The result if every conflict is resolved for main. */
      readonly tree: ContentTree
    }
  | { readonly status: 'invalid'; readonly reason: string }

/**
 * The kinds in which a change of one resource can change another. A removed attribute takes its values out of every
 * variant. A variant that became one with another is renamed in the test cases. None of them grows with the topics.
 */
export const RELATED_KINDS: readonly ResourceKind[] = ['attributes', 'variants', 'test_cases']

/**
 * Merges a branch into main: three ways, by field (contract/agents.md, Merge).
 *
 * The trees may be sparse: all three then hold, of the resources that either side changed, what that side has of them;
 * if one of these is of the {@link RELATED_KINDS}, they hold all of these kinds. The result has the same extent.
 * Exactly one default variant holds after the merge of contents that have exactly one each.
 */
export function merge(sides: MergeSides, resolutions: readonly Resolution[] = []): MergeResult {
  const resolver = createConflictResolver(resolutions)
  const tree = mergedTree(sides, resolver)
  const stray = strayResolution(sides, resolutions, resolver.unused())
  const fault = resolver.faults()[0]
  if (fault !== undefined) return { status: 'invalid', reason: fault }
  if (stray) {
    return { status: 'invalid', reason: `There is no conflict at ${JSON.stringify(stray.path)} to resolve.` }
  }
  if (resolver.open().length > 0) return { status: 'conflicts', conflicts: resolver.open(), tree }
  const refusal = resolver.refusals()[0]
  return refusal === undefined ? { status: 'merged', tree } : { status: 'invalid', reason: refusal }
}

/** A preview of a merge, with every value on the three sides. */
export interface MergePreview {
  /**
   * The changes that the merge brings to main: made by the branch, and not already in main. Conflicts are resolved
   * for the branch.
   */
  readonly changes: readonly Difference[]
  /** The changes of main since the branch began. */
  readonly mainChanges: readonly Difference[]
  /** The conflicts that need a resolution. */
  readonly conflicts: readonly Conflict[]
}

/** Returns the preview of {@link merge} for the same sides without resolutions. */
export function previewMerge(sides: MergeSides): MergePreview {
  const resolver = createConflictResolver([])
  mergedTree(sides, resolver)
  const where = (test: (sides: FieldSides) => boolean): readonly Difference[] =>
    resolver.differences().flatMap(({ path, sides }) => (test(sides) ? [differenceAt(path, sides)] : []))
  return {
    changes: where(({ base, ours, theirs }) => !sameField(theirs, base) && !sameField(theirs, ours)),
    mainChanges: where(({ base, ours }) => !sameField(ours, base)),
    conflicts: resolver.open(),
  }
}

/** Settled conflicts bring up others, and these others again, but not more often than this. */
const ROUNDS = 8

/**
 * A resolution may also be for a conflict that another resolution has made go away, be it one that showed with it. The
 * first that is not even that: for which no conflict shows at any round when those that fit are given round after round
 * (AG14).
 */
function strayResolution(
  sides: MergeSides,
  resolutions: readonly Resolution[],
  unused: readonly Resolution[],
): Resolution | undefined {
  const fitting = new Set<Resolution>()
  const isStray = (resolution: Resolution): boolean => !fitting.has(resolution)
  for (let round = 0; round < ROUNDS && unused.some(isStray); round++) {
    const resolver = createConflictResolver([...fitting])
    mergedTree(sides, resolver)
    const shown = new Set(
      resolver.open().flatMap(({ path }) => path.map((_, at) => keyOf(path.slice(0, at + 1)))),
    )
    const answers = resolutions.filter(one => isStray(one) && shown.has(keyOf(one.path)))
    if (answers.length === 0) break
    for (const one of answers) fitting.add(one)
  }
  return unused.find(isStray)
}

function mergedTree(sides: MergeSides, resolver: ConflictResolver): ContentTree {
  const names = attributeNames(sides)
  const attributeName = (id: string): string => names.get(id) ?? id
  const plain = { resolver, attributeName, claim: () => null, dropped: new Set<string>() }
  const columns = [changedColumns(sides.base, sides.ours), changedColumns(sides.base, sides.theirs)]
  const attributes = mergeKind('attributes', sides, {
    ...plain,
    claim: id =>
      columns.some(
        (changed, side) =>
          changed.has(id) && (side === 0 ? sides.ours : sides.theirs).has(`attributes/${id}`),
      )
        ? { field: 'name', base: attributeName(id), kept: attributeName(id) }
        : null,
  })
  const aligned = alignVariants(sides, attributes.united)
  const dropped = new Set([...goneAttributes(sides, attributes)].map(attributeField))
  const variants = mergeKind('variants', aligned, {
    ...plain,
    claim: id => defaultClaim(sides, id),
    dropped,
  })
  const defaultId = mergedDefault(sides, variants, resolver)
  const kept = keepDefault(aligned, variants, defaultId, resolver)
  const rest = (['behavior', 'response_settings', 'topics'] as const).map(kind => ({
    kind,
    merged: mergeKind(kind, sides, plain),
  }))
  const kinds = [
    ...rest,
    { kind: 'attributes' as const, merged: attributes },
    { kind: 'variants' as const, merged: kept },
    {
      kind: 'test_cases' as const,
      merged: mergeKind('test_cases', alignTestCases(sides, kept.united), plain),
    },
  ]
  return treeOf(
    kinds.flatMap(({ kind, merged }) =>
      [...merged.resources].map(([id, fields]) =>
        resourceFrom(kind, id, without(kind, fields, dropped), id === defaultId),
      ),
    ),
  )
}

function without(kind: ResourceKind, fields: Fields, dropped: ReadonlySet<string>): Fields {
  if (kind !== 'variants' || dropped.size === 0) return fields
  return new Map([...fields].filter(([field]) => !dropped.has(field)))
}

/**
 * Merges the choice of the default variant. It is one field of the whole content, merged three ways like any other.
 */
function mergedDefault(
  sides: MergeSides,
  variants: MergedKind,
  resolver: ConflictResolver,
): string | undefined {
  const idIn = (tree: ContentTree): string | undefined => {
    const id = defaultVariantId(tree)
    return id === undefined ? undefined : (variants.united.get(id) ?? id)
  }
  const [base, ours, theirs] = [idIn(sides.base), idIn(sides.ours), idIn(sides.theirs)]
  if (base === undefined && ours === undefined && theirs === undefined) return undefined
  for (const [id, tree] of new Map([
    [theirs, sides.theirs],
    [ours, sides.ours],
  ])) {
    if (id === undefined || id === base) continue
    resolver.note(defaultPath(sides, tree), { base: false, ours: ours === id, theirs: theirs === id })
  }
  const chosen =
    ours === theirs || theirs === base
      ? ours
      : ours === base
        ? theirs
        : contested(sides, resolver, { base, ours, theirs })
  const fit = [chosen, ours, theirs, base].find(
    id => id !== undefined && variants.resources.has(id) && !isDenied(sides, id, resolver),
  )
  return fit ?? defaultVariantId(sides.base)
}

const parseBoolean = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

/**
 * Returns a variant that one side made the default and the other removed may have been settled to stay, but not as the
 * default.
 */
function isDenied(sides: MergeSides, id: string, resolver: ConflictResolver): boolean {
  const has = (tree: ContentTree): boolean => tree.has(resourceKey({ kind: 'variants', id }))
  if (!has(sides.base) || has(sides.ours) === has(sides.theirs) || !defaultClaim(sides, id)) return false
  const keeper = has(sides.ours) ? 'ours' : 'theirs'
  const values = { base: false, ours: undefined, theirs: undefined, [keeper]: true }
  // Settled before, by the merge of the variant itself: the resolver gives the same verdict again.
  const verdict = resolver.settle(defaultPath(sides, sides[keeper]), values, parseBoolean)
  return verdict.side === 'value' ? verdict.value !== true : verdict.side !== keeper
}

/** Keeps the old default variant if the verdicts leave no other possible one. */
function keepDefault(
  aligned: MergeSides,
  variants: MergedKind,
  defaultId: string | undefined,
  resolver: ConflictResolver,
): MergedKind {
  if (defaultId === undefined || variants.resources.has(defaultId)) return variants
  const old = aligned.base.get(resourceKey({ kind: 'variants', id: defaultId }))
  if (!old) return variants
  const fields = fieldsOf(old)
  const taken = [...variants.resources.values()].some(other => other.get('name') === fields.get('name'))
  if (taken) resolver.refuse('The resolutions would leave the agent without a default variant.')
  return { ...variants, resources: new Map([...variants.resources, [defaultId, fields]]) }
}

/** Returns the path of the field that makes this side's default variant the default. */
function defaultPath(sides: MergeSides, tree: ContentTree): readonly string[] {
  const id = defaultVariantId(tree) ?? ''
  const at = (side: ContentTree) => side.get(resourceKey({ kind: 'variants', id }))
  const variant = at(sides.base) ?? at(tree)
  return ['variants', variant?.kind === 'variants' ? variant.value.name : id, 'isDefault']
}

function contested(
  sides: MergeSides,
  resolver: ConflictResolver,
  ids: Readonly<Record<keyof MergeSides, string | undefined>>,
): string | undefined {
  const values = { base: false, ours: false, theirs: true }
  const verdict = resolver.settle(defaultPath(sides, sides.theirs), values, parseBoolean)
  if (verdict.side === 'value') return verdict.value === true ? ids.theirs : ids.ours
  return ids[verdict.side]
}
