import type { ConflictResolver } from './conflict.ts'
import { type ContentTree, type ResourceKind, resourceKey } from './content.ts'
import { attributeOf, type Fields, fieldsOf } from './fields.ts'
import { mergeAdded, mergeFields, type ResourceSides } from './merge-fields.ts'
import { properName } from './proper-name.ts'
import { nameOf } from './tree.ts'

/** The three contents of a merge: where the branch began, main as it is, the branch as it is. */
export interface MergeSides {
  readonly base: ContentTree
  readonly ours: ContentTree
  readonly theirs: ContentTree
}

/** The result of merging the resources of one kind. */
export interface MergedKind {
  readonly resources: ReadonlyMap<string, Fields>
  /** Ids of the branch's resources that became one with a resource of main of the same name, with that one's id. */
  readonly united: ReadonlyMap<string, string>
}

/** A {@link MergedKind} that names are still united in. */
interface MergeInProgress {
  readonly resources: Map<string, Fields>
  readonly united: Map<string, string>
}

/** The inputs to the merge of a kind beyond the resources themselves. */
export interface KindOptions {
  readonly resolver: ConflictResolver
  /** See {@link ResourceSides.claim}. */
  claim(id: string): ResourceSides['claim']
  /** Fields that are removed in any case: a variant's values of removed attributes. They are no difference. */
  readonly dropped: ReadonlySet<string>
  /** An attribute's name, for the path of a variant's value. */
  attributeName(id: string): string
}

const pathOf = (
  kind: ResourceKind,
  name: string | null,
  field: string,
  options: KindOptions,
): readonly string[] => {
  if (kind === 'behavior') return [kind]
  if (name === null) return [kind, field]
  const attributeId = attributeOf(field)
  return attributeId === null
    ? [kind, name, field]
    : [kind, name, 'attributeValues', options.attributeName(attributeId)]
}

/** Merges all resources of one kind; names within the result are unique, or the resolver holds a refusal. */
export function mergeKind(kind: ResourceKind, sides: MergeSides, options: KindOptions): MergedKind {
  const trees = [sides.base, sides.ours, sides.theirs]
  const all = trees.flatMap(tree => [...tree.values()]).filter(resource => resource.kind === kind)
  const resources = new Map<string, Fields>()
  for (const id of new Set(all.map(resource => resource.id))) {
    const [base, ours, theirs] = trees.map(tree => tree.get(resourceKey({ kind, id })))
    const known = base ?? ours ?? theirs
    const name = known ? nameOf(known) : null
    const merged = mergeFields({
      kind,
      base: base ? fieldsOf(base) : null,
      ours: ours ? fieldsOf(ours) : null,
      theirs: theirs ? fieldsOf(theirs) : null,
      claim: options.claim(id),
      resolver: options.resolver,
      dropped: options.dropped,
      path: field => pathOf(kind, name, field, options),
    })
    if (merged) resources.set(id, merged)
  }
  return uniteNames(kind, sides, resources, options)
}

/** Each pass may give back a name that another resource has come to; more passes than this only go in circles. */
const PASSES = 4

/**
 * Unites resources if main and the branch gave one name to different ones.
 * If all their conflicts are resolved for one side, the other side's resource keeps its name on the resolved side,
 * provided that it exists there. Otherwise the two become one.
 */
function uniteNames(
  kind: ResourceKind,
  sides: MergeSides,
  merged: ReadonlyMap<string, Fields>,
  options: KindOptions,
): MergedKind {
  const resources = new Map(merged)
  const united = new Map<string, string>()
  for (let pass = 0; pass < PASSES; pass++) {
    for (const [name, ids] of sharedNames(resources)) {
      const ourId = ids.find(id => nameIn(sides.ours, kind, id) === name)
      const theirId = ids.find(id => id !== ourId && nameIn(sides.theirs, kind, id) === name)
      if (ids.length > 2 || ourId === undefined || theirId === undefined) continue
      uniteTwo({ kind, name, ourId, theirId }, sides, { resources, united }, options)
    }
  }
  for (const [name] of sharedNames(resources)) {
    options.resolver.refuse(`The resolutions would leave two ${kind} under the name "${name}".`)
  }
  return { resources, united }
}

const nameIn = (tree: ContentTree, kind: ResourceKind, id: string): string | null => {
  const resource = tree.get(resourceKey({ kind, id }))
  const name = resource ? nameOf(resource) : null
  return name === null ? null : properName(name)
}

function uniteTwo(
  pair: {
    readonly kind: ResourceKind
    readonly name: string
    readonly ourId: string
    readonly theirId: string
  },
  sides: MergeSides,
  { resources, united }: MergeInProgress,
  options: KindOptions,
): void {
  const { kind, name, ourId, theirId } = pair
  const [ours, theirs] = [resources.get(ourId), resources.get(theirId)]
  if (!ours || !theirs) return
  const path = (field: string) => pathOf(kind, name, field, options)
  const { resolver, dropped } = options
  const between: ResourceSides = { kind, base: null, ours, theirs, claim: null, resolver, dropped, path }
  const { fields, side, disputed } = mergeAdded(between, ours, theirs)
  const otherNameInOurs = nameIn(sides.ours, kind, theirId)
  const otherNameInTheirs = nameIn(sides.theirs, kind, ourId)
  if (fields === null)
    for (const id of [ourId, theirId]) putBack(sides.base, { kind, id }, resources, disputed)
  else if (side === 'ours' && otherNameInOurs !== null)
    resources.set(theirId, rename(theirs, otherNameInOurs))
  else if (side === 'theirs' && otherNameInTheirs !== null)
    resources.set(ourId, rename(ours, otherNameInTheirs))
  else {
    resources.set(ourId, fields)
    resources.delete(theirId)
    // A value that settles the name may bring what is united already to a third.
    for (const [id, to] of united) if (to === theirId) united.set(id, ourId)
    united.set(theirId, ourId)
  }
}

const rename = (fields: Fields, name: string): Fields => new Map([...fields, ['name', name]])

/**
 * Restores the base's name of a resource, and the base's values of disputed fields. Removes a resource without a base.
 */
function putBack(
  base: ContentTree,
  { kind, id }: { readonly kind: ResourceKind; readonly id: string },
  resources: Map<string, Fields>,
  disputed: ReadonlySet<string>,
): void {
  const [before, merged] = [base.get(resourceKey({ kind, id })), resources.get(id)]
  if (!before || !merged) {
    resources.delete(id)
    return
  }
  const kept = [...merged].filter(([field]) => !disputed.has(field))
  const back = [...fieldsOf(before)].filter(([field]) => disputed.has(field) || field === 'name')
  resources.set(id, new Map([...kept, ...back]))
}

/** Names that more than one resource has, with the ids of those that have them. */
function sharedNames(
  resources: ReadonlyMap<string, Fields>,
): readonly (readonly [string, readonly string[]])[] {
  const byName = new Map<string, string[]>()
  for (const [id, fields] of resources) {
    const name = fields.get('name')
    if (typeof name !== 'string') continue
    const ids = byName.get(properName(name))
    if (ids) ids.push(id)
    else byName.set(properName(name), [id])
  }
  return [...byName].filter(([, ids]) => ids.length > 1)
}
