import type { Batch, Condition, Documents, Kind, Range } from '@colloquy/core/store'

/** Documents with one fault. */
export type Mutant = (documents: Documents) => Documents

const isAtVersion = (condition: Condition): boolean => 'id' in condition

/** Without the conditions of which this holds. */
const without =
  (isLost: (condition: Condition) => boolean): Mutant =>
  documents => ({
    ...documents,
    write: batch => documents.write({ ...batch, when: batch.when.filter(one => !isLost(one)) }),
  })

const scanning =
  (fault: (range: Range) => Range): Mutant =>
  documents => ({
    ...documents,
    scan: (kind, index, range) => documents.scan(kind, index, fault(range)),
  })

/** Lists that go up are ordered otherwise. */
const ordering =
  (before: <T>(one: T, other: T, kind: Kind<T>) => number): Mutant =>
  documents => ({
    ...documents,
    async scan(kind, index, range) {
      const values = await documents.scan(kind, index, range)
      return range.descending ? values : values.toSorted((one, other) => before(one, other, kind))
    },
  })

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

const columnsOf = <T>(value: T, { columns }: Kind<T>): string =>
  JSON.stringify(Object.values(columns).map(column => column.of(value)))

/** The faults that a store of documents may have: `testDocuments` finds each of them, in every database. */
export const MUTANTS: Readonly<Record<string, Mutant>> = {
  'lost update: versions are not looked at': without(isAtVersion),
  'phantom: an index holds more than it may': without(condition => !isAtVersion(condition)),
  'lost update: versions are looked at before the write': documents => ({
    ...documents,
    async write({ when, ...batch }) {
      for (const [at, condition] of when.entries()) {
        if (!('id' in condition)) continue
        const [value] = await documents.get(condition.kind, [condition.id])
        if ((value == null ? 0 : condition.kind.version(value)) !== condition.version) return at
      }
      return documents.write({ ...batch, when: when.filter(condition => !isAtVersion(condition)) })
    },
  }),
  'half a batch: what is removed goes in a write of its own': documents => ({
    ...documents,
    async write({ clear = [], remove = [], ...batch }) {
      const refused = await documents.write(batch)
      if (refused === null && (clear.length > 0 || remove.length > 0))
        await documents.write({ when: [], clear, remove })
      return refused
    },
  }),
  'half a batch: a batch that is refused has written its first document': documents => ({
    ...documents,
    async write(batch) {
      const refused = await documents.write(batch)
      const [first] = batch.put ?? []
      if (refused !== null && first !== undefined) await documents.write({ when: [], put: [first] })
      return refused
    },
  }),
  'half a batch: only the last put of each kind is written': documents => ({
    ...documents,
    write: ({ put = [], ...batch }) =>
      documents.write({ ...batch, put: [...new Map(put.map(one => [one.kind.name, one])).values()] }),
  }),
  'lost append: every seventh write is acknowledged and not made': documents => {
    let writes = 0
    return {
      ...documents,
      write: async batch => (++writes % 7 === 0 ? null : documents.write(batch)),
    }
  },
  'early acknowledgement: a write is told before it is made': documents => ({
    ...documents,
    async write(batch: Batch) {
      setTimeout(() => void documents.write(batch).catch(() => undefined), 5)
      return null
    },
  }),
  'another condition is named': documents => ({
    ...documents,
    async write(batch) {
      const refused = await documents.write(batch)
      return refused === null ? null : batch.when.length - 1
    },
  }),
  'ids are ordered by UTF-16': ordering((one, other, kind) =>
    columnsOf(one, kind) === columnsOf(other, kind) ? compare(kind.id(one), kind.id(other)) : 0,
  ),
  'numbers are ordered as texts': ordering((one, other, kind) => {
    const number = Object.values(kind.columns).find(({ type }) => type === 'number')
    return compare(String(number?.of(one)), String(number?.of(other)))
  }),
  'a page begins with the place that it is to follow': documents => ({
    ...documents,
    scan: (kind, index, { after, ...range }) =>
      documents.scan(kind, index, after === undefined ? range : { ...range, from: after[0] }),
  }),
  'a bound is left out': scanning(({ through: _, ...range }) => range),
  'a limit is one too many': scanning(range => ({ ...range, limit: range.limit && range.limit + 1 })),
  'a filter is left out': scanning(({ where: _, ...range }) => range),
  'what is skipped is not': scanning(({ skip: _, ...range }) => range),
  'up and down are the same': scanning(({ descending: _, ...range }) => range),
  'what is cleared stays': documents => ({
    ...documents,
    write: ({ clear: _, ...batch }) => documents.write(batch),
  }),
  'what is told is lost': documents => ({
    ...documents,
    write: ({ outbox: _, ...batch }) => documents.write(batch),
  }),
  'answers share their values': documents => {
    const known = new Map<string, unknown>()
    return {
      ...documents,
      async get<T>(kind: Kind<T>, ids: readonly string[]) {
        const values = await documents.get(kind, ids)
        return values.map(value => {
          if (value === null) return null
          const key = JSON.stringify([kind.name, kind.id(value), kind.version(value)])
          const shared = known.get(key) ?? value
          known.set(key, shared)
          return shared as T
        })
      },
    }
  },
}
