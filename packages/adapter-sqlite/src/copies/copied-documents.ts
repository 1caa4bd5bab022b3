import { type CopyKey, DOCUMENT_KINDS, type DocumentParts, type Kind, rowOf } from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import type { Define } from '../database/statements.ts'
import { documentStatements } from '../documents/statements.ts'

/** How the documents of a kind are read and written. */
export interface Copied<T> {
  /** In the order of their ids. Read one after the other, within one snapshot. */
  after(key: CopyKey | null, count: number): Iterable<T>
  take(value: T): void
  drop(key: CopyKey): void
}

const idOf = (key: CopyKey | null): string => String(key?.[0] ?? '')

function copiedKind(define: Define, kind: Kind<unknown>): Copied<unknown> {
  const run = documentStatements(define, kind)
  return {
    *after(key, count) {
      for (const { body } of run.after.each({ after: idOf(key), count })) yield fromJson<unknown>(body)
    },
    take: value => void run.put.run(rowOf(kind, value)),
    drop: key => void run.remove.run({ id: idOf(key) }),
  }
}

/** How the documents of every kind are read and written for a copy. */
export function copiedDocuments(define: Define) {
  const kinds = Object.entries(DOCUMENT_KINDS).map(([name, kind]) => [
    name,
    copiedKind(define, kind as Kind<never>),
  ])
  return Object.fromEntries(kinds) as { readonly [Name in keyof DocumentParts]: Copied<DocumentParts[Name]> }
}
