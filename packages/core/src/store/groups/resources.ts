import { type Resource, type ResourceChange, resourceKey } from '../../domain/agent/content.ts'
import type { ResourceFilter } from '../../ports/store/revisions.ts'
import type { Guarded } from '../guarded.ts'
import { RESOURCE, type RevisedResource } from '../kinds.ts'

/** So many resources are found one by one; of more, all are read. */
const FOUND_ONE_BY_ONE = 50

/** Changes in one order, whichever way they were found: what is made of them is shown in it. */
export const byKey = <T extends ResourceChange>(changes: readonly T[]): readonly T[] =>
  changes
    .map(change => ({ change, key: resourceKey(change) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ change }) => change)

const isThere = (change: ResourceChange): change is Resource => change.value !== null

/** What a revision writes of resources. The last change of a resource counts. */
export function resourcesOf(agentId: string, revision: number, changes: readonly ResourceChange[]) {
  const last = new Map(changes.map(change => [resourceKey(change), change]))
  return [...last.values()].map(change => ({
    kind: RESOURCE,
    value: { agentId, revision, until: null, change, version: 1 },
  }))
}

/** Kind and id of a resource; null for what is no key. */
function partsOf(key: string): readonly [kind: string, id: string] | null {
  const slash = key.indexOf('/')
  return slash < 0 ? null : [key.slice(0, slash), key.slice(slash + 1)]
}

/** Resources of main as its revisions hold them. */
export function readResources({ all, scan }: Guarded) {
  /** The newest change of each of these resources up to a revision. */
  async function ofKeys(
    agentId: string,
    keys: readonly string[],
    through: number,
  ): Promise<readonly RevisedResource[]> {
    const newest = [...new Set(keys)].flatMap(key => {
      const parts = partsOf(key)
      const range = { prefix: [agentId, ...(parts ?? [])], through, descending: true, limit: 1 }
      return parts === null ? [] : [scan(RESOURCE, 'history', range)]
    })
    return (await Promise.all(newest)).flat()
  }

  /** The newest change of each resource up to a revision, of one kind or of all. */
  async function upTo(agentId: string, revision: number, kind?: string): Promise<readonly RevisedResource[]> {
    // In this order: what a commit replaces in between is found a second time, and nothing is missed.
    const current = await all(RESOURCE, 'current', {
      prefix: kind === undefined ? [agentId] : [agentId, kind],
    })
    const later = await all(RESOURCE, 'replaced', { prefix: [agentId], after: [revision + 1, ''] })
    const ofKind = later.filter(({ change }) => kind === undefined || change.kind === kind)
    const then = [...current, ...ofKind].filter(one => one.revision <= revision)
    return [...new Map(then.map(one => [resourceKey(one.change), one])).values()]
  }

  async function found(agentId: string, revision: number, { keys, kinds, names }: ResourceFilter) {
    if (keys !== undefined && keys.length <= FOUND_ONE_BY_ONE) return ofKeys(agentId, keys, revision)
    if (keys === undefined && names !== undefined) {
      const named = [...new Set(names)].map(name =>
        all(RESOURCE, 'name', { prefix: [agentId, name], through: revision }),
      )
      const once = (await Promise.all(named)).flat().map(({ change }) => resourceKey(change))
      return ofKeys(agentId, once, revision)
    }
    if (kinds === undefined) return upTo(agentId, revision)
    return (await Promise.all([...new Set(kinds)].map(kind => upTo(agentId, revision, kind)))).flat()
  }

  return {
    async at(agentId: string, revision: number, filter: ResourceFilter): Promise<readonly Resource[]> {
      const { keys, kinds, names } = filter
      const wanted = keys && new Set(keys)
      const left = (await found(agentId, revision, filter))
        .map(({ change }) => change)
        .filter(isThere)
        .filter(
          resource =>
            (wanted?.has(resourceKey(resource)) ?? true) &&
            (kinds?.includes(resource.kind) ?? true) &&
            (names === undefined || ('name' in resource.value && names.includes(resource.value.name))),
        )
      return byKey(left)
    },
    async between(agentId: string, after: number, through: number): Promise<readonly ResourceChange[]> {
      const since = await all(RESOURCE, 'agent', { prefix: [agentId], after: [after + 1, ''], through })
      return byKey([...new Map(since.map(({ change }) => [resourceKey(change), change])).values()])
    },
    /** What is current of these resources. */
    async current(agentId: string, changes: readonly ResourceChange[]): Promise<readonly RevisedResource[]> {
      const keys = new Set(changes.map(resourceKey))
      const known =
        keys.size <= FOUND_ONE_BY_ONE
          ? await ofKeys(agentId, [...keys], Number.MAX_SAFE_INTEGER)
          : await all(RESOURCE, 'current', { prefix: [agentId] })
      return known.filter(({ change }) => keys.has(resourceKey(change)))
    },
  }
}
