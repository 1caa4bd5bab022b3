import { canonicalJson } from '../domain/canonical-json.ts'
import type { Outbox } from '../ports/store/outbox.ts'
import type { Batch, Condition, Documents, Kind, Range, Versioned } from './documents.ts'
import { columnsOfIndex } from './row.ts'

/** The writes that follow from the documents read, if any, and the caller's result. */
export type Decision<Result> = (Batch | { readonly [Part in keyof Batch]?: undefined }) & {
  readonly result: Result
  /** Returns the caller's result if the condition at that place does not hold. @default the decision is retried */
  readonly refused?: (place: number) => Result | undefined
}

/** Documents, and the few ways in which all groups read and write them. */
export interface Guarded extends Documents {
  one<T>(kind: Kind<T>, id: string): Promise<T | null>
  /** Returns the first document of a part of an index. */
  first<T>(kind: Kind<T>, index: string, prefix: readonly (string | number)[]): Promise<T | null>
  /** Reads as `scan`, one document after the other. `limit` are read at a time. */
  each<T>(kind: Kind<T>, index: string, range: Range & { readonly limit: number }): AsyncGenerator<T>
  /** Reads as `scan`, and returns only the wanted documents. */
  scanFor<T>(
    kind: Kind<T>,
    index: string,
    range: Range & { readonly limit: number },
    isWanted: (value: T) => boolean,
  ): Promise<readonly T[]>
  /** Writes a document whole over its version. False when it has another one. */
  save<T>(kind: Kind<T>, value: T, expectedVersion: number, outbox?: Outbox): Promise<boolean>
  /**
   * Reads, decides and writes, and repeats that as long as somebody else has changed the data that was read. The
   * conditions of a decision name that data, so that they fail for nothing else.
   */
  decided<Result>(decide: () => Promise<Decision<Result>>): Promise<Result>
}

/** Returns a document at the version that was read. */
export const unchanged = <T>(kind: Kind<T>, value: T): Condition => ({
  kind,
  id: kind.id(value),
  version: kind.version(value),
})

/** Returns the condition that there is no document of an id. */
export const absent = <T>(kind: Kind<T>, id: string): Condition => ({ kind, id, version: 0 })

/** Returns a value as the first version of its document. */
export const versioned = <T>(value: T): Versioned<T> => ({ ...value, version: 1 })

/** Returns the next version of a document. */
export const changed = <T>(document: Versioned<T>, changes: Partial<T>): Versioned<T> => ({
  ...document,
  ...changes,
  version: document.version + 1,
})

/** Returns a value without the version of its document. */
export function plain<T>(document: Versioned<T>): T {
  const { version: _, ...value } = document
  return value as T
}

/** Returns a document without its version; null if it is null. */
export const plainOrNull = <T>(document: Versioned<T> | null): T | null =>
  document === null ? null : plain<T>(document)

/** Reports whether two values are kept as the same. */
export const isSame = (one: object, other: object): boolean =>
  canonicalJson(JSON.parse(JSON.stringify(one))) === canonicalJson(JSON.parse(JSON.stringify(other)))

/** Documents with what is made of their calls. */
export function guarded(documents: Documents): Guarded {
  const { get, scan, write } = documents

  async function* each<T>(
    kind: Kind<T>,
    index: string,
    range: Range & { readonly limit: number },
  ): AsyncGenerator<T> {
    const columns = columnsOfIndex(kind, index).slice(range.prefix.length)
    for (let { after, skip } = range; ; skip = 0) {
      const page = await scan(kind, index, { ...range, after, skip })
      yield* page
      const last = page.at(-1)
      if (last === undefined || page.length < range.limit) return
      after = [...columns.map(name => kind.columns[name]?.of(last) ?? ''), kind.id(last)]
    }
  }

  return {
    ...documents,
    each,
    one: async (kind, id) => (await get(kind, [id]))[0] ?? null,
    first: async (kind, index, prefix) => (await scan(kind, index, { prefix, limit: 1 }))[0] ?? null,
    async scanFor(kind, index, range, isWanted) {
      const found = []
      for await (const value of each(kind, index, range))
        if (isWanted(value) && found.push(value) === range.limit) break
      return found
    },
    save: async (kind, value, version, outbox) =>
      (await write({ when: [{ kind, id: kind.id(value), version }], put: [{ kind, value }], outbox })) ===
      null,
    async decided(decide) {
      for (;;) {
        const { refused, result, ...batch } = await decide()
        const place = batch.when === undefined ? null : await write(batch)
        if (place === null) return result
        const answer = refused?.(place)
        if (answer !== undefined) return answer
      }
    },
  }
}
