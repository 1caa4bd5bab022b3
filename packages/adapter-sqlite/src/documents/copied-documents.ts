import { type CopyKey, type Kind, rowOf } from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import type { Define } from '../database/statements.ts'
import { documentStatements } from './statements.ts'

const idOf = (key: CopyKey | null): string => String(key?.[0] ?? '')

/** How the documents of a kind are read and written for a copy. */
export function copiedDocuments<T>(define: Define, kind: Kind<T>) {
  const run = documentStatements(define, kind)
  return {
    *after(key: CopyKey | null, count: number): Generator<T> {
      for (const { body } of run.after.each({ after: idOf(key), count })) yield fromJson<T>(body)
    },
    take: (value: T) => void run.put.run(rowOf(kind, value)),
    drop: (key: CopyKey) => void run.remove.run({ id: idOf(key) }),
  }
}
