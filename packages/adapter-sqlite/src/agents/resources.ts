import type { Resource, ResourceChange, ResourceKind } from '@colloquy/core/domain'
import type { ResourceFilter } from '@colloquy/core/store'
import type { AgentStatements } from './agent-statements.ts'
import { fromBlocks } from './resource-blocks.ts'
import type { ResourceRow } from './revision-statements.ts'

/** A change as its row holds it; made while the caller's argument is still what it was. */
export interface EncodedChange {
  readonly kind: ResourceKind
  readonly id: string
  readonly name: string | null
  readonly value: string | null
}

/** A change in the form of its row. */
export const encodeChange = ({ kind, id, value }: ResourceChange): EncodedChange => ({
  kind,
  id,
  name: value !== null && 'name' in value ? value.name : null,
  value: value === null ? null : JSON.stringify(value),
})

/** A row as the change that was written. */
export const toChange = ({ kind, id, value }: ResourceRow): ResourceChange => ({
  kind,
  id,
  value: value === null ? null : JSON.parse(value),
})

const toResources = (rows: Iterable<ResourceRow | undefined>): readonly Resource[] => {
  const resources: Resource[] = []
  for (const row of rows) {
    if (row !== undefined && row.value !== null) {
      resources.push({ kind: row.kind, id: row.id, value: JSON.parse(row.value) })
    }
  }
  return resources
}

/** What a revision holds, at the cost of what is returned: no filter reads the resources that it leaves out. */
export function readResources(
  run: AgentStatements,
  agent: number,
  revision: number,
  filter: ResourceFilter,
): readonly Resource[] {
  const { kinds, keys, names } = filter
  const wanted = names && new Set<string | null>(names)
  const one = (kind: string, id: string) => {
    const row = run.oneAt.get({ agent, revision, kind, id })
    const left = row && (kinds === undefined || kinds.includes(row.kind)) && (wanted?.has(row.name) ?? true)
    return left ? row : undefined
  }
  if (keys !== undefined) {
    const places = [...new Set(keys)].map(key => ({ key, slash: key.indexOf('/') }))
    const parts = places.filter(({ slash }) => slash >= 0)
    return toResources(parts.map(({ key, slash }) => one(key.slice(0, slash), key.slice(slash + 1))))
  }
  if (wanted !== undefined) {
    const found = new Map<string, ResourceRow | undefined>()
    for (const name of new Set(names)) {
      for (const { kind, id } of run.everNamed.all({ agent, revision, name })) {
        found.set(`${kind}/${id}`, one(kind, id))
      }
    }
    return toResources(found.values())
  }
  if (kinds !== undefined) {
    return fromBlocks([...new Set(kinds)].flatMap(kind => run.kindAt.all({ agent, revision, kind })))
  }
  return fromBlocks(run.allAt.all({ agent, revision }))
}
