import { KINDS } from '@colloquy/core/store'
import { sql } from 'kysely'
import type { Define } from '../database/statements.ts'

/** The statements that remove what goes with a conversation. */
export function ownedStatements(define: Define) {
  const statements = KINDS.flatMap(({ goesWith: { conversation: column }, name }) =>
    column === undefined
      ? []
      : [
          define<{ id: string }>()((db, p) =>
            sql`delete from ${sql.table(name)} where ${sql.ref(column)} = ${p('id')}`.compile(db),
          ),
        ],
  )
  return {
    dropDocumentsOfConversation(id: string): void {
      for (const statement of statements) statement.run({ id })
    },
  }
}
