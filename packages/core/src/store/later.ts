import type { Kind } from './documents.ts'

/**
 * The number of this set of kinds. A later set has a greater one. It goes up by one with every change of kinds that
 * shows in tables. Versions with its own number, and later ones, open a store.
 */
export const KINDS_NUMBER = 9

/** The reason why a process of an earlier version is refused its writes: a sentence after what it could not do. */
export const LATER_VERSION =
  'a later version of Colloquy has opened the store, and this one may not write to it any more. Restart this process with that version.'

/** The parts of a kind that show in its table. */
export interface KeptKind {
  /** All columns that the table ever had. */
  readonly columns: Readonly<Record<string, 'text' | 'number'>>
  readonly indexes: Readonly<Record<string, readonly string[]>>
  /** The columns that are written now: what others hold may be of before. */
  readonly written: readonly string[]
  /** The parts that never change. */
  readonly rest: string
}

/** The existing tables of a store, by the names of their kinds. */
export type KeptKinds = Readonly<Record<string, KeptKind>>

/** Documents of a kind that are written again, since they were there before its columns and indexes. */
export interface Filling {
  /** The name of the kind. */
  readonly kind: string
  readonly version: number
  readonly columns: readonly string[]
  readonly indexes: readonly string[]
  /** The id of the last one that was; null: none was. */
  readonly after: string | null
}

/** Kinds whose documents are written again. There is none in a store that was made with its kinds. */
export const FILLING: Kind<Filling> = {
  name: 'filling',
  id: ({ kind }) => kind,
  version: ({ version }) => version,
  columns: {},
  indexes: {},
  goesWith: {},
}

/** The changes to the tables of a store that make them fit these kinds. They come before anything is written. */
export interface LaterKinds {
  readonly tables: readonly Kind<unknown>[]
  readonly columns: readonly { readonly kind: Kind<unknown>; readonly column: string }[]
  readonly indexes: readonly { readonly kind: Kind<unknown>; readonly index: string }[]
  /** To be put over those that are there: {@link FILLING}. */
  readonly fillings: readonly Filling[]
  /** The tables after the changes. */
  readonly kept: KeptKinds
}

/** Kinds of before 0.1.0 whose documents no version from this number on reads. */
const UNREAD = ['conversation_progress']

const NOTHING: KeptKind = { columns: {}, indexes: {}, written: [], rest: '' }

const restOf = ({ isPermanent, key, words }: Kind<unknown>): string =>
  JSON.stringify({ isPermanent, key, words: words !== undefined })

/** Returns the first name that was given before and now stands for something else. */
function differing(before: object, now: object): string | undefined {
  const known = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]))
  return Object.entries(now).find(
    ([name, value]) => (known.get(name) ?? JSON.stringify(value)) !== JSON.stringify(value),
  )?.[0]
}

/** Returns a kind as its table is, over its previous form. @throws Error if the table cannot become so */
function keptOver(before: KeptKind, kind: Kind<unknown>): KeptKind {
  const columns: KeptKind['columns'] = Object.fromEntries(
    Object.entries(kind.columns).map(([name, { type }]) => [name, type]),
  )
  const rest = restOf(kind)
  const other = differing(before.columns, columns) ?? differing(before.indexes, kind.indexes)
  if (other !== undefined || (before !== NOTHING && rest !== before.rest))
    throw new Error(
      `the kind ${kind.name} of documents is another one there${other === undefined ? '' : `: ${other} stands for something else`}. Use a version that reads both.`,
    )
  return {
    columns: { ...before.columns, ...columns },
    indexes: { ...before.indexes, ...kind.indexes },
    written: Object.keys(columns),
    rest,
  }
}

const added = (before: object, now: object): readonly string[] =>
  Object.keys(now).filter(name => !Object.hasOwn(before, name))

/**
 * Returns the changes that turn the tables of a store into those of later kinds. Nothing is removed, and a name keeps
 * its meaning for ever.
 *
 * @param before existing tables; null without any
 * @param fillings fillings in progress there
 * @throws Error if a kind has another key, or a column or an index of that name is another one. Also if there are
 * documents that are not read any more
 */
export function laterKinds(
  before: KeptKinds | null,
  fillings: readonly Filling[],
  kinds: readonly Kind<unknown>[],
): LaterKinds {
  const known = before ?? {}
  const unread = UNREAD.find(name => Object.hasOwn(known, name))
  if (unread !== undefined)
    throw new Error(
      `it has documents of the kind ${unread}, which are not read any more. Until 0.1.0 a store is read by the version that made it alone: use that version, or begin with a new store.`,
    )
  const all = kinds.map(kind => {
    const former = known[kind.name]
    return { kind, former, now: keptOver(former ?? NOTHING, kind) }
  })
  const changed = all.flatMap(({ former, kind, now }) =>
    former === undefined ? [] : [{ former, kind, now }],
  )
  return {
    tables: all.filter(({ former }) => former === undefined).map(({ kind }) => kind),
    columns: changed.flatMap(({ former, kind, now }) =>
      added(former.columns, now.columns).map(column => ({ kind, column })),
    ),
    indexes: changed.flatMap(({ former, kind, now }) =>
      added(former.indexes, now.indexes).map(index => ({ kind, index })),
    ),
    fillings: changed.flatMap(({ former, kind, now }) => {
      const columns = now.written.filter(column => !former.written.includes(column))
      const indexes = added(former.indexes, now.indexes)
      if (columns.length + indexes.length === 0) return []
      const under = fillings.find(filling => filling.kind === kind.name)
      return [
        {
          kind: kind.name,
          version: (under?.version ?? 0) + 1,
          columns: [...new Set([...(under?.columns ?? []), ...columns])],
          indexes: [...new Set([...(under?.indexes ?? []), ...indexes])],
          after: null,
        },
      ]
    }),
    kept: { ...known, ...Object.fromEntries(all.map(({ kind, now }) => [kind.name, now])) },
  }
}

const SAMPLE: Kind<unknown> = {
  name: 'sample',
  id: String,
  version: Number,
  columns: { one: { type: 'text', of: String }, two: { type: 'number', of: Number } },
  indexes: { one: ['one'], both: ['two', 'one'] },
  goesWith: {},
}

/** Kinds of every sort. Stores whose tables of these are made alike differ in nothing but their kinds. */
export const SAMPLE_KINDS: readonly Kind<unknown>[] = [
  SAMPLE,
  { ...SAMPLE, isPermanent: true },
  { ...SAMPLE, key: ['one', 'two'], words: () => [] },
]
