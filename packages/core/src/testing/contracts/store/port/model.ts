import type { Batch, ColumnValue, Documents, Kind, Range } from '../../../../store/documents.ts'
import { WEBHOOK_ENDPOINT } from '../../../../store/kinds.ts'
import { outboxDocuments } from '../../../../store/outbox-documents.ts'
import { compareTexts } from '../tools.ts'

/** Returns a document, or null. */
export const one = async <T>({ get }: Documents, kind: Kind<T>, id: string): Promise<T | null> =>
  (await get(kind, [id]))[0] ?? null

/** Returns all columns of an index. */
export const columnsOf = <T>({ indexes, key = ['id'] }: Kind<T>, index: string): readonly string[] => [
  ...new Set([...(indexes[index] ?? []), ...key]),
]

/** Returns the value of a document's column. */
export const columnOf = <T>(kind: Kind<T>, value: T, column: string): ColumnValue =>
  kind.columns[column]?.of(value) ?? (column === 'id' ? kind.id(value) : null)

function compare(one: ColumnValue, other: ColumnValue): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return compareTexts(String(one), String(other))
}

/** A question for a list. Its place is that of a document, which need not be there. */
export interface Question<T> extends Omit<Range, 'after' | 'containing'> {
  readonly after?: T | undefined
}

/** Returns the question as a store takes it. */
export function rangeOf<T>(kind: Kind<T>, index: string, { after, ...range }: Question<T>): Range {
  if (after === undefined) return range
  const own = (kind.indexes[index] ?? []).slice(range.prefix.length)
  return { ...range, after: [...own.map(column => columnOf(kind, after, column) ?? ''), kind.id(after)] }
}

/** Returns the values, at a place, of the columns after the prefix of an index. */
function placeOf<T>(kind: Kind<T>, index: string, prefix: number, after: NonNullable<Range['after']>) {
  const own = (kind.indexes[index] ?? []).slice(prefix)
  const id = String(after.at(-1))
  const key: readonly (string | number)[] = kind.key === undefined ? [id] : JSON.parse(id)
  const named = (kind.key ?? ['id']).map((column, at) => [column, key[at] ?? ''] as const)
  return new Map([...named, ...own.map((column, at) => [column, after[at] ?? ''] as const)])
}

/** Returns the list of these documents as the port defines it, without a database. */
export function listOf<T>(
  kind: Kind<T>,
  index: string,
  values: readonly T[],
  { after, descending = false, from, limit, prefix, skip = 0, through, where = {} }: Range,
): readonly T[] {
  const columns = columnsOf(kind, index)
  const place = after && placeOf(kind, index, prefix.length, after)
  const order = (value: T, at: (column: string) => ColumnValue): number => {
    for (const column of columns.slice(prefix.length)) {
      const found = compare(columnOf(kind, value, column), at(column))
      if (found !== 0) return descending ? -found : found
    }
    return 0
  }
  const next = columns[prefix.length] ?? ''
  const isIn = (value: T): boolean =>
    columns.every(column => columnOf(kind, value, column) !== null) &&
    prefix.every((part, at) => columnOf(kind, value, columns[at] ?? '') === part) &&
    (from === undefined || compare(columnOf(kind, value, next), from) >= 0) &&
    (through === undefined || compare(columnOf(kind, value, next), through) <= 0) &&
    (place === undefined || order(value, column => place.get(column) ?? null) > 0) &&
    Object.entries(where).every(([column, some]) => some.some(one => one === columnOf(kind, value, column)))
  const found = values
    .filter(isIn)
    .toSorted((one, other) => order(one, column => columnOf(kind, other, column)))
    .slice(skip)
  return limit === undefined ? found : found.slice(0, limit)
}

/** The result of a sequence of batches, without a database. */
export class Model {
  readonly #held = new Map<string, Map<string, unknown>>()
  #sequence = 0

  #of<T>({ name }: Kind<T>): Map<string, T> {
    const known = this.#held.get(name) ?? new Map<string, unknown>()
    this.#held.set(name, known)
    return known as Map<string, T>
  }

  all<T>(kind: Kind<T>): readonly T[] {
    return [...this.#of(kind).values()]
  }

  get<T>(kind: Kind<T>, id: string): T | null {
    return this.#of(kind).get(id) ?? null
  }

  write({ when, clear = [], put = [], remove = [], outbox = {} }: Batch): number | null {
    const list = <T>(kind: Kind<T>, index: string, prefix: Range['prefix']) =>
      listOf(kind, index, this.all(kind), { prefix })
    const refused = when.findIndex(condition => {
      const { kind } = condition
      if ('index' in condition) return list(kind, condition.index, condition.prefix).length > condition.atMost
      const value = this.get(kind, condition.id)
      return (value === null ? 0 : kind.version(value)) !== condition.version
    })
    if (refused !== -1) return refused
    for (const { kind, index, prefix } of clear)
      for (const value of list(kind, index, prefix)) this.#of(kind).delete(kind.id(value))
    const enabledOf = (id: string) => list(WEBHOOK_ENDPOINT, 'enabled', [id])
    const told = outboxDocuments(outbox, { nextSequence: () => ++this.#sequence, enabledOf })
    for (const { kind, value } of [...put, ...told])
      this.#of(kind).set(kind.id(value), structuredClone(value))
    for (const { kind, id } of remove) this.#of(kind).delete(id)
    return null
  }

  /** Returns the model as documents of a database, without a search by words. */
  documents(): Documents {
    return {
      write: async batch => this.write(batch),
      refill: async () => null,
      get: async (kind, ids) => structuredClone(ids.map(id => this.get(kind, id))),
      scan: async (kind, index, range) => structuredClone(listOf(kind, index, this.all(kind), range)),
    }
  }
}
