import { canonicalJson } from '../canonical-json.ts'
import {
  attributeSchema,
  behaviorSchema,
  type ContentTree,
  type Resource,
  type ResourceChange,
  type ResourceKind,
  resourceKey,
  responseSettingsSchema,
  topicSchema,
  variantSchema,
} from './content.ts'
import { testCaseSchema } from './test-case.ts'

/** A resource of one kind. */
export type ResourceOf<Kind extends ResourceKind> = Extract<Resource, { readonly kind: Kind }>

/** Narrows resources to one kind. */
export const isKind =
  <Kind extends ResourceKind>(kind: Kind) =>
  (resource: Resource): resource is ResourceOf<Kind> =>
    resource.kind === kind

/** True for a change that writes a value, which is the resource as it then is. */
export const isWrite = (change: ResourceChange): change is Resource => change.value !== null

/** Returns the name of a topic, an attribute, a variant or a test case; null for the kinds that exist once. */
export const nameOf = (resource: Resource): string | null =>
  'name' in resource.value ? resource.value.name : null

/** True when both are the same kind of resource with the same id and value. */
export const sameResource = (a: Resource | undefined, b: Resource | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    resourceKey(a) === resourceKey(b) &&
    canonicalJson(a.value) === canonicalJson(b.value))

/** Returns a resource of checked content. @throws ZodError when the value does not fit its kind */
export function parseResource(kind: ResourceKind, id: string, value: unknown): Resource {
  switch (kind) {
    case 'behavior':
      return { kind, id, value: behaviorSchema.parse(value) }
    case 'response_settings':
      return { kind, id, value: responseSettingsSchema.parse(value) }
    case 'topics':
      return { kind, id, value: topicSchema.parse(value) }
    case 'attributes':
      return { kind, id, value: attributeSchema.parse(value) }
    case 'variants':
      return { kind, id, value: variantSchema.parse(value) }
    case 'test_cases':
      return { kind, id, value: testCaseSchema.parse(value) }
  }
}

/** Returns the change that removes a resource. */
export const removal = (resource: { readonly kind: ResourceKind; readonly id: string }): ResourceChange => ({
  kind: resource.kind,
  id: resource.id,
  value: null,
})

/** Returns a tree of the resources; of two with one key the later stands. */
export function treeOf(resources: Iterable<Resource>): ContentTree {
  const tree = new Map<string, Resource>()
  for (const resource of resources) tree.set(resourceKey(resource), resource)
  return tree
}

/** Returns the effective tree of a branch: what it started from, with its own changes on top. */
export function applyChanges(base: ContentTree, changes: Iterable<ResourceChange>): ContentTree {
  const tree = new Map(base)
  for (const change of changes) {
    if (isWrite(change)) tree.set(resourceKey(change), change)
    else tree.delete(resourceKey(change))
  }
  return tree
}

/** The fewest changes that make `from` into `to`. */
export function diff(from: ContentTree, to: ContentTree): readonly ResourceChange[] {
  const written = [...to.values()].filter(
    resource => !sameResource(from.get(resourceKey(resource)), resource),
  )
  const removed = [...from.values()].filter(resource => !to.has(resourceKey(resource)))
  return [...removed.map(removal), ...written]
}

/** A resource that differs between two contents: added, changed or removed. */
export interface ChangedResource {
  readonly kind: ResourceKind
  /** `''` for the kinds that exist once. */
  readonly id: string
  /** The name that it has, or had before it was removed; null for the kinds that exist once. */
  readonly name: string | null
  readonly type: 'add' | 'modify' | 'delete'
}

/** Returns the resources of `to` that differ, by kind, then by id. */
export const changedResources = (from: ContentTree, to: ContentTree): readonly ChangedResource[] =>
  diff(from, to)
    .map((change): ChangedResource => {
      const before = from.get(resourceKey(change))
      const shown = isWrite(change) ? change : before
      const type = !isWrite(change) ? 'delete' : before ? 'modify' : 'add'
      return { kind: change.kind, id: change.id, name: shown ? nameOf(shown) : null, type }
    })
    .sort((a, b) => (resourceKey(a) < resourceKey(b) ? -1 : 1))
