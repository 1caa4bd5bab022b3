import type { Outbox } from '../ports/store/outbox.ts'

/** The value of a document's column. Null for none. */
export type ColumnValue = string | number | null

/** A value of a document that lists go by. Numbers are whole, up to 2^53. */
export interface Column<T> {
  readonly type: 'text' | 'number'
  of(value: T): ColumnValue
}

/** A value that has no version of its own, as it is kept. */
export type Versioned<T> = T & { readonly version: number }

/**
 * A kind of document. A store keeps each in a table of its own: id, version, these columns, and the whole as JSON. A
 * later version may have more kinds, columns and indexes, and fewer: then `KINDS_NUMBER` goes up. What stands for
 * something else, as a column of another type or an index by other columns, takes a name that was not there before; the
 * key of a kind stays, and a kind that is to go is first emptied.
 */
export interface Kind<T> {
  /** The name of the table. */
  readonly name: string
  id(value: T): string
  /**
   * The columns of which the id is made, by `idOf`: a store may keep these in its place. Ids are then in the order of
   * these columns.
   */
  readonly key?: readonly string[]
  /** Returns the version of a document, from 1: another one with each write. */
  version(value: T): number
  readonly columns: Readonly<Record<string, Column<T>>>
  /**
   * The columns of each list of documents, in sort order and then by id: numbers by value, texts by code points. A
   * document with a null in one of them is not in the list. Every kind also has the index `id` with all documents.
   */
  readonly indexes: Readonly<Record<string, readonly string[]>>
  /**
   * The words by which documents are found: letters, marks, digits and `:`, in lower case; of 100 bytes each, and some
   * thousands at most.
   */
  words?(value: T): readonly string[]
  /**
   * The owner with which a document is removed: the agent with whose id an index begins; the conversation whose id a
   * column holds; or its log, in steps, and also when a copy replaces it.
   */
  readonly goesWith: { readonly agent?: string; readonly conversation?: string; readonly log?: string }
  /**
   * True: the database refuses to change a document once it is there, and to remove it other than by a batch.
   * @default false
   */
  readonly isPermanent?: true
}

/** A document has that version; 0: it is not there. */
export interface AtVersion {
  readonly kind: Kind<unknown>
  readonly id: string
  readonly version: number
}

/** No more documents than that begin with these values in an index. */
export interface AtMost {
  readonly kind: Kind<unknown>
  readonly index: string
  readonly prefix: readonly (string | number)[]
  readonly atMost: number
}

/** A condition that must hold for a batch to be written. */
export type Condition = AtVersion | AtMost

/** Changes that are written at one instant, all or none. */
export interface Batch {
  readonly when: readonly Condition[]
  /** Parts of indexes whose documents are removed, in this order and before anything else is done. */
  readonly clear?: readonly {
    readonly kind: Kind<unknown>
    readonly index: string
    readonly prefix: readonly (string | number)[]
  }[]
  readonly put?: readonly { readonly kind: Kind<unknown>; readonly value: unknown }[]
  readonly remove?: readonly { readonly kind: Kind<unknown>; readonly id: string }[]
  /** Kept with the batch. */
  readonly outbox?: Outbox | undefined
}

/** A condition on documents of another kind: each has a word of every list in `words`. */
export interface Containing {
  readonly kind: Kind<unknown>
  readonly column: string
  readonly words: readonly (readonly string[])[]
}

/** A part of an index. */
export interface Range {
  /** Values of its first columns. */
  readonly prefix: readonly (string | number)[]
  /** From the last one to the first. @default from the first one */
  readonly descending?: boolean
  /**
   * Only documents after this place, in that direction: values of the other columns, and the id. No document need be
   * there.
   */
  readonly after?: readonly (string | number)[] | undefined
  /** The least value of the column after those. */
  readonly from?: string | number | undefined
  /** The greatest one. */
  readonly through?: string | number | undefined
  /** Only documents of which each of these columns holds one of its values. */
  readonly where?: Readonly<Record<string, readonly (string | number)[]>> | undefined
  /**
   * Only documents whose id is in that column of a document of that kind, which contains the words.
   */
  readonly containing?: Containing | undefined
  /** The number of documents to leave out at first. @default none */
  readonly skip?: number | undefined
  /** @default all */
  readonly limit?: number | undefined
}

/**
 * Documents of a store. Every method reads or writes at one instant; values are copied in and out. Groups of the store
 * are made of it, once for all databases.
 */
export interface Documents {
  /**
   * Writes a batch if its conditions hold; null when it is written, else the place of the first that does not hold. Of
   * two batches that cannot both hold one is written, whoever writes it.
   */
  write(batch: Batch): Promise<number | null>
  /** Returns the documents of these ids, in their order. Null for a missing document. */
  get<T>(kind: Kind<T>, ids: readonly string[]): Promise<readonly (T | null)[]>
  scan<T>(kind: Kind<T>, index: string, range: Range): Promise<readonly T[]>
  /**
   * Sets these columns to their values in documents, and adds the documents to all lists of their kind. Covers the
   * documents behind an id, in the order of `id`, `limit` at most. Returns the id of the last one; null if there is
   * none, or if lists read nothing but the documents. It changes no document, and never undoes a concurrent write. Core
   * uses it to fill new columns and indexes, and uses no list until that is full.
   */
  refill(
    kind: Kind<unknown>,
    columns: readonly string[],
    part: { readonly after: string | null; readonly limit: number },
  ): Promise<string | null>
  /** Resolves when nothing of what was removed so far can be read from the files any more. @default it never can */
  erased?(): Promise<void>
}
