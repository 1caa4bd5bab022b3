import {
  RESOURCE_SCHEMAS,
  type Resource,
  type ResourceChange,
  resourceKey,
} from '../../domain/agent/content.ts'
import type { ResourceFilter } from '../../ports/store/revisions.ts'
import type { Guarded } from '../guarded.ts'
import { RESOURCE, type RevisedResource } from '../kinds.ts'

/** Up to this many resources are looked up one by one; for more, all are read. */
const FOUND_ONE_BY_ONE = 50

/** Changes in one order, whichever way they were found: what is made of them is shown in it. */
export const byKey = <T extends ResourceChange>(changes: readonly T[]): readonly T[] =>
  [...changes].sort((one, other) =>
    one.kind === other.kind ? (one.id < other.id ? -1 : 1) : one.kind < other.kind ? -1 : 1,
  )

const EVERY_KIND = Object.keys(RESOURCE_SCHEMAS)

const isThere = (change: ResourceChange): change is Resource => change.value !== null

/** Returns the documents that a revision writes for resources. The last change of a resource counts. */
export function resourcesOf(agentId: string, revision: number, changes: readonly ResourceChange[]) {
  const last = new Map(changes.map(change => [resourceKey(change), change]))
  return [...last.values()].map(change => ({
    kind: RESOURCE,
    value: { agentId, revision, until: null, change, version: 1 },
  }))
}

/** Returns kind and id of a resource. Null for an invalid key. */
function partsOf(key: string): readonly [kind: string, id: string] | null {
  const slash = key.indexOf('/')
  return slash < 0 ? null : [key.slice(0, slash), key.slice(slash + 1)]
}

/** Resources of main as its revisions hold them. */
export function readResources({ scan }: Guarded) {
  /** Returns the newest change of each of these resources up to a revision. */
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

  /** Returns the newest change of each resource of these kinds up to a revision. */
  async function upTo(
    agentId: string,
    revision: number,
    kinds: readonly string[] | undefined,
  ): Promise<readonly RevisedResource[]> {
    // In this order: what a commit replaces in between is found a second time, and nothing is missed.
    const current =
      kinds === undefined
        ? await scan(RESOURCE, 'current', { prefix: [agentId] })
        : (
            await Promise.all(kinds.map(kind => scan(RESOURCE, 'current', { prefix: [agentId, kind] })))
          ).flat()
    const after = [revision + 1, '']
    const replaced = (kinds ?? EVERY_KIND).map(kind =>
      scan(RESOURCE, 'replaced', { prefix: [agentId, kind], after }),
    )
    const later = (await Promise.all(replaced)).flat().filter(one => one.revision <= revision)
    const still = current.filter(one => one.revision <= revision)
    if (later.length === 0) return still
    return [...new Map([...still, ...later].map(one => [resourceKey(one.change), one])).values()]
  }

  async function found(agentId: string, revision: number, { keys, kinds, names }: ResourceFilter) {
    if (keys !== undefined && keys.length <= FOUND_ONE_BY_ONE) return ofKeys(agentId, keys, revision)
    const asked = [...new Set(names)]
    if (keys === undefined && names !== undefined && asked.length <= FOUND_ONE_BY_ONE) {
      const named = asked.map(name => scan(RESOURCE, 'name', { prefix: [agentId, name], through: revision }))
      const had = new Set((await Promise.all(named)).flat().map(({ change }) => resourceKey(change)))
      if (had.size <= FOUND_ONE_BY_ONE) return ofKeys(agentId, [...had], revision)
    }
    return upTo(agentId, revision, kinds && [...new Set(kinds)])
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
      const since = await scan(RESOURCE, 'agent', { prefix: [agentId], after: [after + 1, ''], through })
      return byKey([...new Map(since.map(({ change }) => [resourceKey(change), change])).values()])
    },
    /** Returns the current revisions of these resources. */
    async current(agentId: string, changes: readonly ResourceChange[]): Promise<readonly RevisedResource[]> {
      const keys = new Set(changes.map(resourceKey))
      const known =
        keys.size <= FOUND_ONE_BY_ONE
          ? await ofKeys(agentId, [...keys], Number.MAX_SAFE_INTEGER)
          : await scan(RESOURCE, 'current', { prefix: [agentId] })
      return known.filter(({ change }) => keys.has(resourceKey(change)))
    },
  }
}
