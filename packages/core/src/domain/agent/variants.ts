import type { Json } from '../json.ts'
import type { ContentTree, Variant } from './content.ts'
import type { MergedKind, MergeSides } from './merge-kind.ts'
import { isKind, type ResourceOf } from './tree.ts'

const variantsOf = (tree: ContentTree): readonly ResourceOf<'variants'>[] =>
  [...tree.values()].filter(isKind('variants'))

const attributeIds = (tree: ContentTree): readonly string[] =>
  [...tree.values()].filter(isKind('attributes')).map(attribute => attribute.id)

/** Returns the id of the tree's default variant; undefined in a sparse tree that does not hold it. */
export const defaultVariantId = (tree: ContentTree): string | undefined =>
  variantsOf(tree).find(variant => variant.value.isDefault)?.id

const namesIn = (tree: ContentTree): ReadonlyMap<string, string> =>
  new Map([...tree.values()].filter(isKind('attributes')).map(({ id, value }) => [id, value.name]))

/**
 * Returns the names of all attributes on any side, by id; where they differ, that of the base. A new attribute that has
 * the name of one in the base goes by its id: the path of each value is of one attribute alone.
 */
export function attributeNames(sides: MergeSides): ReadonlyMap<string, string> {
  const base = namesIn(sides.base)
  const taken = new Set(base.values())
  const added = [...namesIn(sides.theirs), ...namesIn(sides.ours)]
  return new Map([...added.map(([id, name]) => [id, taken.has(name) ? id : name] as const), ...base])
}

/** Attributes whose value differs in some variant between the two trees. */
export function changedColumns(base: ContentTree, side: ContentTree): ReadonlySet<string> {
  const before = new Map(variantsOf(base).map(({ id, value }) => [id, value.attributeValues]))
  const changed = variantsOf(side).flatMap(({ id, value }) => {
    const old = before.get(id) ?? {}
    const ids = [...Object.keys(old), ...Object.keys(value.attributeValues)]
    return ids.filter(attribute => old[attribute] !== value.attributeValues[attribute])
  })
  return new Set(changed)
}

/**
 * Makes the variants of the three sides comparable once the attributes are merged: a value that went only because its
 * attribute was removed counts as untouched, and values of united attributes stand under one id.
 */
export function alignVariants(sides: MergeSides, united: MergedKind['united']): MergeSides {
  const base = new Map(variantsOf(sides.base).map(({ id, value }) => [id, value.attributeValues]))
  const known = attributeIds(sides.base)
  const align = (tree: ContentTree, side: keyof MergeSides): ContentTree => {
    const present = new Set(attributeIds(tree))
    const removed = known.filter(id => !present.has(id))
    const aligned = variantsOf(tree).map(variant => {
      const values = { ...pick(base.get(variant.id) ?? {}, removed), ...variant.value.attributeValues }
      const attributeValues = renameKeys(values, united, side === 'theirs')
      return [`variants/${variant.id}`, { ...variant, value: { ...variant.value, attributeValues } }] as const
    })
    return new Map([...tree, ...aligned])
  }
  return {
    base: align(sides.base, 'base'),
    ours: align(sides.ours, 'ours'),
    theirs: align(sides.theirs, 'theirs'),
  }
}

const pick = (values: Variant['attributeValues'], ids: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([id]) => ids.includes(id)))

function renameKeys(
  values: Variant['attributeValues'],
  united: MergedKind['united'],
  renamedWins: boolean,
): Record<string, string> {
  const entries = Object.entries(values)
  const kept = entries.filter(([id]) => !united.has(id))
  const renamed = entries.flatMap(([id, value]): [string, string][] => {
    const to = united.get(id)
    return to === undefined ? [] : [[to, value]]
  })
  return Object.fromEntries(renamedWins ? [...kept, ...renamed] : [...renamed, ...kept])
}

/** Attributes of any side that the merge did not keep: their values go from every variant. */
export function goneAttributes(sides: MergeSides, merged: MergedKind): ReadonlySet<string> {
  const all = [sides.base, sides.ours, sides.theirs].flatMap(attributeIds)
  return new Set(all.filter(id => !merged.resources.has(id)))
}

/** Returns a claim on a variant that one side made the default and the other removed. */
export const defaultClaim = (
  sides: MergeSides,
  id: string,
): { field: string; base: Json; kept: Json } | null => {
  const before = defaultVariantId(sides.base)
  const claims = [sides.ours, sides.theirs].some(tree => before !== id && defaultVariantId(tree) === id)
  return claims ? { field: 'isDefault', base: false, kept: true } : null
}
