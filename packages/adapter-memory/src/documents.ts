import type { AccountId, ConversationId, WebhookEndpoint } from '@colloquy/core'
import {
  type ColumnValue,
  type Condition,
  type Documents,
  type Kind,
  type Outbox,
  outboxDocuments,
  type Range,
  versionOf,
  WEBHOOK_ENDPOINT,
} from '@colloquy/core/store'
import { compareCodePoints } from './order.ts'

type Value = Exclude<ColumnValue, null>

const compare = (one: Value, other: Value): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : compareCodePoints(String(one), String(other))

function compareKeys(one: readonly Value[], other: readonly Value[]): number {
  const differing = one.findIndex((value, at) => value !== other[at])
  return differing === -1 ? 0 : compare(one[differing] ?? '', other[differing] ?? '')
}

/** Documents by kind and id, and what is kept with writes. */
export function createDocuments() {
  let sequence = 0
  const kinds = new Map<string, { readonly kind: Kind<unknown>; readonly held: Map<string, unknown> }>()

  function of(kind: Kind<unknown>): Map<string, unknown> {
    const { held } = kinds.get(kind.name) ?? { held: new Map() }
    kinds.set(kind.name, { kind, held })
    return held
  }

  function scan(
    kind: Kind<unknown>,
    index: string,
    {
      after,
      descending = false,
      from,
      limit = Number.POSITIVE_INFINITY,
      prefix,
      skip = 0,
      through,
      where = {},
    }: Range,
  ) {
    const sign = descending ? -1 : 1
    const start = after && [...prefix, ...after]
    const columns = kind.indexes[index]
    if (columns === undefined) throw new Error(`Documents of the kind ${kind.name} have no index ${index}.`)
    const partOf = (value: unknown, column = ''): ColumnValue => kind.columns[column]?.of(value) ?? null
    return [...of(kind).values()]
      .filter(value => prefix.every((part, at) => partOf(value, columns[at]) === part))
      .filter(value =>
        Object.entries(where).every(([column, wanted]) => wanted.some(one => one === partOf(value, column))),
      )
      .flatMap(value => {
        const key = columns.map(column => partOf(value, column))
        return key.every(part => part !== null) ? [{ value, key: [...key, kind.id(value)] }] : []
      })
      .filter(({ key }) => start === undefined || sign * compareKeys(key, start) > 0)
      .filter(({ key }) => from === undefined || compare(key[prefix.length] ?? '', from) >= 0)
      .filter(({ key }) => through === undefined || compare(key[prefix.length] ?? '', through) <= 0)
      .sort((one, other) => sign * compareKeys(one.key, other.key))
      .slice(skip, skip + limit)
      .map(({ value }) => value)
  }

  function holds(condition: Condition): boolean {
    const { kind } = condition
    if (!('id' in condition)) return scan(kind, condition.index, condition).length <= condition.atMost
    const value = of(kind).get(condition.id)
    return (value === undefined ? 0 : kind.version(value)) === condition.version
  }

  function put<T>(kind: Kind<T>, value: T): void {
    of(kind).set(kind.id(value), structuredClone(value))
  }

  function keep(outbox: Outbox = {}): void {
    const enabledOf = (accountId: AccountId) =>
      scan(WEBHOOK_ENDPOINT, 'enabled', { prefix: [accountId] }) as readonly WebhookEndpoint[]
    for (const { kind, value } of outboxDocuments(outbox, { nextSequence: () => ++sequence, enabledOf }))
      put(kind, value)
  }

  const documents: Documents = {
    async write({ when, clear = [], put: given = [], remove = [], outbox }) {
      for (const { kind, value } of given) versionOf(kind, value)
      const refused = when.findIndex(condition => !holds(condition))
      if (refused !== -1) return refused
      for (const { kind, index, prefix } of clear)
        for (const value of scan(kind, index, { prefix })) of(kind).delete(kind.id(value))
      for (const { kind, value } of given) put(kind, value)
      for (const { kind, id } of remove) of(kind).delete(id)
      keep(outbox)
      return null
    },
    get: async <T>(kind: Kind<T>, ids: readonly string[]) =>
      structuredClone(ids.map(id => (of(kind).get(id) as T) ?? null)),
    scan: async <T>(kind: Kind<T>, index: string, range: Range) =>
      structuredClone(scan(kind, index, range) as readonly T[]),
  }
  return {
    documents,
    keep,
    forget(id: ConversationId): void {
      for (const { held, kind } of kinds.values()) {
        const column = kind.goesWith.conversation ?? kind.goesWith.log
        if (column === undefined) continue
        if (column === 'id') held.delete(id)
        else for (const [of, value] of held) if (kind.columns[column]?.of(value) === id) held.delete(of)
      }
    },
  }
}
