import type { ColumnValue, Condition, Documents, Kind, Range, Stored } from '@colloquy/core/store'
import { compareCodePoints } from './order.ts'
import type { OutboxKeeper } from './outbox.ts'

type Value = Exclude<ColumnValue, null>

const compare = (one: Value, other: Value): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : compareCodePoints(String(one), String(other))

/** Documents by kind and id. What goes with an agent, or is the conversation of its id, can be removed. */
export function createDocuments(keeper: OutboxKeeper) {
  const kinds = new Map<
    string,
    { readonly kind: Kind<unknown>; readonly held: Map<string, Stored<unknown>> }
  >()

  function of(kind: Kind<unknown>): Map<string, Stored<unknown>> {
    const { held } = kinds.get(kind.name) ?? { held: new Map() }
    kinds.set(kind.name, { kind, held })
    return held
  }

  function scan(kind: Kind<unknown>, index: string, { limit, prefix, through }: Range) {
    const columns = kind.indexes[index]
    if (columns === undefined) throw new Error(`Documents of the kind ${kind.name} have no index ${index}.`)
    return [...of(kind).values()]
      .flatMap(stored => {
        const key = columns.map(column => kind.columns[column]?.of(stored.value) ?? null)
        return key.every(value => value !== null) ? [{ stored, key: [...key, kind.id(stored.value)] }] : []
      })
      .filter(({ key }) => prefix.every((value, at) => key[at] === value))
      .filter(({ key }) => through === undefined || compare(key[prefix.length] ?? '', through) <= 0)
      .sort((one, other) => {
        const differing = one.key.findIndex((value, at) => value !== other.key[at])
        return differing === -1 ? 0 : compare(one.key[differing] ?? '', other.key[differing] ?? '')
      })
      .slice(0, limit)
      .map(({ stored }) => stored)
  }

  const holds = (condition: Condition): boolean =>
    'id' in condition
      ? (of(condition.kind).get(condition.id)?.revision ?? 0) === condition.revision
      : scan(condition.kind, condition.index, condition).length <= condition.atMost

  const documents: Documents = {
    async write({ when, put = [], remove = [], outbox }) {
      const refused = when.findIndex(condition => !holds(condition))
      if (refused !== -1) return refused
      for (const { kind, value } of put) {
        const id = kind.id(value)
        const revision = (of(kind).get(id)?.revision ?? 0) + 1
        of(kind).set(id, { value: structuredClone(value), revision })
      }
      for (const { kind, id } of remove) of(kind).delete(id)
      keeper.keep(outbox)
      return null
    },
    get: async <T>(kind: Kind<T>, id: string) => structuredClone((of(kind).get(id) as Stored<T>) ?? null),
    scan: async <T>(kind: Kind<T>, index: string, range: Range) =>
      structuredClone(scan(kind, index, range) as readonly Stored<T>[]),
  }
  return {
    documents,
    forgetAgent(agentId: string): void {
      for (const { held, kind } of kinds.values())
        for (const [id, { value }] of held)
          if (kind.columns[kind.goesWith.agent ?? '']?.of(value) === agentId) held.delete(id)
    },
    forgetConversation(id: string): void {
      for (const { held, kind } of kinds.values()) if (kind.goesWith.conversation) held.delete(id)
    },
  }
}
