import type { AccountId } from '../domain/ids.ts'
import type { WebhookEndpoint } from '../domain/webhook/webhook.ts'
import {
  AUDIT_ENTRY,
  type ColumnValue,
  type Condition,
  type Containing,
  copied,
  type Documents,
  type KeptAuditEntry,
  type Kind,
  type Outbox,
  orderOf,
  outboxDocuments,
  placeValues,
  type Range,
  versionOf,
  WEBHOOK_ENDPOINT,
} from '../store.ts'
import { createSorted, keyText } from './sorted.ts'

/** Returns the documents of one kind by id, and its indexes. */
function createTable(kind: Kind<unknown>) {
  const held = new Map<string, unknown>()
  /** The indexes that were read before, by name. */
  const indexes = new Map<
    string,
    { readonly columns: readonly string[]; readonly sorted: ReturnType<typeof createSorted> }
  >()
  const partOf = (value: unknown, column: string): ColumnValue =>
    column === 'id' ? kind.id(value) : (kind.columns[column]?.of(value) ?? null)

  function keyOf(columns: readonly string[], value: unknown): string | null {
    const parts: Exclude<ColumnValue, null>[] = []
    for (const column of columns) {
      const part = partOf(value, column)
      if (part === null) return null
      parts.push(part)
    }
    return keyText(parts)
  }

  function indexOf(name: string) {
    const known = indexes.get(name)
    if (known !== undefined) return known.sorted
    const index = { columns: orderOf(kind, name), sorted: createSorted() }
    for (const [id, value] of held) {
      const key = keyOf(index.columns, value)
      if (key !== null) index.sorted.add(key, id)
    }
    indexes.set(name, index)
    return index.sorted
  }

  /** Replaces the value of an id; undefined removes it. */
  function replace(id: string, value: unknown): void {
    const former = held.get(id)
    if (value === undefined) held.delete(id)
    else held.set(id, value)
    for (const { columns, sorted } of indexes.values()) {
      const key = value === undefined ? null : keyOf(columns, value)
      const last = former === undefined ? null : keyOf(columns, former)
      if (key === last) continue
      if (last !== null) sorted.drop(last)
      if (key !== null) sorted.add(key, id)
    }
  }

  return {
    get: (id: string): unknown => held.get(id) ?? null,
    version: (id: string): number => {
      const value = held.get(id)
      return value === undefined ? 0 : kind.version(value)
    },
    put: (value: unknown): void => replace(kind.id(value), value),
    remove: (id: string): void => replace(id, undefined),
    /** The values of a column in the documents that have a word of each group. */
    containing({ column, words }: Containing): ReadonlySet<ColumnValue> {
      const found = [...held.values()].filter(value => {
        const own = new Set(kind.words?.(value))
        return words.every(some => some.some(word => own.has(word)))
      })
      return new Set(found.map(value => partOf(value, column)))
    },
    scan(index: string, range: Range, among: ReadonlySet<ColumnValue> | null = null): readonly unknown[] {
      const { limit = Number.POSITIVE_INFINITY, skip = 0, where = {} } = range
      const wanted = Object.entries(where)
      const isWanted = (value: unknown): boolean =>
        (among === null || among.has(kind.id(value))) &&
        wanted.every(([column, values]) => values.some(one => one === partOf(value, column)))
      const after = range.after && placeValues(kind, index, range.after)
      const found: unknown[] = []
      let left = skip
      for (const id of indexOf(index).within({ ...range, after })) {
        if (found.length >= limit) break
        const value = held.get(id)
        if (isWanted(value) && left-- <= 0) found.push(value)
      }
      return found
    },
  }
}

/** Documents in this process's memory: for a store that keeps them elsewhere too. */
export function createMemoryDocuments(): Documents {
  let sequence = 0
  const tables = new Map<string, ReturnType<typeof createTable>>()

  function of(kind: Kind<unknown>): ReturnType<typeof createTable> {
    const table = tables.get(kind.name) ?? createTable(kind)
    tables.set(kind.name, table)
    return table
  }

  const holds = (condition: Condition): boolean =>
    'id' in condition
      ? of(condition.kind).version(condition.id) === condition.version
      : of(condition.kind).scan(condition.index, { ...condition, limit: condition.atMost + 1 }).length <=
        condition.atMost

  function put(kind: Kind<unknown>, value: unknown): void {
    of(kind).put(copied(value))
    // A copied entry has its own sequence. New ones come after it.
    if (kind.name === AUDIT_ENTRY.name) sequence = Math.max(sequence, (value as KeptAuditEntry).sequence)
  }

  function keep(outbox: Outbox = {}): void {
    const enabledOf = (accountId: AccountId) =>
      of(WEBHOOK_ENDPOINT).scan('enabled', { prefix: [accountId] }) as readonly WebhookEndpoint[]
    for (const { kind, value } of outboxDocuments(outbox, { nextSequence: () => ++sequence, enabledOf }))
      put(kind, value)
  }

  return {
    async write({ when, clear = [], put: given = [], remove = [], outbox }) {
      for (const { kind, value } of given) versionOf(kind, value)
      const refused = when.findIndex(condition => !holds(condition))
      if (refused !== -1) return refused
      for (const { kind, index, prefix } of clear)
        for (const value of of(kind).scan(index, { prefix })) of(kind).remove(kind.id(value))
      for (const { kind, value } of given) put(kind, value)
      for (const { kind, id } of remove) of(kind).remove(id)
      keep(outbox)
      return null
    },
    refill: async () => null,
    get: async <T>(kind: Kind<T>, ids: readonly string[]) =>
      copied(ids.map(id => of(kind).get(id) as T | null)),
    scan: async <T>(kind: Kind<T>, index: string, range: Range) =>
      copied(
        of(kind).scan(
          index,
          range,
          range.containing === undefined ? null : of(range.containing.kind).containing(range.containing),
        ) as readonly T[],
      ),
  }
}
