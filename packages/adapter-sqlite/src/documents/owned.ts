import { KINDS } from '@colloquy/core/store'
import { sql } from 'kysely'
import { unitsOf } from '../conversations/removal-units.ts'
import type { Define } from '../database/statements.ts'
import { documentStatements } from './statements.ts'

/** The statements that remove what goes with a conversation. */
export function ownedStatements(define: Define) {
  const whole = KINDS.flatMap(({ goesWith: { conversation: column }, name }) =>
    column === undefined
      ? []
      : [
          define<{ id: string }>()((db, p) =>
            sql`delete from ${sql.table(name)} where ${sql.ref(column)} = ${p('id')}`.compile(db),
          ),
        ],
  )
  // What others belong to comes before them, and goes last.
  const inSteps = KINDS.toReversed().flatMap(kind => {
    const column = kind.goesWith.log
    if (column === undefined) return []
    const found = define<{ id: string; limit: number }>()((db, p) =>
      sql<{ readonly id: string; readonly bytes: number }>`
        select id, octet_length(body) as bytes from ${sql.table(kind.name)}
        where ${sql.ref(column)} = ${p('id')} limit ${p('limit')}`.compile(db),
    )
    return [{ found, remove: documentStatements(define, kind).remove }]
  })
  return {
    dropDocumentsOfConversation(id: string): void {
      for (const statement of whole) statement.run({ id })
    },
    /** As far as the units allow; returns how many are left, 0 when something may be left. */
    dropLog(conversation: string, units: number): number {
      let left = units
      for (const { found, remove } of inSteps)
        for (const { bytes, id } of found.all({ id: conversation, limit: left })) {
          if (left <= 0) return 0
          remove.run({ id })
          left -= unitsOf(bytes)
        }
      return Math.max(left, 0)
    },
  }
}
