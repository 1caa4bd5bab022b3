import { CONTENT_LIMITS, type ContentTree, type Resource, type ResourceKind, resourceKey } from './content.ts'
import { TEST_CASE_LIMITS } from './test-case.ts'
import { isKind, nameOf } from './tree.ts'

/** The reason why content that is valid resource by resource is not valid as a whole. */
export interface ContentFault {
  /** The resource that has to change; null if it may be any. */
  readonly resource: Resource | null
  /** The resource's field, or null. */
  readonly field: string | null
  /** The error, and the allowed values. */
  readonly message: string
}

/** The largest number of resources per branch, for the kinds that are read all at once. */
const MOST: Partial<Readonly<Record<ResourceKind, number>>> = {
  attributes: CONTENT_LIMITS.attributes,
  variants: CONTENT_LIMITS.variants,
  test_cases: TEST_CASE_LIMITS.testCases,
}

function sharedNames(resources: readonly Resource[]): readonly ContentFault[] {
  const seen = new Set<string>()
  return resources.flatMap(resource => {
    const name = nameOf(resource)
    if (name === null) return []
    const key = `${resource.kind}/${name}`
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    const message = `The name "${name}" is taken by another one; choose another name.`
    return [{ resource, field: 'name', message }]
  })
}

function defaultFaults(resources: readonly Resource[]): readonly ContentFault[] {
  const [first, ...others] = resources.filter(isKind('variants')).filter(({ value }) => value.isDefault)
  if (first === undefined) {
    return [{ resource: null, field: null, message: 'No variant is the default; exactly one must be.' }]
  }
  const message = `The variant "${first.value.name}" is the default already; exactly one must be.`
  return others.map(resource => ({ resource, field: 'isDefault', message }))
}

function unknownAttributes(resources: readonly Resource[]): readonly ContentFault[] {
  const known = new Set(resources.filter(isKind('attributes')).map(({ id }) => id))
  return resources.filter(isKind('variants')).flatMap(resource =>
    Object.keys(resource.value.attributeValues)
      .filter(id => !known.has(id))
      .map(id => ({
        resource,
        field: 'attributeValues',
        message: `There is no attribute ${id}; name one of the attributes.`,
      })),
  )
}

function tooMany(resources: readonly Resource[]): readonly ContentFault[] {
  const counts = new Map<ResourceKind, number>()
  for (const { kind } of resources) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].flatMap(([kind, count]) => {
    const most = MOST[kind]
    if (most === undefined || count <= most) return []
    return [
      { resource: null, field: null, message: `There are ${count} ${kind}; at most ${most} are allowed.` },
    ]
  })
}

function missingKinds(tree: ContentTree): readonly ContentFault[] {
  return (['behavior', 'response_settings'] as const)
    .filter(kind => !tree.has(resourceKey({ kind, id: '' })))
    .map(kind => ({ resource: null, field: null, message: `The ${kind} is missing; it cannot be removed.` }))
}

/**
 * Returns the errors of content as a whole; empty without any (AG79). The rules:
 * - the behavior and the response settings exist;
 * - names are unique within their kind;
 * - exactly one variant is the default;
 * - variants have values for existing attributes only;
 * - no kind is over its limit.
 */
export function contentFaults(tree: ContentTree): readonly ContentFault[] {
  const resources = [...tree.values()]
  return [
    ...missingKinds(tree),
    ...sharedNames(resources),
    ...defaultFaults(resources),
    ...unknownAttributes(resources),
    ...tooMany(resources),
  ]
}
